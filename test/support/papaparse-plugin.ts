import type { TestRunnerPlugin } from '@web/test-runner';

/** Papa Parse is published as CommonJS only. Bundlers translate that, but a browser cannot load it. */
export function papaparsePlugin(): TestRunnerPlugin {
  return {
    name: 'papaparse',
    transform({ path, body }) {
      if (!path.includes('/node_modules/papaparse/') || typeof body !== 'string') return undefined;
      return `const module = { exports: {} }, exports = module.exports;\n${body}\nexport default module.exports;`;
    },
  };
}

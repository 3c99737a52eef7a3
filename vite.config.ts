import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** The same bytes under a name that never changes its content, for `integrity` on host pages. */
function versionedCopy(): Plugin {
  return {
    name: 'versioned-copy',
    generateBundle(_options, bundle) {
      const widget = bundle['widget.js'];
      if (widget?.type !== 'chunk') throw new Error('the build made no widget.js');
      this.emitFile({ type: 'asset', fileName: `widget-${version}.js`, source: widget.code });
    },
  };
}

/** Brotli bytes of everything that a page loads for both elements with data. Raising it needs a measured reason. */
const BUDGET_BYTES = 30_000;

function sizeBudget(): Plugin {
  return {
    name: 'size-budget',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const bytes = brotliCompressSync(chunk.code).length;
        if (bytes > BUDGET_BYTES) {
          throw new Error(
            `${chunk.fileName} has ${String(bytes)} bytes (brotli), over the budget of ${String(BUDGET_BYTES)}: ` +
              'find what came in, load it on demand, or leave it out.',
          );
        }
        process.stdout.write(`${chunk.fileName}: ${String(bytes)} of ${String(BUDGET_BYTES)} bytes (brotli)\n`);
      }
    },
  };
}

export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'dist/widget',
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: 'src/widget.ts', formats: ['es'], fileName: () => 'widget.js' },
    rolldownOptions: { output: { minify: true } },
  },
  plugins: [versionedCopy(), sizeBudget()],
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

/** 1.2 times the same switch in bare Lit. */
const BUDGET_BYTES = 6_900;

it('a page with plain toggles only loads at most 6.9 kB (brotli), and nothing of the network', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: 'src/elements/availability-toggle/define.ts', formats: ['es'] },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const [output] = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
  const chunks = new Map(output?.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));

  const loaded = [...chunks.values()].filter(({ isEntry }) => isEntry);
  for (const { imports } of loaded) {
    for (const name of imports) {
      const chunk = chunks.get(name);
      if (chunk !== undefined && !loaded.includes(chunk)) loaded.push(chunk);
    }
  }

  const bytes = loaded.reduce((sum, { code }) => sum + brotliCompressSync(code).length, 0);
  const modules = loaded.flatMap(({ moduleIds }) => moduleIds);
  assert.ok(bytes > 1_000 && bytes <= BUDGET_BYTES, `${String(bytes)} bytes`);
  assert.deepEqual(
    modules.filter((id) => /src\/client\/|node_modules/.test(id)),
    [],
  );
});

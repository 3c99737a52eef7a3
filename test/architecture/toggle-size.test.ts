import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { scratchFolder } from '../support/scratch-folder.js';

/**
 * All that a page loads if no error occurs: the store, the durable queue, HTTP, sending edits and reading the change
 * feed. Of these bytes, 5,300 are Lit, 1,800 are the draggable thumb and the choice between two values, and 1,500 are
 * retries, decisions and the parsing of refusals, which need no further file. 600 distinguish a wrong setup from a
 * signed-out person. 800 are style sheets in another document, batch sizes by the network speed, and pages that extend
 * arrays or replace Promise.
 */
const BUDGET_BYTES = 47_500;

let chunks: readonly Rolldown.OutputChunk[] = [];

/**
 * The packed package in an application of one line, built as by `vite build`. All of its scripts are
 * counted, with the code that Vite adds to load chunks, but without its `modulepreload` polyfill, which is optional.
 */
before(async () => {
  const application = scratchFolder();
  const packages = join(application, 'node_modules');
  mkdirSync(packages);
  execFileSync(process.execPath, ['.ci/stage-package.js', join(packages, 'vendor-inventory-widget')]);
  for (const name of ['ky', 'lit', 'zod']) symlinkSync(resolve('node_modules', name), join(packages, name));
  writeFileSync(join(application, 'index.html'), '<script type="module" src="./main.js"></script>');
  writeFileSync(join(application, 'main.js'), "import 'vendor-inventory-widget/availability-toggle';");
  const built = await build({
    configFile: false,
    root: application,
    logLevel: 'error',
    build: { write: false, target: 'es2022', modulePreload: { polyfill: false } },
  });
  const [output] = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
  chunks = output?.output.filter((file) => file.type === 'chunk') ?? [];
});

/** @returns all chunks that a page loads for the entry and these dynamic chunks */
function loaded(...parts: readonly string[]): Rolldown.OutputChunk[] {
  const wanted = chunks.filter(({ isEntry, name }) => isEntry || parts.includes(name));
  assert.equal(wanted.length, parts.length + 1, `there is no ${parts.join(' or no ')}`);
  for (const { imports } of wanted) {
    wanted.push(...chunks.filter((chunk) => imports.includes(chunk.fileName) && !wanted.includes(chunk)));
  }
  return wanted;
}

function assertSize(loads: readonly Rolldown.OutputChunk[], budget: number): void {
  const bytes = loads.reduce((sum, { code }) => sum + brotliCompressSync(code).length, 0);
  assert.ok(bytes > budget / 3 && bytes <= budget, `${String(bytes)} bytes`);
}

describe('the script of a page with toggles (brotli)', () => {
  it('is at most 47.5 kB', () => {
    assertSize(loaded('after-load'), BUDGET_BYTES);
  });

  it('contains only the packages ky, Lit and zod', () => {
    const packages = loaded('after-load')
      .flatMap(({ moduleIds }) => moduleIds)
      .map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1])
      .filter((name) => name !== undefined && name !== 'vendor-inventory-widget');

    assert.deepEqual([...new Set(packages)].sort(), [
      '@lit/reactive-element',
      'ky',
      'lit',
      'lit-element',
      'lit-html',
      'zod',
    ]);
  });

  it('does not contain the confirmation dialog', () => {
    const visit = loaded('after-load');

    const more = loaded('after-load', 'confirm-dialog').filter((chunk) => !visit.includes(chunk));

    assert.deepEqual([...new Set(more.map(({ name }) => name))], ['confirm-dialog']);
  });
});

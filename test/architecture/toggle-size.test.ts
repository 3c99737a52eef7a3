import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { scratchFolder } from '../support/scratch-folder.js';

/**
 * All that a visit without trouble loads: the store, the durable queue, the network, and what sends edits and hears news. Of
 * these bytes, 5,300 are Lit, 1,800 are a thumb that is dragged and the choice between two values, and 1,500 buy retries,
 * decisions and the reading of refusals that wait for no further file. 600 tell a wrong setup from a person who is signed out.
 * 800 buy style sheets in another document, batches by the speed of the line, and pages that extend arrays or replace Promise.
 */
const BUDGET_BYTES = 47_500;

let chunks: readonly Rolldown.OutputChunk[] = [];

/**
 * The package as it is published, in an application of one line, built as `vite build` builds one. All of its scripts are
 * counted, with what Vite adds to load parts; its polyfill for browsers without `modulepreload` is the application's choice.
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

/** @returns all that a page loads for the entry and these of its parts */
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

describe('what a page of toggles loads (brotli)', () => {
  it('is at most 47.5 kB', () => {
    assertSize(loaded('after-load'), BUDGET_BYTES);
  });

  it('has of packages only ky, Lit and zod', () => {
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

  it('has nothing of what is needed in trouble alone', () => {
    const visit = loaded('after-load');

    const more = loaded('after-load', 'confirm-dialog').filter((chunk) => !visit.includes(chunk));

    assert.deepEqual([...new Set(more.map(({ name }) => name))], ['confirm-dialog']);
  });
});

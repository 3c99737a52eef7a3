import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { scratchFolder } from '../support/scratch-folder.js';

/** 1.2 times the same switch in bare Lit. */
const PLAIN_BYTES = 6_900;
/** Until a toggle with an item can be used: the store, the durable queue and the network. */
const ITEM_BYTES = 32_000;
/** With the way out for edits and the news, which come once the proxy has answered: all that a visit without trouble loads. */
const WHOLE_BYTES = 36_000;

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
  for (const name of ['idb-keyval', 'ky', 'zod']) symlinkSync(resolve('node_modules', name), join(packages, name));
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

function modulesOf(loads: readonly Rolldown.OutputChunk[], pattern: RegExp): string[] {
  return loads.flatMap(({ moduleIds }) => moduleIds).filter((id) => pattern.test(id));
}

describe('what a page of toggles loads (brotli)', () => {
  it('is at most 6.9 kB where they are plain, and nothing of the network', () => {
    assertSize(loaded(), PLAIN_BYTES);
    assert.deepEqual(modulesOf(loaded(), /dist\/client\/|idb-keyval|node_modules\/(?:ky|zod)\//), []);
  });

  it('is at most 32 kB until one with an item can be used, and of packages idb-keyval, ky and zod alone', () => {
    assertSize(loaded('item-part'), ITEM_BYTES);
    assert.deepEqual(
      modulesOf(loaded('item-part'), /node_modules\/(?!idb-keyval\/|ky\/|zod\/|vendor-inventory-widget\/)/),
      [],
    );
  });

  it('is at most 36 kB with the way out for edits and the news', () => {
    assertSize(loaded('item-part', 'after-load'), WHOLE_BYTES);
  });

  it('is nothing of what is said and offered in trouble alone', () => {
    const visit = loaded('item-part', 'after-load');

    for (const part of ['questions', 'en-reasons', 'refusal', 'decisions']) {
      const more = loaded('item-part', 'after-load', part).filter((chunk) => !visit.includes(chunk));
      assert.deepEqual([...new Set(more.map(({ name }) => name))], [part]);
    }
  });
});

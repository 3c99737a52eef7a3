import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SETTINGS } from '../../src/proxy/node/config/settings.js';
import { portalProfile } from '../../src/proxy/portal/profile.js';
import { treeFiles } from '../support/tree-files.js';

const sources = treeFiles().filter((path) => /^src\/.*\.ts$/.test(path));

describe('src/elements/README.md', () => {
  const page = readFileSync('src/elements/README.md', 'utf8');
  const elements = sources.filter((path) => path.startsWith('src/elements/'));

  it('names each event, slot, part, state and attribute of the elements', () => {
    const names = elements.flatMap((path) => publicNamesIn(readFileSync(path, 'utf8')));

    assert.ok(names.length >= 30);
    assert.deepEqual(undocumented(page, names), []);
  });

  it('names each custom property that the styles read', () => {
    const names = elements.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/var\((--inventory-[a-z-]+)/g)].map(([, name = '']) => name),
    );

    assert.ok(names.length >= 15);
    assert.deepEqual(undocumented(page, names), []);
  });
});

describe('src/proxy/README.md', () => {
  const page = readFileSync('src/proxy/README.md', 'utf8');

  it('names each setting that the command reads, and no other', () => {
    const config = sources.filter((path) => path.startsWith('src/proxy/node/config/'));
    const read = new Set(
      config.flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/reader\s*\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name = '']) => name),
      ),
    );
    // It is read in upper case and in lower case, which the pattern does not find.
    read.add('HTTPS_PROXY');

    const listed = SETTINGS.flatMap(({ settings }) => settings.flatMap(({ names }) => names));
    assert.deepEqual([...read].sort(), listed.sort(), 'correct the table in src/proxy/node/config/settings.ts');
    assert.deepEqual(undocumented(page, listed), []);
  });

  it('names each setting of the portal profile', () => {
    const whole = portalProfile.parse({ success: { status: '/code' }, idempotency: { header: 'Idempotency-Key' } });
    const settings = Object.entries(whole).flatMap(([section, value]) =>
      typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
        ? Object.keys(value).map((name) => `${section}.${name}`)
        : [section],
    );

    assert.ok(settings.length >= 20);
    assert.deepEqual(undocumented(page, settings), []);
  });
});

/** The public names in the documentation comments and declarations of an element. */
function publicNamesIn(source: string): string[] {
  const promised = source.matchAll(/^ \* @(?:fires|slot|csspart|cssstate|cssproperty) ([\w-]*\w)/gm);
  const attributes = source.matchAll(/\{ attribute: '([\w-]+)'/g);
  return [...promised, ...attributes].map(([, name = '']) => name);
}

function undocumented(page: string, names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !page.includes(`\`${name}\``));
}

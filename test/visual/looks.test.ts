import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { draw, LOOKS, openStudio } from './gallery.js';
import { differences } from './pictures.js';

let browser: Browser;
before(async () => {
  browser = await openStudio();
});
after(() => browser.close());

describe('the toggle in all its states looks as in the stored picture,', () => {
  for (const look of LOOKS) {
    it(look.name, async () => {
      const stored = await readFile(new URL(`${look.name}.png`, import.meta.url));

      const drawn = await draw(browser, look);

      const found = await differences(browser, stored, drawn);
      if (found.length === 0) return;
      const file = join(mkdtempSync(join(tmpdir(), 'inventory-look-')), `${look.name}.png`);
      writeFileSync(file, drawn);
      const places = found.slice(0, 10).map(({ x, y }) => `${String(x)},${String(y)}`);
      assert.fail(
        `It differs from test/visual/${look.name}.png in ${String(found.length)} places (${places.join(' ')}…): look at ${file}. ` +
          'Where that is meant, draw the pictures anew with npm run visual.',
      );
    });
  }

  it('and one that has lost a sign, a colour or its place does not', async () => {
    const [look] = LOOKS;
    assert.ok(look !== undefined);
    const stored = await readFile(new URL(`${look.name}.png`, import.meta.url));
    const faults = [
      'availability-toggle[checked] { --inventory-accent: #2b6e0b }',
      'availability-toggle::part(value)::after { clip-path: circle(50%) !important }',
      'availability-toggle::part(label) { padding-inline-start: 2px }',
      'availability-toggle::part(status) { opacity: 0 }',
    ];

    const seen: boolean[] = [];
    for (const css of faults)
      seen.push((await differences(browser, stored, await draw(browser, look, css))).length > 0);

    assert.deepEqual(
      seen,
      faults.map(() => true),
    );
  });
});

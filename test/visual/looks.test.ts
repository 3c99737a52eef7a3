import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { DEVICES, drawEditor, EDITOR_LOOKS, looksOn, type Device } from './editor-gallery.js';
import { draw, LOOKS, openStudio } from './gallery.js';
import { differences } from './pictures.js';

/** A picture mostly waits for its page. */
const AT_ONCE = 4;

let browser: Browser;
before(async () => {
  browser = await openStudio();
});
after(() => browser.close());

describe('the toggle in all its states looks as in the stored picture,', () => {
  for (const look of LOOKS) {
    it(look.name, async () => {
      const drawn = await draw(browser, look);

      await expectStored(`${look.name}.png`, drawn);
    });
  }

  it('and one that has lost a sign, a colour or its place does not', async () => {
    const [look] = LOOKS;
    assert.ok(look !== undefined);
    const stored = await readStored('light.png');
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

for (const device of Object.keys(DEVICES) as Device[]) {
  describe(
    `the editor on a ${device.replace('-', ' ')} looks as in the stored picture,`,
    { concurrency: AT_ONCE },
    () => {
      for (const look of looksOn(device)) {
        it(look.name, async () => {
          const drawn = await drawEditor(browser, look, device);

          await expectStored(`${device}/${look.name}.png`, drawn);
        });
      }
    },
  );
}

describe('an editor', () => {
  it('that has lost a colour of its rows differs from the stored picture', async () => {
    const look = EDITOR_LOOKS.find(({ name }) => name === 'list');
    assert.ok(look !== undefined);
    const stored = await readStored('phone/list.png');

    const drawn = await drawEditor(browser, look, 'phone', ':root { --inventory-on-portal: #888 }');

    assert.ok((await differences(browser, stored, drawn)).length > 0);
  });
});

function readStored(name: string): Promise<Buffer> {
  return readFile(new URL(name, import.meta.url));
}

/** @param name of the stored picture */
async function expectStored(name: string, drawn: Buffer): Promise<void> {
  const found = await differences(browser, await readStored(name), drawn);
  if (found.length === 0) return;
  const file = join(mkdtempSync(join(tmpdir(), 'inventory-look-')), name.replace('/', '-'));
  writeFileSync(file, drawn);
  const places = found.slice(0, 10).map(({ x, y }) => `${String(x)},${String(y)}`);
  assert.fail(
    `It differs from test/visual/${name} in ${String(found.length)} places (${places.join(' ')}…): look at ${file}. ` +
      'Where that is meant, draw the pictures again with npm run visual.',
  );
}

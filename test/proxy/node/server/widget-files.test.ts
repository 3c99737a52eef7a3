import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { readWidgetFiles } from '../../../../src/proxy/node/server/widget-files.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

describe('the script files', () => {
  const ways: readonly (readonly [how: string, name: (folder: string) => string])[] = [
    ['by its path', (folder) => folder],
    ['with a slash after it', (folder) => `${folder}/`],
    ['with two slashes in it', (folder) => folder.replace(/\/([^/]*)$/, '//$1')],
    ['from where the proxy was started', (folder) => relative('.', folder)],
    ['with a dot before it', (folder) => `./${relative('.', folder)}`],
  ];

  for (const [how, name] of ways) {
    it(`are found if their folder is given ${how}`, async () => {
      const files = await readWidgetFiles(name(widgetFolder()));

      const script = await files('widget.js');
      const chunk = await files('assets/chunk-a1.js');

      assert.equal(script?.contentType, 'text/javascript; charset=utf-8');
      assert.equal(new TextDecoder().decode(script.body), 'export {};');
      assert.equal(new TextDecoder().decode(chunk?.body), 'export {};');
    });
  }

  it('get a content type by their extension, and files of unknown extension are not served', async () => {
    const files = await readWidgetFiles(widgetFolder());

    const types = await Promise.all(
      ['assets/icon.svg', 'assets/map.js.map', 'notes.txt', 'LICENSE'].map(
        async (name) => (await files(name))?.contentType,
      ),
    );

    assert.deepEqual(types, ['image/svg+xml', 'application/json', undefined, undefined]);
  });

  it('are those that existed at the start', async () => {
    const folder = widgetFolder();
    const files = await readWidgetFiles(folder);

    writeFileSync(join(folder, 'widget-9.9.9.js'), 'export {};');

    assert.equal(await files('widget-9.9.9.js'), undefined);
  });
});

function widgetFolder(): string {
  const folder = join(scratchFolder(), 'widget');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const name of [
    'widget.js',
    'assets/chunk-a1.js',
    'assets/icon.svg',
    'assets/map.js.map',
    'notes.txt',
    'LICENSE',
  ]) {
    writeFileSync(join(folder, name), 'export {};');
  }
  return folder;
}

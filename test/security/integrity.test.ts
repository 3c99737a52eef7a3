import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { VERSION } from '../../src/contract/version.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { useSites } from './use-sites.js';
import { ADMIN, PROXY } from './sites.js';

const NAME = `widget-${VERSION}.js`;

/** T7 of the threats: an attacker replaces the script that host pages load. */
describe('a second build of the script', () => {
  it('is identical to the served script, byte for byte', () => {
    const again = scratchFolder();
    const args = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error', '--outDir', again, '--emptyOutDir'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);

    const [served, built] = ['dist/widget', again].map((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .sort()
        .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
    );

    assert.ok(served?.some(([name]) => name === NAME));
    assert.deepEqual(built, served);
  });
});

describe('a host page that loads the script with an integrity attribute', () => {
  const fixture = useSites();
  let page: Page;

  before(async () => {
    page = await fixture.browser.newPage();
    const script = readFileSync(join('dist/widget', NAME), 'utf8');
    fixture.sites.put(PROXY, '/changed.js', {
      body: `${script} `,
      type: 'text/javascript',
      headers: { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' },
    });
  });

  function tagOf(path: string): string {
    const hash = createHash('sha384')
      .update(readFileSync(join('dist/widget', NAME)))
      .digest('base64');
    return `<script type="module" src="${fixture.sites.proxyUrl}/${path}" integrity="sha384-${hash}" crossorigin></script>`;
  }

  /** @returns whether the browser ran the script */
  async function runs(path: string): Promise<boolean> {
    fixture.sites.put(ADMIN, '/', {
      body: `<!doctype html><title>pinned</title><link rel="icon" href="data:,">${tagOf(path)}`,
    });
    await page.goto(fixture.sites.origin(ADMIN));
    return page.evaluate(() => customElements.get('inventory-editor') !== undefined);
  }

  it('runs the script that matches, from the proxy’s origin', async () => {
    assert.equal(await runs(NAME), true);
  });

  it('does not run a script with one additional byte', async () => {
    assert.equal(await runs('changed.js'), false);
  });

  it('runs chunks that are loaded on demand, but not with one additional byte', async () => {
    const element = '<availability-toggle confirm checked>Kayak tour</availability-toggle>';
    fixture.sites.put(ADMIN, '/with-question', {
      body: `<!doctype html><title>pinned</title><link rel="icon" href="data:,">${tagOf(NAME)}${element}`,
    });
    await page.goto(`${fixture.sites.origin(ADMIN)}/with-question`);
    await page.getByRole('switch').click();
    await page.getByRole('dialog').waitFor();

    await page.route('**/assets/confirm-dialog-*', (route) =>
      route.fulfill({
        body: `${readFileSync(join('dist/widget', new URL(route.request().url()).pathname), 'utf8')} `,
        contentType: 'text/javascript',
        headers: { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' },
      }),
    );
    const refused = page.waitForEvent('console', (message) => message.text().includes("'integrity' attribute"));
    await page.goto(`${fixture.sites.origin(ADMIN)}/with-question`);
    await page.getByRole('switch').click();
    await refused;

    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await page.getByRole('switch').isChecked(), true);
  });
});

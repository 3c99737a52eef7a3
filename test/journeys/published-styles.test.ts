import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { scratchFolder } from '../support/scratch-folder.js';
import { openBrowser } from './visitor.js';

describe('the styles of the published package', { timeout: 60_000 }, () => {
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
  });

  after(() => browser.close());

  it('mean to a browser what is written, in fewer bytes', async () => {
    const folder = join(scratchFolder(), 'package');
    execFileSync(process.execPath, ['.ci/stage-package.js', folder]);
    const written = stylesIn('dist/elements');
    const published = stylesIn(join(folder, 'dist/elements'));
    const page = await browser.newPage();

    const [meant, said] = await page.evaluate(
      (texts) =>
        texts.map((styles) =>
          styles.map((text) => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(text);
            // Of what depends on a custom property a browser keeps the text, with spaces and noughts that mean nothing.
            return [...sheet.cssRules].map(({ cssText }) =>
              cssText.replaceAll(/\s*([,/])\s*/g, '$1').replaceAll(/\b0(?=\.)/g, ''),
            );
          }),
        ),
      [written, published],
    );

    assert.ok(written.length >= 12 && meant?.every((rules) => rules.length > 0));
    assert.deepEqual(said, meant);
    assert.ok(published.join('').length < 0.85 * written.join('').length);
  });
});

function stylesIn(folder: string): string[] {
  const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  return modules
    .sort()
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/\bcss ?`([^`]*)`/g)])
    .map(([, text = '']) => text);
}

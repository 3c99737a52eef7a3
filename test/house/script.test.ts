import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VERSION } from '../../src/contract/version.js';

const FOLDER = 'dist/widget';

describe('the script as it is served', () => {
  it('asks to be compiled while it comes in, in its first line: a bundler may have put something before', () => {
    const [first] = readFileSync(join(FOLDER, `widget-${VERSION}.js`), 'utf8').split('\n');

    assert.equal(first, '//# allFunctionsCalledOnLoad');
  });

  it('is of ASCII, except for what speaks another script: one letter beyond Latin doubles the memory that a file takes', () => {
    const files = ['', 'assets'].flatMap((folder) =>
      readdirSync(join(FOLDER, folder))
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(folder, name)),
    );

    const others = files.filter((name) => /[^\n -~]/.test(readFileSync(join(FOLDER, name), 'utf8')));

    assert.deepEqual(others.sort(), [`assets/ar-${VERSION}.js`, `assets/editor-ar-${VERSION}.js`]);
  });

  it('has parts that are named by its version, so that those of two versions can be served side by side', () => {
    const parts = readdirSync(join(FOLDER, 'assets'));

    assert.ok(parts.length > 5);
    assert.deepEqual(
      parts.filter((name) => !name.endsWith(`-${VERSION}.js`)),
      [],
    );
  });
});

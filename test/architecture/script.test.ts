import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VERSION } from '../../src/contract/version.js';

const FOLDER = 'dist/widget';

describe('the served script', () => {
  it('asks in its first line to be compiled while it loads', () => {
    const [first] = readFileSync(join(FOLDER, `widget-${VERSION}.js`), 'utf8').split('\n');

    assert.equal(first, '//# allFunctionsCalledOnLoad');
  });

  it('has chunks with the version in their names, so that two versions can be served side by side', () => {
    const parts = readdirSync(join(FOLDER, 'assets'));

    assert.ok(parts.length > 5);
    assert.deepEqual(
      parts.filter((name) => !name.endsWith(`-${VERSION}.js`)),
      [],
    );
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { VERSION } from '../../src/contract/version.js';

it('the version of the product is that of its package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  assert.equal(VERSION, version);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CONTROLS } from '../faults/controls.js';

const ROOT = join(import.meta.dirname, '../..');

/** The whole campaign switches each defence off, which takes too long for every run of the tests. That it can, is seen here. */
describe('the controls of the fault campaign', () => {
  it('find the defence that they switch off', () => {
    const lost = CONTROLS.filter(({ file, text }) => readFileSync(join(ROOT, file), 'utf8').split(text).length !== 2);

    assert.deepEqual(
      lost.map(({ defence }) => defence),
      [],
    );
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.ts', import.meta.url));

describe('the campaign', () => {
  it('exits with 2 and prints its usage if the scenario does not exist', () => {
    const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', RUN, '--only', 'F99'], {
      encoding: 'utf8',
    });

    assert.match(stdout, /^npm run faults/);
    assert.equal(status, 2);
  });
});

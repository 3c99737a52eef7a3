import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';

/** Runs `npm test -- ARGS` as a process. */
function npmTest(...words: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'test/run.ts', ...words], {
    encoding: 'utf8',
  });
  return { status, said: stderr };
}

describe('npm test with a path', () => {
  it('without a test names the path, runs nothing and fails', () => {
    const { status, said } = npmTest('test/domain/item-id.test.ts', 'test/domain/gone.test.ts');

    assert.equal(status, 2);
    assert.match(said, /^There is no test at test\/domain\/gone\.test\.ts: name a file that ends in \.test\.ts/);
  });

  it('of another step than --only prints that and fails', () => {
    const { status, said } = npmTest('--only', 'browser', 'test/domain/item-id.test.ts');

    assert.equal(status, 2);
    assert.match(said, /^None of these tests is in browser\./);
  });
});

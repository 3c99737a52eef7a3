import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openDatabase } from '../../../../src/proxy/node/database/sqlite/sqlite-database.js';
import { minimalSettings } from '../../../support/minimal-settings.js';
import { Command } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

/**
 * Only root can fill a real disk. So SQLite gets a limit of one page before its tables are created, and then
 * fails with the error that it has for a full disk.
 */
const FULL = `
import { createRequire } from 'node:module';
const { prototype } = createRequire(${JSON.stringify(resolve('package.json'))})('better-sqlite3');
const { exec } = prototype;
prototype.exec = function (sql) {
  this.pragma('max_page_count = 1');
  return exec.call(this, sql);
};`;

function startOnDisk(t: TestContext, path: string, preload: string): Command {
  const environment = { ...minimalSettings(), PORT: '0', METRICS_PORT: 'off', DATABASE_URL: `file:${path}` };
  return new Command(t, ['proxy'], {
    environment: environment as Record<string, string>,
    node: ['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
  });
}

describe('a proxy that starts on a full disk', () => {
  it('prints one line, exits with 1, and leaves a file that can be opened once there is space', async (t) => {
    const path = join(scratchFolder(), 'inventory.sqlite');

    const command = startOnDisk(t, path, FULL);

    assert.equal(await command.exitCode(), 1);
    assert.equal(command.stderr, `no space left for ${path}\n`);
    assert.equal(command.stdout, '');
    openDatabase(path).close();
  });
});

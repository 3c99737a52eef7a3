import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { openSqliteOutbox } from '../../../src/proxy/node/outbox-sqlite.js';
import { openDatabase } from '../../../src/proxy/node/sqlite-database.js';
import { MIGRATIONS } from '../../../src/proxy/node/sqlite-schema.js';
import { expectItemsOfVendors, oldItems } from '../../support/old-items.js';
import { minimalSettings } from '../../support/minimal-settings.js';
import { Command } from '../../support/run-command.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/**
 * To make a real disk full, one has to be root. So SQLite is told after some changes of its tables that the file may not grow,
 * and fails where it would get no page of the disk, with the error that it has for that.
 */
const fullAfter = (changes: number): string => `
import { createRequire } from 'node:module';
const { prototype } = createRequire(${JSON.stringify(resolve('package.json'))})('better-sqlite3');
const { exec } = prototype;
let left = ${String(changes)};
prototype.exec = function (sql) {
  if (left-- <= 0) this.pragma('max_page_count = 1');
  return exec.call(this, sql);
};`;

function startOnDisk(t: TestContext, path: string, preload: string): Command {
  const environment = { ...minimalSettings(), PORT: '0', METRICS_PORT: 'off', DATABASE_URL: `file:${path}` };
  return new Command(t, ['proxy'], {
    environment: environment as Record<string, string>,
    node: ['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
  });
}

describe('a proxy that starts on a full disk', { timeout: 60_000 }, () => {
  it('says so in one line, exits with 1, and leaves nothing that stands in the way once there is room', async (t) => {
    const path = join(scratchFolder(), 'inventory.sqlite');

    const command = startOnDisk(t, path, fullAfter(0));

    assert.equal(await command.exitCode(), 1);
    assert.equal(command.stderr, `no space left for ${path}\n`);
    assert.equal(command.stdout, '');
    openDatabase(path).close();
  });

  it('brings the tables of an older version up to date whole or not at all, and has their edits once there is room', async (t) => {
    const path = join(scratchFolder(), 'inventory.sqlite');
    const old = new Database(path);
    old.exec(`${MIGRATIONS.slice(0, 6).join(';')}; ${oldItems((id) => `(SELECT key FROM item WHERE id = '${id}')`)}`);
    old.pragma('application_id = 0x566e7674');
    old.pragma('user_version = 6');
    old.close();

    const command = startOnDisk(t, path, fullAfter(1));

    assert.equal(await command.exitCode(), 1);
    assert.equal(command.stderr, `no space left for ${path}\n`);
    const outbox = openSqliteOutbox(path);
    await expectItemsOfVendors(outbox);
    await outbox.close();
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Environment } from '../../../../src/proxy/node/config/env-reader.js';
import { minimalSettings } from '../../../support/minimal-settings.js';
import { body, servePortal } from '../../../support/portal-server.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { Command, runCommand } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const GRANT = body('{"access_token":"canary-token","token_type":"Bearer"}', 'application/json');

async function check(t: TestContext, databaseUrl: string): Promise<{ readonly code: number; readonly line: string }> {
  const { code, printed } = await runCommand(['check'], await settingsFor(t, databaseUrl));
  assert.match(printed, /Token with the first secret: granted\./);
  return { code, line: /^Database: .*$/m.exec(printed)?.[0] ?? printed };
}

async function settingsFor(t: TestContext, databaseUrl: string): Promise<Environment> {
  const portal = await servePortal(t, GRANT);
  return { ...minimalSettings(), PORTAL_BASE_URL: portal.url, DATABASE_URL: databaseUrl };
}

describe('vendor-inventory check with an SQLite file', () => {
  it('prints the path and does not open the file, which a proxy may use', async (t) => {
    const path = join(scratchFolder(), 'inventory.sqlite');

    const { code, line } = await check(t, `file:${path}`);

    assert.equal(line, `Database: the file ${path}. Not opened, since a proxy may have it.`);
    assert.equal(code, 0);
  });

  it('exits with 1 if the folder of the file does not exist', async (t) => {
    const folder = join(scratchFolder(), 'missing');

    const { code, line } = await check(t, `file:${folder}/inventory.sqlite`);

    assert.equal(line, `Database: there is no folder ${folder}. Check DATABASE_URL.`);
    assert.equal(code, 1);
  });
});

describe('vendor-inventory check with a PostgreSQL database', () => {
  let server: PostgresServer;
  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.stop());

  it('queries the database and creates nothing in it', async (t) => {
    const url = await server.newDatabase();

    const { code, line } = await check(t, url);

    assert.equal(line, 'Database: PostgreSQL answers, and its settings keep what it takes.');
    assert.equal(code, 0);
    const schemas = await server.queryIn(url, "SELECT FROM pg_namespace WHERE nspname = 'vendor_inventory'");
    assert.equal(schemas.length, 0);
  });

  it('leaves no connection open, so that the process exits', async (t) => {
    const settings = await settingsFor(t, await server.newDatabase());
    const command = new Command(t, ['check'], { environment: settings as Record<string, string> });

    assert.equal(await command.exitCode(), 0);
  });

  it('exits with 1 if its role may not create tables, or if commits are not durable', async (t) => {
    const url = await server.newDatabase();
    await server.query("CREATE ROLE guest LOGIN PASSWORD 'canary-password'");
    const asGuest = url.replace(/\/\/[^@]+@/, '//guest:canary-password@');

    const refused = await check(t, asGuest);
    await server.query('ALTER ROLE guest SET synchronous_commit = off');
    const loses = await check(t, asGuest);

    assert.match(refused.line, /no tables can be made in vendor_inventory; the role needs CREATE on the database/);
    assert.match(loses.line, /synchronous_commit = off: a crash would lose what was promised/);
    assert.deepEqual([refused.code, loses.code], [1, 1]);
    assert.doesNotMatch(refused.line + loses.line, /canary/);
  });

  it('exits with 1 if the database cannot be reached, and does not print its password', async (t) => {
    const { code, line } = await check(t, 'postgres://inventory:canary-password@127.0.0.1:9/inventory');

    assert.match(line, /^Database: .*ECONNREFUSED.*\. Check DATABASE_URL\.$/);
    assert.doesNotMatch(line, /canary/);
    assert.equal(code, 1);
  });
});

import assert from 'node:assert/strict';
import { EventEmitter, on } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { settingFile } from '../../../support/minimal-settings.js';
import { GRANT } from '../../../support/portal-by-profile.js';
import { servePortal, status } from '../../../support/portal-server.js';
import { startProxyProcess, type StartedProxy } from '../../../support/started-proxy.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

/** More than any test here takes: no call ends by itself. */
const PATIENT = JSON.stringify({ timeouts: { call_ms: 600_000 }, limits: { calls_per_second: 1000 } });
/** What the command gives itself to stop. */
const LIMIT_MS = 20_000;

interface Stand extends StartedProxy {
  /** Path of its database. */
  readonly database: string;
  /** Resolves to the next call at the portal, which has no answer but what the test gives. */
  nextCall(): Promise<ServerResponse>;
}

/** With an edit on its way to a portal that does not answer. @returns the answer that it waits for, too */
async function startBeforeSilence(t: TestContext): Promise<Stand & { readonly update: ServerResponse }> {
  const emitter = new EventEmitter();
  const calls = on(emitter, 'call');
  const portal = await servePortal(t, (response) => emitter.emit('call', response));
  const nextCall = async (): Promise<ServerResponse> => {
    const { value } = (await calls.next()) as { readonly value: readonly [ServerResponse] };
    return value[0];
  };
  const database = join(scratchFolder(), 'inventory.sqlite');
  const proxy = await startProxyProcess(t, {
    PORTAL_BASE_URL: portal.url,
    PORTAL_PROFILE: settingFile(PATIENT),
    DATABASE_URL: `file:${database}`,
  });
  assert.equal(await proxy.send('kayak'), 202);
  const token = await nextCall();
  GRANT(token, token.req);
  return { ...proxy, database, nextCall, update: await nextCall() };
}

describe('a proxy that is told to stop while a call has no answer', { concurrency: 5, timeout: 60_000 }, () => {
  it('waits for the answer, writes it down, and ends with 0', async (t) => {
    const { command, database, turnsAway, update } = await startBeforeSilence(t);
    command.signal('SIGTERM');
    await turnsAway();

    status(200)(update, update.req);

    assert.equal(await command.exitCode(), 0);
    assert.match(command.stdout, /"msg":"proxy stopped"/);
    assert.equal(command.stderr, '');
    const outbox = openSqliteOutbox(database);
    const [edit] = await outbox.history('boat-tours', { limit: 1 });
    await outbox.close();
    assert.equal(edit?.state, 'delivered');
  });

  for (const [first, second] of [
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGINT'],
  ] as const) {
    it(`is still there after ${first}, and ends at once with 1 at ${second}`, async (t) => {
      const { command, turnsAway, nextCall, update } = await startBeforeSilence(t);
      command.signal(first);
      await turnsAway();
      // Only who is still there asks for another token where the portal does not take the one it gave.
      status(401)(update, update.req);
      await nextCall();
      const told = performance.now();

      command.signal(second);

      assert.equal(await command.exitCode(), 1);
      assert.ok(performance.now() - told < LIMIT_MS / 2, 'the signal ended it, not the limit');
      assert.doesNotMatch(command.stdout, /proxy stopped/);
      assert.equal(command.stderr, '');
    });
  }

  // In real time: nobody can set the limit, and what stops the container waits no longer than the clock on the wall says.
  it('gives up after 20 seconds, and ends with 1', async (t) => {
    const { command } = await startBeforeSilence(t);
    const told = performance.now();

    command.signal('SIGTERM');

    assert.equal(await command.exitCode(), 1);
    const waited = performance.now() - told;
    // A timer goes by the clock of its loop, which may lag a little behind ours.
    assert.ok(waited > LIMIT_MS - 100 && waited < LIMIT_MS + 8_000, `it took ${String(waited)} ms`);
    assert.doesNotMatch(command.stdout, /proxy stopped/);
    assert.equal(command.stderr, '');
  });
});

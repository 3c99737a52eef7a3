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

/** Call timeouts longer than any test, so that no call ends by itself. */
const PATIENT = JSON.stringify({ timeouts: { call_ms: 600_000 }, limits: { calls_per_second: 1000 } });
/** The time limit of a stop of the command. */
const LIMIT_MS = 20_000;
const LIMIT_AT_ONCE = limitAfter(0);
const LIMIT_NEVER = limitAfter(2 ** 31 - 1);

interface Fixture extends StartedProxy {
  /** Path of its database. */
  readonly database: string;
  /** Resolves to the response of the next portal call, which the test has to send. */
  nextCall(): Promise<ServerResponse>;
}

/** Starts a proxy with a portal call in flight. @returns also the response that the proxy waits for */
async function startBeforeSilence(
  t: TestContext,
  node: readonly string[],
): Promise<Fixture & { readonly update: ServerResponse }> {
  const emitter = new EventEmitter();
  const calls = on(emitter, 'call');
  const portal = await servePortal(t, (response) => emitter.emit('call', response));
  const nextCall = async (): Promise<ServerResponse> => {
    const { value } = (await calls.next()) as { readonly value: readonly [ServerResponse] };
    return value[0];
  };
  const database = join(scratchFolder(), 'inventory.sqlite');
  const settings = {
    PORTAL_BASE_URL: portal.url,
    PORTAL_PROFILE: settingFile(PATIENT),
    DATABASE_URL: `file:${database}`,
  };
  const proxy = await startProxyProcess(t, settings, { node });
  assert.equal(await proxy.send('kayak'), 202);
  const token = await nextCall();
  GRANT(token, token.req);
  return { ...proxy, database, nextCall, update: await nextCall() };
}

describe('a proxy that stops while a portal call is in flight', { concurrency: 5 }, () => {
  it('waits for the response, stores the outcome and exits with 0', async (t) => {
    const { command, database, hasStoppedListening, update } = await startBeforeSilence(t, LIMIT_NEVER);
    command.signal('SIGTERM');
    await hasStoppedListening();

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
    it(`keeps running after ${first}, and exits at once with 1 after ${second}`, async (t) => {
      const { command, hasStoppedListening, nextCall, update } = await startBeforeSilence(t, LIMIT_NEVER);
      command.signal(first);
      await hasStoppedListening();
      // A process that still runs requests another token when the portal rejects its token.
      status(401)(update, update.req);
      await nextCall();

      command.signal(second);

      assert.equal(await command.exitCode(), 1);
      assert.doesNotMatch(command.stdout, /proxy stopped/);
      assert.equal(command.stderr, '');
    });
  }

  it('exits with 1 after 20 seconds without a response', async (t) => {
    const { command } = await startBeforeSilence(t, LIMIT_AT_ONCE);

    command.signal('SIGTERM');

    assert.equal(await command.exitCode(), 1);
    assert.doesNotMatch(command.stdout, /proxy stopped/);
    assert.equal(command.stderr, '');
  });
});

/** Arguments for Node that replace the time limit of a stop, so that no test waits in real time. */
function limitAfter(milliseconds: number): readonly string[] {
  const preload = `const { setTimeout: original } = globalThis;
    globalThis.setTimeout = (callback, after, ...rest) =>
      original(callback, after === ${String(LIMIT_MS)} ? ${String(milliseconds)} : after, ...rest);`;
  return ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
}

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import { openPostgresOutbox } from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import type { Outbox } from '../../../../src/proxy/outbox/outbox.js';
import { portalProfile } from '../../../../src/proxy/portal/profile.js';
import { openProxy } from '../../../support/open-proxy.js';
import { batch, edit } from '../../outbox/outbox-contract.js';
import { PostgresServer } from '../../../support/postgres-server.js';

const CALLS_PER_SECOND = 20;
/** More vendors than one proxy serves at the same time, and enough that the time of the start hardly counts. */
const VENDORS = 60;
/** Longer than the start of the other proxy takes on a busy machine. */
const CALL_MS = 120_000;

const server = await PostgresServer.start();
after(() => server.stop());

describe('two proxies on one PostgreSQL', () => {
  it('share the rate limit of one credential', async (t) => {
    const schema = server.newSchema();
    const open = (): Promise<Outbox> => openPostgresOutbox(server.url, { schema });
    const outboxes = [await open(), await open()] as const;
    for (let nth = 0; nth < VENDORS; nth += 1) {
      const vendor = `vendor-${String(nth)}`;
      await outboxes[0].accept(batch([edit('kayak', true)], { vendor, lane: vendor }));
    }
    const calls: { readonly proxy: Outbox; readonly at: number }[] = [];
    const profile = portalProfile.parse({
      update: { path: '/v1/{vendor}/inventory' },
      limits: { calls_per_second: CALLS_PER_SECOND },
      timeouts: { call_ms: CALL_MS },
    });
    const calling = new EventEmitter();
    const bothCall = once(calling, 'both');
    // The rate counts from before the first call, so that a delay here only lowers it.
    const began = performance.now();
    for (const outbox of outboxes) {
      const portal: typeof fetch = (url) => {
        if (String(url).includes('token')) return Promise.resolve(Response.json({ access_token: 'token' }));
        calls.push({ proxy: outbox, at: performance.now() });
        if (new Set(calls.map(({ proxy }) => proxy)).size === 2) calling.emit('both');
        // The calls wait until both proxies have made one, so that a proxy that starts late still finds edits.
        return bothCall.then(() => Response.json({}));
      };
      openProxy(t, { outbox, clock: systemClock, profile, fetch: portal }).proxy.start();
    }

    while ((await outboxes[0].count()).delivered < VENDORS) await sleep(20);

    const seconds = ((calls.at(-1)?.at ?? 0) - began) / 1000;
    const pace = (calls.length - 1) / seconds;
    assert.equal(calls.length, VENDORS);
    assert.ok(pace < 1.25 * CALLS_PER_SECOND, `${pace.toFixed(1)} calls a second`);
  });
});

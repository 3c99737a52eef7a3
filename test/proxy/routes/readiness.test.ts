import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { problem } from '../../../src/contract/problem.js';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { StorageFailed, type Outbox } from '../../../src/proxy/outbox/outbox.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { UnreliablePortal } from '../../support/unreliable-portal.js';
import { leaseLane } from '../../support/lease-lane.js';

const MINUTE = 60_000;

describe('the readiness check', () => {
  it('is ready before the first call to the portal', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();

    assert.deepEqual(await readiness(fixture), [200, 'ready']);
  });

  it('is ready after an idle hour', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();

    await fixture.clock.pass(60 * MINUTE);

    assert.deepEqual(await readiness(fixture), [200, 'ready']);
  });

  it('is degraded while the credential of one vendor is rejected, even if edits of another are delivered', async (t) => {
    const wrong = [{ clientId: 'boat-tours', clientSecret: new Secret('wrong') }];
    const { account } = new UnreliablePortal(new VirtualClock());
    const fixture = openProxy(t, { portal: { ...account, byVendor: new Map([['boat-tours', wrong]]) } });
    fixture.proxy.start();
    for (const vendor of ['boat-tours', 'guest-house']) {
      const inventory = [{ id: `kayak-of-${vendor}`, available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
      await fixture.ask('POST', '/v1/inventory', { token: await embedToken({ vendor }), body: { inventory } });
      await fixture.clock.pass(2_000);
    }

    assert.equal((await fixture.outbox.count()).delivered, 1);
    assert.deepEqual(await readiness(fixture), [200, 'degraded']);
  });

  it('fails before delivery runs', async (t) => {
    await expectStopped(openProxy(t));
  });

  it('fails once the proxy stops', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();

    await fixture.proxy.stop();

    await expectStopped(fixture);
  });

  it('fails when delivery is stuck', async (t) => {
    const questions = new EventEmitter();
    const leaseLanes = async () => (await once(questions, 'answered'), []);
    const stuck = openProxy(t, { outbox: outboxThat({ leaseLanes }) });
    stuck.proxy.start();

    await stuck.clock.pass(MINUTE);
    const atFirst = await readiness(stuck);
    await stuck.clock.pass(MINUTE);

    assert.deepEqual(atFirst, [200, 'ready']);
    await expectStopped(stuck);
    assert.equal((await stuck.proxy.status()).delivering, false);
    questions.emit('answered');
  });

  it('fails when delivery cannot write, as on a full disk', async (t) => {
    const full = openProxy(t, { outbox: outboxThat({ leaseLanes: () => Promise.reject(new StorageFailed('full')) }) });
    full.proxy.start();

    await full.clock.pass(2 * MINUTE);

    await expectStopped(full);
    assert.ok(full.log.some(({ event }) => event === 'delivery cannot use the outbox'));
  });

  it('is ready after the portal accepted an update', async (t) => {
    const fixture = openProxy(t);

    await deliver(fixture);

    assert.deepEqual(await readiness(fixture), [200, 'ready']);
  });

  it('is degraded while the portal is down, with status 200 because edits are still accepted', async (t) => {
    const fixture = openProxy(t);
    await fixture.portal.misbehave({ down: true });

    await deliver(fixture);

    assert.deepEqual(await readiness(fixture), [200, 'degraded']);
  });

  it('is not degraded by one item that the portal rejects', async (t) => {
    const fixture = openProxy(t);
    await fixture.portal.misbehave({ refuse_items: ['kayak'] });

    await deliver(fixture);

    assert.deepEqual(await readiness(fixture), [200, 'ready']);
  });

  it('is no longer degraded once another process has delivered the edit', async (t) => {
    const fixture = openProxy(t);
    await fixture.portal.misbehave({ down: true });
    await deliver(fixture);
    const before = await readiness(fixture);
    const later = fixture.clock.wall() + MINUTE;
    const lease = await leaseLane(fixture.outbox, { now: later, leaseMs: MINUTE, uncertainMs: MINUTE });
    assert.ok(lease);
    const open = await fixture.outbox.beginAttempt(lease, await fixture.outbox.due(lease, later, 1), later);

    const delivered = open.map((edit) => ({ edit, kind: 'delivered' }) as const);
    await fixture.outbox.recordOutcomes(lease, delivered, later);
    await fixture.outbox.releaseLease(lease, lease.state);

    assert.deepEqual(before, [200, 'degraded']);
    assert.deepEqual(await readiness(fixture), [200, 'ready']);
  });

  it('fails when the storage fails, and the liveness check does not', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();
    await fixture.outbox.close();

    const answer = await fixture.ask('GET', '/readyz');

    assert.equal(answer.status, 503);
    assert.equal(problem.parse(await answer.json()).code, 'storage_unavailable');
    assert.equal((await fixture.ask('GET', '/livez')).status, 200);
  });
});

describe('a proxy that fails', () => {
  it('answers storage_unavailable with Retry-After while its storage fails', async (t) => {
    const fixture = openProxy(t);
    await fixture.outbox.close();

    const answer = await edit(fixture);

    const { retryable } = await expectProblem(answer, 'storage_unavailable');
    assert.equal(retryable, true);
    assert.equal(answer.headers.get('Retry-After'), '5');
  });

  it('hides the cause of an internal error from the caller, and logs it', async (t) => {
    const fixture = openProxy(t, {
      itemCatalog: {
        itemsOf: () => Promise.reject(new TypeError('cannot read the colour of undefined')),
        ownerOf: () => undefined,
        byVendor: true,
        isRead: () => false,
        readAgain: () => Promise.resolve(false),
        onRead: () => undefined,
        reload: () => undefined,
      },
    });

    const answer = await fixture.ask('GET', '/v1/inventory', { token: await embedToken() });

    assert.doesNotMatch(await answer.clone().text(), /colour/);
    const { request_id } = await expectProblem(answer, 'internal');
    const line = fixture.log.find(({ code }) => code === 'internal');
    assert.equal(line?.request_id, request_id);
    assert.match(line.error ?? '', /colour/);
  });
});

/** A store that works but for this. */
function outboxThat(fails: Partial<Outbox>): Outbox {
  return { ...openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite')), ...fails };
}

async function edit(fixture: OpenProxy): Promise<Response> {
  const body = { inventory: [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };
  return fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body });
}

async function deliver(fixture: OpenProxy): Promise<void> {
  await edit(fixture);
  fixture.proxy.start();
  await fixture.clock.everybodySleeps();
}

async function expectStopped({ ask }: OpenProxy): Promise<void> {
  const answer = await ask('GET', '/readyz');
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('Retry-After'), '5');
  assert.equal(problem.parse(await answer.json()).code, 'delivery_stopped');
}

async function readiness({ ask }: OpenProxy): Promise<[number, unknown]> {
  const answer = await ask('GET', '/readyz');
  return [answer.status, ((await answer.json()) as { status: unknown }).status];
}

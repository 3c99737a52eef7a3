import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A proxy with a portal that answers 202 to each update. */
async function open(t: TestContext, profile: object): Promise<OpenProxy> {
  const fixture = openProxy(t, { profile: portalProfile.parse(profile) });
  const { portal } = fixture;
  await portal.fetch(`${portal.account.baseUrl}/sandbox/habits`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ taken_status: 202 }),
  });
  fixture.proxy.start();
  return fixture;
}

async function post({ ask }: OpenProxy, available: boolean): Promise<Receipt> {
  const inventory = [{ id: 'kayak', available, updated_at: '2026-11-21T08:30:00.000Z' }];
  const response = await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
  const [receipt] = receipts.parse(await response.json()).receipts;
  assert.ok(receipt);
  return receipt;
}

async function receiptOf({ ask }: OpenProxy, { edit_id }: Receipt): Promise<Partial<Receipt>> {
  const response = await ask('GET', `/v1/receipts?ids=${edit_id}`, { token: await embedToken() });
  const [now] = receipts.parse(await response.json()).receipts;
  return { ...now };
}

describe('an update that a portal has only accepted, by its status', () => {
  const BY_STATUS = { statuses: { 202: 'accepted' } };

  it('stays received with the reason portal_confirms, and is not sent again', async (t) => {
    const fixture = await open(t, BY_STATUS);

    const edit = await post(fixture, true);
    await fixture.clock.pass(5 * MINUTE);
    const { state, reason, delayed } = await receiptOf(fixture, edit);

    assert.deepEqual([state, reason, delayed], ['received', 'portal_confirms', undefined]);
    assert.equal(fixture.portal.updateCalls, 1);
  });

  it('is delivered after the time that the profile sets, and not before', async (t) => {
    const fixture = await open(t, { ...BY_STATUS, confirmation: { after_ms: 2 * MINUTE } });

    const edit = await post(fixture, true);
    await fixture.clock.pass(MINUTE);
    const before = await receiptOf(fixture, edit);
    await fixture.clock.pass(2 * MINUTE);
    const after = await receiptOf(fixture, edit);

    assert.deepEqual([before.state, after.state, after.reason], ['received', 'delivered', undefined]);
    assert.equal(fixture.portal.updateCalls, 1);
  });

  it('does not delay a newer edit of its item, and is superseded by it', async (t) => {
    const fixture = await open(t, BY_STATUS);
    const older = await post(fixture, true);
    await fixture.clock.pass(5 * SECOND);

    const newer = await post(fixture, false);
    await fixture.clock.pass(5 * SECOND);

    assert.equal((await receiptOf(fixture, older)).state, 'superseded');
    assert.equal((await receiptOf(fixture, newer)).reason, 'portal_confirms');
    assert.deepEqual(
      (await fixture.portal.items()).map(({ by_arrival }) => by_arrival.available),
      [false],
    );
    const { received, superseded } = await fixture.outbox.count();
    assert.deepEqual([received, superseded], [1, 1]);
  });

  it('does not count as waiting for long', async (t) => {
    const fixture = await open(t, BY_STATUS);

    await post(fixture, true);
    await fixture.clock.pass(5 * MINUTE);

    assert.equal((await fixture.outbox.count()).oldestWaiting, undefined);
  });
});

describe('an update that a portal has only accepted, by a value of its response', () => {
  it('stays received with the reason portal_confirms', async (t) => {
    const fixture = await open(t, { success: { status: '/status', accepted: ['ok'] } });

    const edit = await post(fixture, true);
    await fixture.clock.pass(MINUTE);
    const { state, reason } = await receiptOf(fixture, edit);

    assert.deepEqual([state, reason], ['received', 'portal_confirms']);
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId } from '../../../src/domain/item.js';
import { webDigest } from '../../../src/proxy/runtime/hash.js';
import type { ProxyOptions } from '../../../src/proxy/options.js';
import { createItemCatalog, type ItemCatalog } from '../../../src/proxy/access/item-catalog.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** The pottery has a credential, and so a lane, of its own. */
const POTTERY_APART: ProxyOptions['portal'] = {
  baseUrl: 'https://portal.test',
  credentials: [{ clientId: 'guest-house', clientSecret: new Secret('portal-secret-that-is-not-one') }],
  byVendor: new Map([['pottery', [{ clientId: 'pottery', clientSecret: new Secret('another-secret') }]]]),
};

interface Fixture extends OpenProxy {
  readonly source: ItemCatalog;
  /** Reads the lists that the operator has corrected. @param isIsolated default: no vendor is kept apart */
  readonly readLists: (isIsolated?: (vendor: string) => boolean) => Promise<void>;
  /** Whose updates of the kayak have left, by what they say. */
  readonly sent: readonly string[];
  /** Pottery posts; while its call waits at this path of the portal, the list is read. */
  readonly postBeforeListIsRead: (path: string, ids: readonly string[]) => Promise<readonly Receipt[]>;
  readonly post: (vendor: string, available: boolean, ids?: readonly string[]) => Promise<Response>;
  readonly told: (vendor: string, edits: readonly Receipt[]) => Promise<(readonly [string, string | undefined])[]>;
}

/** The kayak is in the list of the pottery, until the operator puts it into that of the boat tours. */
function openFixture(t: TestContext, options: Partial<ProxyOptions> = {}): Fixture {
  const clock = new VirtualClock(Date.now());
  const lists: Record<string, readonly string[]> = { pottery: ['jug', 'kayak', 'vase', 'bowl'] };
  const source = createItemCatalog({
    byVendor: true,
    read: (vendor) => Promise.resolve({ items: (lists[vendor] ?? []).map((id) => ({ id: id as ItemId })) }),
    clock,
    log: () => undefined,
  });
  const sent: string[] = [];
  let blocked = { path: ' ', gate: Promise.resolve() };
  const opened = openProxy(t, {
    clock,
    itemCatalog: source,
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      if (pathname === blocked.path) await blocked.gate;
      const [, available] = /"kayak","available":(true|false)/.exec(String(init?.body)) ?? [];
      if (available !== undefined) sent.push(available);
      return opened.portal.fetch(input, init);
    },
    ...options,
  });
  const fixture: Fixture = {
    ...opened,
    source,
    sent,
    async readLists(isIsolated) {
      Object.assign(lists, { pottery: ['jug', 'vase', 'bowl'], 'boat-tours': ['kayak'] });
      source.reload();
      for (const vendor of ['pottery', 'boat-tours']) await source.itemsOf(vendor, isIsolated);
      await clock.pass(0);
    },
    async postBeforeListIsRead(path, ids) {
      let letThrough = (): void => undefined;
      blocked = { path, gate: new Promise((resolve) => (letThrough = resolve)) };
      const edits = await receiptsIn(await fixture.post('pottery', false, ids));
      await clock.pass(SECOND);
      await fixture.readLists();
      letThrough();
      await clock.pass(MINUTE);
      return edits;
    },
    async post(vendor, available, ids = ['kayak']) {
      const token = await embedToken({ vendor, subject: vendor });
      const inventory = ids.map((id) => ({ id, available, updated_at: '2026-11-21T08:30:00.000Z' }));
      return opened.ask('POST', '/v1/inventory', { token, body: { inventory } });
    },
    async told(vendor, edits) {
      const token = await embedToken({ vendor, subject: vendor });
      const ids = edits.map(({ edit_id }) => edit_id).join(',');
      const answer = await opened.ask('GET', `/v1/receipts?ids=${ids}`, { token });
      return (await receiptsIn(answer)).map(({ state, reason }) => [state, reason] as const);
    },
  };
  return fixture;
}

async function receiptsIn(answer: Response): Promise<readonly Receipt[]> {
  return receipts.parse(await answer.json()).receipts;
}

describe('an edit of an item that the list assigns to another vendor by now', () => {
  it('is refused and never sent, and the other edits of its batch are delivered', async (t) => {
    const { clock, portal, proxy, readLists, sent, post, told } = openFixture(t);
    proxy.start();
    portal.networkFault = 'unreachable';
    const edits = await receiptsIn(await post('pottery', false, ['jug', 'kayak', 'vase']));
    await clock.pass(SECOND);
    await readLists();
    const before = sent.length;
    portal.networkFault = 'none';
    await clock.pass(10 * MINUTE);

    assert.equal(sent.length, before);
    assert.deepEqual(await told('pottery', edits), [
      ['delivered', undefined],
      ['refused', 'item_unknown'],
      ['delivered', undefined],
    ]);
  });

  it('is refused even if the list was read while its call waited for a token', async (t) => {
    const { proxy, postBeforeListIsRead, sent, told } = openFixture(t);
    proxy.start();
    const edits = await postBeforeListIsRead('/v1/oauth/token', ['jug', 'kayak']);

    assert.deepEqual(sent, []);
    assert.deepEqual(await told('pottery', edits), [
      ['delivered', undefined],
      ['refused', 'item_unknown'],
    ]);
  });

  it('is refused again, and never sent, if an operator retries it without the lists', async (t) => {
    const { clock, outbox, portal, proxy, readLists, sent, post, told } = openFixture(t);
    proxy.start();
    portal.networkFault = 'unreachable';
    const [edit] = await receiptsIn(await post('pottery', false));
    assert.ok(edit);
    await clock.pass(SECOND);
    await readLists();
    portal.networkFault = 'none';
    await clock.pass(2 * MINUTE);
    const before = sent.length;

    const again = { kind: 'retry', newId: 'again' as EditId, portalOffset: 0, timestampUnit: 1000 } as const;
    const decision = { vendor: 'pottery', by: 'operator', editId: edit.edit_id, verdict: again, now: clock.wall() };
    await outbox.decide(decision);
    await clock.pass(2 * MINUTE);

    assert.equal(sent.length, before);
    const states = await told('pottery', [edit, { ...edit, edit_id: again.newId }]);
    assert.deepEqual(states.at(-1), ['refused', 'item_unknown']);
  });

  it('is refused in the middle of a batch that is being split', async (t) => {
    const { clock, log, portal, proxy, postBeforeListIsRead, sent, post, told } = openFixture(t);
    proxy.start();
    await post('pottery', true, ['bowl']);
    await clock.pass(SECOND);
    await portal.misbehave({ refuse_items: ['jug'] });
    const edits = await postBeforeListIsRead('/v1/inventory', ['jug', 'kayak']);

    assert.deepEqual(sent, ['false'], 'with the whole batch, which was refused');
    assert.ok(!log.some(({ error }) => error !== undefined), 'and no call is tried with it');
    assert.deepEqual(await told('pottery', edits), [
      ['refused', 'item_refused'],
      ['refused', 'item_unknown'],
    ]);
  });

  it('is refused if a reload puts two separated vendors into one lane', async (t) => {
    const { clock, portal, proxy, readLists, sent, post, told } = openFixture(t, { portal: POTTERY_APART });
    await readLists((vendor) => vendor === 'pottery');
    proxy.start();
    portal.networkFault = 'unreachable';
    const edits = await receiptsIn(await post('pottery', false));
    await clock.pass(SECOND);
    const before = sent.length;
    proxy.reload(portal.account, portalProfile.parse({}));
    portal.networkFault = 'none';
    await clock.pass(10 * MINUTE);

    assert.equal(sent.length, before);
    assert.deepEqual(await told('pottery', edits), [['refused', 'item_unknown']]);
  });
});

describe('a vendor whose list names an item that another vendor has used', () => {
  it('owns the item from its next edit on, and the other vendor gets item_unknown', async (t) => {
    const { clock, portal, proxy, readLists, post } = openFixture(t);
    proxy.start();
    await post('pottery', false);
    await clock.pass(SECOND);
    await readLists();

    assert.equal((await post('boat-tours', true)).status, 202);
    await expectProblem(await post('pottery', false), 'item_unknown');
    await clock.pass(SECOND);
    const [kayak] = await portal.items();
    assert.equal(kayak?.by_arrival?.available, true);
  });

  it('gets nothing of a batch stored that also names an item of another vendor', async (t) => {
    const { outbox, readLists, post } = openFixture(t);
    await post('pottery', false, ['kayak', 'jug']);
    await readLists();

    const { errors } = await expectProblem(await post('boat-tours', true, ['kayak', 'jug']), 'item_unknown');

    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/inventory/1'],
    );
    assert.equal((await outbox.count()).accepted, 2);
  });
});

describe('a request in progress while a reload puts two vendors into one lane', () => {
  it('is rejected for an item that the list assigns to the other vendor', async (t) => {
    let letThrough = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letThrough = resolve));
    let isHeld = false;
    const { clock, portal, proxy, readLists, sent, post } = openFixture(t, {
      portal: POTTERY_APART,
      digest: async (text) => {
        if (typeof text === 'string' && text.includes('"kayak"')) {
          isHeld = true;
          await gate;
        }
        return webDigest(text);
      },
    });
    await readLists((vendor) => vendor === 'pottery');
    proxy.start();
    await clock.pass(SECOND);
    const asked = post('pottery', false);
    while (!isHeld) await clock.pass(1);
    proxy.reload(portal.account, portalProfile.parse({}));
    letThrough();

    await expectProblem(await asked, 'item_unknown');
    await clock.pass(MINUTE);
    assert.deepEqual(sent, []);
  });
});

import { expect } from '@open-wc/testing';
import { toTimestamp } from '../../../src/domain/item.js';
import type { InventoryStore } from '../../../src/client/store/inventory-store.js';
import { afterThisTest } from '../support/clean-up.js';
import { hearWarnings } from '../support/console-warnings.js';
import { fillStorage } from '../support/failing-storage.js';
import { BOAT, CABIN, KAYAK } from '../support/items.js';
import { openReadyStore, openStore, type OpenStore, untilStatus, untilTruth } from '../support/open-store.js';
import { fakeClock } from '../support/fake-clock.js';
import { fakeProxy, REQUEST_ID } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

/** Resolves at the next notification that meets the condition. For tests with a simulated clock, which cannot poll. */
function nextTime(store: InventoryStore, condition: (changed: unknown) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe((changed) => {
      if (!condition(changed)) return;
      stop();
      resolve();
    });
  });
}

function nextFailure(store: InventoryStore): Promise<void> {
  return nextTime(store, (changed) => changed === undefined && store.snapshot.status === 'unreachable');
}

/** Lets the work of the store proceed to its next request, before which it reads the queue twice. */
async function letItGoOn({ queue }: OpenStore): Promise<void> {
  for (let reads = 0; reads < 5; reads += 1) await queue.rows();
}

/** @param retryAfter in seconds */
function busy(retryAfter?: string): Response {
  const headers = {
    'Content-Type': 'application/problem+json',
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
  };
  const problem = { type: 'about:blank', title: 'Busy', status: 503, code: 'busy', retryable: true };
  return new Response(JSON.stringify(problem), { status: 503, headers });
}

function passTenMinutes(): void {
  const now = performance.now.bind(performance);
  performance.now = () => now() + 10 * 60_000;
  afterThisTest(() => {
    Reflect.deleteProperty(performance, 'now');
  });
}

function leavePage(): Event {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  return event;
}

describe('a page whose proxy cannot verify the session', () => {
  it('does not treat the person as signed out, and retries with the same token', async () => {
    const proxy = fakeProxy();
    proxy.refusal = 'session_unverifiable';
    const clock = fakeClock();
    const { store } = openStore(proxy, proxy.sessionUrl);
    await nextFailure(store);
    const { problem, requestId } = store.snapshot;
    proxy.refusal = undefined;
    clock.advance(30_000);

    await nextTime(store, () => store.snapshot.status === 'ready');

    expect([problem, requestId]).to.deep.equal(['session_unverifiable', REQUEST_ID]);
    expect(proxy.heardOn('POST inventory-session')).to.have.length(1);
  });
});

describe('a page whose proxy cannot be reached', () => {
  it('keeps an edit on this device and sends it when the network is back', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    fakeClock();
    const { store, queue } = openStore(proxy);
    await nextFailure(store);
    await store.set(KAYAK, false);
    const waiting = await queue.rows();
    proxy.down = false;

    dispatchEvent(new Event('online'));

    await nextTime(store, () => store.view(KAYAK).truth === 'received');
    expect(waiting.map(({ id, stage }) => [id, stage])).to.deep.equal([[KAYAK, 'stored']]);
  });

  it('loads again when the person returns to it', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    fakeClock();
    const { store } = openStore(proxy);
    await nextFailure(store);
    await store.set(KAYAK, false);
    proxy.down = false;

    document.dispatchEvent(new Event('visibilitychange'));

    await nextTime(store, () => store.view(KAYAK).truth === 'received');
    expect(store.snapshot.status).to.equal('ready');
  });

  it('requests only the changes when the person returns to it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: true });
    proxy.takeFromElsewhere(KAYAK, true);
    const { store } = await openReadyStore(proxy);
    proxy.takeFromElsewhere(KAYAK, false);

    document.dispatchEvent(new Event('visibilitychange'));

    await until(() => store.view(KAYAK).available === false, 'what changed is shown');
    expect(store.view(BOAT).available).to.equal(true);
    expect(proxy.heardOn('GET v1/inventory').map(({ query }) => query.has('since'))).to.deep.equal([false, true]);
  });

  it('drops a value that was withdrawn, and shows that of the page or the catalog', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: BOAT, available: true, label: 'Boat tour' });
    const { store } = await openReadyStore(proxy);
    for (const id of [KAYAK, BOAT]) proxy.takeFromElsewhere(id, false, 'received');
    document.dispatchEvent(new Event('visibilitychange'));
    await until(() => [KAYAK, BOAT].every((id) => store.view(id).truth === 'received'), 'both edits are shown');

    for (const id of [KAYAK, BOAT]) proxy.withdrawElsewhere(id);
    document.dispatchEvent(new Event('visibilitychange'));

    await until(() => [KAYAK, BOAT].every((id) => store.view(id).truth === undefined), 'nobody has edited them');
    expect(store.view(KAYAK).available).to.equal(undefined);
    expect(store.view(BOAT)).to.include({ available: true, label: 'Boat tour' });
    expect(store.snapshot.openCount).to.equal(0);
  });

  it('requests the whole listing after ten minutes, because changes of the catalog are not listed as changes', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    passTenMinutes();
    proxy.lists({ id: BOAT, label: 'Boat tour' });

    document.dispatchEvent(new Event('visibilitychange'));

    await until(() => store.view(BOAT).label === 'Boat tour', 'what the operator lists is shown');
    expect(proxy.heardOn('GET v1/inventory').map(({ query }) => query.has('since'))).to.deep.equal([false, false]);
  });

  it('drops values that were withdrawn during ten minutes without a request, and no edit that waits here', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: BOAT, available: true, label: 'Boat tour' });
    for (const id of [BOAT, CABIN, KAYAK]) proxy.takeFromElsewhere(id, false);
    const { store } = await openReadyStore(proxy);
    proxy.hold('POST v1/inventory');
    await store.set(CABIN, true);
    passTenMinutes();

    for (const id of [BOAT, CABIN, KAYAK]) proxy.withdrawElsewhere(id);
    document.dispatchEvent(new Event('visibilitychange'));

    await until(() => [BOAT, KAYAK].every((id) => store.view(id).truth === undefined), 'nobody has edited them');
    expect(store.view(KAYAK).available).to.equal(undefined);
    expect(store.view(BOAT)).to.include({ available: true, label: 'Boat tour' });
    expect(store.view(CABIN)).to.include({ available: true, truth: 'on-device' });
    expect(store.snapshot.openCount).to.equal(1);
  });

  it('keeps a value that arrived while the whole listing was loading', async () => {
    const proxy = fakeProxy();
    for (const id of [BOAT, KAYAK]) proxy.takeFromElsewhere(id, false);
    const { store } = await openReadyStore(proxy);
    passTenMinutes();
    for (const id of [BOAT, KAYAK]) proxy.withdrawElsewhere(id);
    const release = proxy.holdAnswers('GET v1/inventory');
    document.dispatchEvent(new Event('visibilitychange'));
    await until(() => proxy.heardOn('GET v1/inventory').length === 2, 'it asks for everything');

    await store.set(KAYAK, true);
    await untilTruth(store, KAYAK, 'received');
    release();

    await until(() => store.view(BOAT).truth === undefined, 'the listing is read');
    expect(store.view(KAYAK)).to.include({ available: true, truth: 'received' });
  });

  it('requests the whole listing if the proxy was restored from a backup, or the person asks for it', async () => {
    const proxy = fakeProxy();
    for (const available of [true, false, true]) proxy.takeFromElsewhere(KAYAK, available);
    const { store } = await openReadyStore(proxy);
    proxy.forgetChanges();
    proxy.knows({ id: KAYAK, available: false, updated_at: toTimestamp(Date.now() + 1000) });

    document.dispatchEvent(new Event('visibilitychange'));
    await until(() => store.view(KAYAK).available === false, 'the copy is shown');
    await store.refresh();

    const asked = proxy.heardOn('GET v1/inventory').map(({ query }) => query.has('since'));
    expect(asked).to.deep.equal([false, true, false, false]);
  });

  it('requests the whole listing again if the person asks for it during a load', async () => {
    const proxy = fakeProxy();
    const { store } = openStore(proxy);
    const release = proxy.holdAnswers('GET v1/inventory');
    await until(() => proxy.heardOn('GET v1/inventory').length === 1, 'it loads');
    proxy.lists({ id: KAYAK, available: true });

    const asked = store.refresh();
    release();
    await asked;

    expect(store.view(KAYAK).available).to.equal(true);
  });

  it('waits as long as the proxy asks, even if an earlier failure had planned a sooner load', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const clock = fakeClock();
    const page = openStore(proxy);
    await nextFailure(page.store);
    proxy.down = false;
    proxy.answers.set('GET v1/session', () => busy('120'));
    await page.store.refresh();
    const asked = proxy.heardOn('GET v1/session').length;

    clock.advance(100_000);
    await letItGoOn(page);
    const early = proxy.heardOn('GET v1/session').length - asked;
    clock.advance(30_000);
    await letItGoOn(page);

    expect([early, proxy.heardOn('GET v1/session').length - asked]).to.deep.equal([0, 1]);
  });

  it('waits as long as the proxy asks, even if the person started the load that failed before', async () => {
    const proxy = fakeProxy();
    const clock = fakeClock();
    proxy.answers.set('GET v1/session', () => busy());
    const release = proxy.holdAnswers('GET v1/session');
    const page = openStore(proxy);
    await letItGoOn(page);
    proxy.answers.set('GET v1/session', () => busy('120'));
    const asked = page.store.refresh();
    release();
    await asked;
    const before = proxy.heardOn('GET v1/session').length;

    clock.advance(100_000);
    await letItGoOn(page);

    expect([before, proxy.heardOn('GET v1/session').length]).to.deep.equal([2, 2]);
  });

  it('does not retry sooner if edits were refused during the load', async () => {
    const proxy = fakeProxy();
    const clock = fakeClock();
    proxy.answers.set('POST v1/inventory', () => busy('120'));
    const release = proxy.holdAnswers('GET v1/inventory');
    const page = openStore(proxy);
    await page.store.set(KAYAK, false);
    const failed = nextFailure(page.store);
    await failed;
    release();
    await nextTime(page.store, () => page.store.snapshot.complete);

    clock.advance(100_000);
    await letItGoOn(page);

    expect([page.store.snapshot.status, proxy.heardOn('POST v1/inventory').length]).to.deep.equal(['unreachable', 1]);
  });

  it('receives changes as soon as its proxy responds again, without waiting for the next attempt of a stream', async () => {
    const proxy = fakeProxy();
    const clock = fakeClock();
    const page = openStore(proxy, undefined, true);
    const listens = async (): Promise<boolean> => {
      for (let looks = 0; looks < 100 && proxy.streams === 0; looks += 1) await page.queue.rows();
      return proxy.streams === 1;
    };
    const heardAtFirst = await listens();
    proxy.down = true;
    const failure = nextFailure(page.store);
    proxy.endStreams();
    for (let tries = 0; tries < 3; tries += 1) {
      await letItGoOn(page);
      clock.advance(1000);
    }
    await failure;
    proxy.down = false;

    await page.store.refresh();

    expect([heardAtFirst, await listens()]).to.deep.equal([true, true]);
  });

  it('retries by itself, at growing intervals of at most half a minute', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const clock = fakeClock();
    const { store } = openStore(proxy);
    const waits: number[] = [];

    for (let failures = 1; failures <= 8; failures += 1) {
      await nextFailure(store);
      // A shorter timer collects what the console says of the cause.
      waits.push(...clock.waits.filter((wait) => wait > 200));
      clock.advance(30_000);
    }

    expect(waits).to.have.length(8);
    for (const [index, wait] of waits.entries()) {
      const most = Math.min(30_000, 1_000 * 2 ** index);
      expect(wait).to.be.within(most / 2, most);
    }
  });

  it('never drops an edit, however much time passes', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    proxy.down = true;
    const clock = fakeClock();
    const failed = nextFailure(store);
    await store.set(KAYAK, false);
    await failed;

    for (let hours = 0; hours < 24; hours += 1) {
      const again = nextFailure(store);
      clock.advance(3_600_000);
      await again;
    }

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('retries less and less often if the proxy responds but accepts no edits', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    proxy.answers.set('POST v1/inventory', () => new Response('full', { status: 503 }));
    const clock = fakeClock();
    const waits: number[] = [];
    const failed = nextFailure(store);
    await store.set(KAYAK, false);
    await failed;

    for (let failures = 1; failures <= 6; failures += 1) {
      waits.push(Math.max(...clock.waits));
      const again = nextFailure(store);
      clock.advance(30_000);
      await again;
    }

    expect(waits[5]).to.be.above(15_000);
    expect(proxy.sent).to.have.length(7);
  });

  it('retries soon after a new failure, if all requests had succeeded before', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    const { store } = page;
    const clock = fakeClock();
    proxy.down = true;
    for (let failures = 1; failures <= 5; failures += 1) {
      const again = nextFailure(store);
      if (failures === 1) void store.refresh();
      else clock.advance(30_000);
      await again;
    }
    proxy.down = false;
    const ready = nextTime(store, () => store.snapshot.status === 'ready');
    clock.advance(30_000);
    await ready;
    await letItGoOn(page);
    const received = nextTime(store, () => store.view(KAYAK).truth === 'received');
    await store.set(KAYAK, false);
    await received;
    // Set once the receipt of the edit was asked for, which is its last request.
    await clock.untilSet(1_000);
    await letItGoOn(page);
    proxy.down = true;

    const failed = nextFailure(store);
    await store.set(KAYAK, true);
    await failed;

    expect(Math.max(...clock.waits)).to.be.at.most(1_000);
  });
});

describe('a page whose items cannot be read', () => {
  it('still sends edits, and requests the items less and less often', async () => {
    const proxy = fakeProxy();
    proxy.answers.set('GET v1/inventory', () => new Response('{"inventory":[', { status: 200 }));
    const { store } = openStore(proxy);
    await untilStatus(store, 'unreachable');

    await store.set(KAYAK, false);

    await untilTruth(store, KAYAK, 'received');
    expect(store.snapshot.status).to.equal('unreachable');
  });

  it('yet, because they are many, sends edits in the meantime', async () => {
    const proxy = fakeProxy();
    const release = proxy.hold('GET v1/inventory');
    const { store } = openStore(proxy);
    await until(() => proxy.heardOn('GET v1/inventory').length === 1, 'they are asked for');

    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const during = store.snapshot.status;
    release();

    await untilStatus(store, 'ready');
    expect(during).to.equal('loading');
  });
});

describe('a listener that is notified of a failure', () => {
  it('may start a load at once', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    fakeClock();
    const { store } = openStore(proxy);
    let asked = Promise.resolve();
    const stop = store.subscribe(() => {
      stop();
      proxy.down = false;
      asked = store.refresh();
    });
    await nextFailure(store);

    await asked;

    expect(store.snapshot.status).to.equal('ready');
  });
});

describe('a page that is opened again', () => {
  it('shows the waiting edits, and sends them', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    proxy.down = true;
    await page.store.set(KAYAK, false, 'Kayak tour');
    await untilStatus(page.store, 'unreachable');
    page.close();
    proxy.down = false;
    const release = proxy.hold('POST v1/inventory');

    const { store } = await openReadyStore(proxy);
    const shown = store.view(KAYAK);
    release();
    await untilTruth(store, KAYAK, 'received');

    expect(shown).to.include({ available: false, truth: 'on-device' });
    expect(proxy.accepted.map(({ id, available, label }) => [id, available, label])).to.deep.equal([
      [KAYAK, false, 'Kayak tour'],
    ]);
  });

  it('shows and sends edits that were made before the first response of the proxy', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const page = openStore(proxy);
    await untilStatus(page.store, 'unreachable');
    await page.store.set(KAYAK, false);
    page.close();

    const { store } = openStore(proxy);
    await untilTruth(store, KAYAK, 'on-device');
    proxy.down = false;
    await store.refresh();

    await untilTruth(store, KAYAK, 'received');
    expect(proxy.sent).to.have.length(1);
  });

  it('follows an edit that the proxy had already, and does not send it twice', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    await page.store.set(KAYAK, false);
    await untilTruth(page.store, KAYAK, 'received');
    page.close();
    proxy.settle(KAYAK, 'delivered');

    const { store, queue } = await openReadyStore(proxy);

    await untilTruth(store, KAYAK, 'on-portal');
    await until(async () => (await queue.rows()).length === 0, 'the settled row is gone');
    expect(proxy.sent).to.have.length(1);
  });

  it('resends an edit without a receipt under the same id, so that it counts once', async () => {
    const proxy = fakeProxy();
    proxy.loseAnswers('POST v1/inventory');
    const page = await openReadyStore(proxy);
    await page.store.set(KAYAK, false);
    await untilStatus(page.store, 'unreachable');
    page.close();

    openStore(proxy);
    await until(() => proxy.sent.length === 2, 'the edit has left again');

    expect(proxy.sent[1]).to.deep.equal(proxy.sent[0]);
    expect(proxy.accepted).to.have.length(1);
  });
});

describe('two tabs of one person', () => {
  it('show the same in the end, whichever of them received the receipt', async () => {
    const proxy = fakeProxy();
    const first = await openReadyStore(proxy);
    const second = await openReadyStore(proxy);
    await first.store.set(KAYAK, false);
    await untilTruth(first.store, KAYAK, 'received');
    first.close();
    proxy.settle(KAYAK, 'delivered');
    await second.store.refresh();
    await until(async () => (await second.queue.rows()).length === 0, 'the second tab has settled the edit');

    const leave = first.store.subscribe(() => undefined);

    await untilTruth(first.store, KAYAK, 'on-portal');
    expect(first.store.snapshot.openCount).to.equal(0);
    leave();
  });

  it('both show that an edit needs attention, whichever of them sent it', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const first = await openReadyStore(proxy);
    proxy.down = true;
    await first.store.set(KAYAK, false);
    await untilStatus(first.store, 'unreachable');
    first.close();
    proxy.down = false;
    const second = await openReadyStore(proxy);
    await untilTruth(second.store, KAYAK, 'needs-attention');

    const leave = first.store.subscribe(() => undefined);

    await untilTruth(first.store, KAYAK, 'needs-attention');
    expect(first.store.view(KAYAK).reason).to.equal('item_unknown');
    leave();
  });

  it('do not send at the same time', async () => {
    const proxy = fakeProxy();
    const first = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await first.store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the first tab sends');
    const second = await openReadyStore(proxy);
    await letItGoOn(second);
    const whileTheFirstSends = proxy.sent.length;

    release();
    await untilTruth(second.store, KAYAK, 'received');

    expect(whileTheFirstSends).to.equal(1);
    expect(proxy.sent).to.have.length(1);
  });
});

describe('a page that is closing', () => {
  it('closes without a question if all edits are on the disk', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const { store } = openStore(proxy);
    await store.set(KAYAK, false);

    expect(leavePage().defaultPrevented).to.equal(false);
  });

  it('asks the person while an edit is in memory only, and no longer once the proxy has it', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    fillStorage();
    await store.set(KAYAK, false);
    const whileUnsaved = leavePage().defaultPrevented;

    release();
    await untilTruth(store, KAYAK, 'received');

    expect(whileUnsaved).to.equal(true);
    expect(leavePage().defaultPrevented).to.equal(false);
  });

  it('also asks after its last element was removed, until the disk has the edit, and requests nothing', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    const { store, queue, close } = await openReadyStore(proxy);
    const free = fillStorage();
    proxy.down = true;
    await store.set(KAYAK, false);
    close();
    const whileUnsaved = leavePage().defaultPrevented;
    proxy.down = false;
    const asked = proxy.heardOn('GET v1/session').length;

    dispatchEvent(new Event('online'));
    free();
    await queue.rows();

    expect(whileUnsaved).to.equal(true);
    expect(proxy.heardOn('GET v1/session')).to.have.length(asked);
    expect(leavePage().defaultPrevented).to.equal(false);
  });
});

describe('a page that was closed', () => {
  it('has marked the waiting edits and passed them to the browser, which sends them', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.hold('POST v1/inventory');
    const adding = Promise.all([KAYAK, BOAT].map((id) => store.set(id, false)));

    dispatchEvent(new PageTransitionEvent('pagehide'));
    await until(() => proxy.heardOn('POST v1/inventory').some(({ keepalive }) => keepalive), 'it has left');

    await adding;
    expect((await queue.rows()).map(({ stage }) => stage)).to.deep.equal(['sending', 'sending']);
  });

  it('sends nothing if no edit waits', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);

    dispatchEvent(new PageTransitionEvent('pagehide'));
    await letItGoOn(page);

    expect(proxy.sent).to.deep.equal([]);
  });

  it('loads again when it returns from the back/forward cache', async () => {
    const proxy = fakeProxy();
    await openReadyStore(proxy);

    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));

    await until(() => proxy.heardOn('GET v1/inventory').length === 2, 'it asks again');
  });
});

describe('a store without subscribers', () => {
  it('stops its requests', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    const clock = fakeClock();
    const received = nextTime(page.store, () => page.store.view(KAYAK).truth === 'received');
    await page.store.set(KAYAK, false);
    await received;
    await clock.untilSet(5_000);

    page.close();

    expect(clock.waits).to.deep.equal([]);
  });

  it('stops its requests even if a response is in flight', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    const clock = fakeClock();
    const release = proxy.hold('GET v1/receipts');
    const received = nextTime(page.store, () => page.store.view(KAYAK).truth === 'received');
    await page.store.set(KAYAK, false);
    await received;
    await letItGoOn(page);

    page.close();
    release();
    await letItGoOn(page);

    expect(proxy.heardOn('GET v1/receipts')).to.have.length(1);
    expect(clock.waits).to.deep.equal([]);
  });

  it('stops trying to reach its proxy', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const clock = fakeClock();
    const page = openStore(proxy);
    await nextFailure(page.store);

    page.close();

    expect(clock.waits).to.deep.equal([]);
  });

  it('stops its requests even if the last subscriber leaves during a load', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    await page.store.set(KAYAK, false);
    await untilTruth(page.store, KAYAK, 'received');
    page.close();
    const release = proxy.hold('GET v1/inventory');
    const again = openStore(proxy);
    await until(() => proxy.heardOn('GET v1/inventory').length === 2, 'it is loading');
    again.close();
    proxy.heard.length = 0;

    release();
    await untilStatus(again.store, 'ready');

    await letItGoOn(again);
    expect(proxy.heard).to.deep.equal([]);
  });

  it('has no listener on the page', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    await letItGoOn(page);
    page.close();
    proxy.heard.length = 0;

    dispatchEvent(new Event('online'));
    document.dispatchEvent(new Event('visibilitychange'));

    await letItGoOn(page);
    expect(proxy.heard).to.deep.equal([]);
  });

  it('has sent edits that were made just before, as an application does that navigates after "Save"', async () => {
    const proxy = fakeProxy();
    const { store, close } = await openReadyStore(proxy);

    const adding = store.set(KAYAK, false);
    close();
    await adding;

    await until(() => proxy.sent.length === 1, 'it has left');
  });

  it('continues when an element subscribes again', async () => {
    const proxy = fakeProxy();
    const { store, close } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    close();
    proxy.settle(KAYAK, 'delivered');

    const leave = store.subscribe(() => undefined);
    await untilTruth(store, KAYAK, 'on-portal');
    leave();

    expect(store.snapshot.openCount).to.equal(0);
  });

  it('is one that all subscribers have left, and not one of two', async () => {
    const proxy = fakeProxy();
    const { store, close } = await openReadyStore(proxy);
    const leave = store.subscribe(() => undefined);
    close();
    close();

    await store.set(BOAT, false);

    await untilTruth(store, BOAT, 'received');
    leave();
  });
});

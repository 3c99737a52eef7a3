import { expect } from '@open-wc/testing';
import { toTimestamp } from '../../../src/domain/item.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { yieldToEventLoop } from '../../../src/client/browser/next-frame.js';
import { TabChannel } from '../../../src/client/browser/tab-channel.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, KAYAK } from '../support/items.js';
import { goOffline } from '../support/offline.js';
import { openReadyStore, openStore, type OpenStore, untilStatus, untilTruth } from '../support/open-store.js';
import { BEN, fakeProxy, type FakeProxy } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

/** Holds the response to the next request for the inventory until it is released. Later ones arrive at once. */
async function holdNextListing(proxy: FakeProxy, ask: () => void): Promise<() => void> {
  const asked = proxy.heardOn('GET v1/inventory').length;
  const release = proxy.holdAnswers('GET v1/inventory');
  ask();
  await until(() => proxy.heardOn('GET v1/inventory').length > asked, 'it is asked');
  await yieldToEventLoop();
  proxy.holdAnswers('GET v1/inventory')();
  return release;
}

/** Two tabs of one person, both with live updates. */
async function twoTabs() {
  const proxy = fakeProxy();
  proxy.knows({ id: KAYAK, available: true });
  const open = async () => {
    const page = openStore(proxy, undefined, true);
    await untilStatus(page.store, 'ready');
    return page;
  };
  return { proxy, first: await open(), second: await open() };
}

describe('a change in one tab', () => {
  it('is shown in the other tab, from the device to the portal', async () => {
    const { proxy, first, second } = await twoTabs();
    const seen: unknown[] = [];
    afterThisTest(second.store.subscribe(() => seen.push(second.store.view(KAYAK).truth), KAYAK));
    const release = proxy.hold('POST v1/inventory');

    await first.store.set(KAYAK, false);
    await untilTruth(second.store, KAYAK, 'on-device');
    const shown = second.store.view(KAYAK).available;
    release();
    await untilTruth(second.store, KAYAK, 'received');
    proxy.settle(KAYAK, 'delivered');
    await untilTruth(second.store, KAYAK, 'on-portal');

    expect(shown).to.equal(false);
    expect(new Set(seen)).to.deep.equal(new Set(['on-device', 'received', 'on-portal']));
    expect(proxy.sent).to.have.length(1);
  });

  it('disappears in the other tab when it is withdrawn', async () => {
    const { proxy, first, second } = await twoTabs();
    goOffline();
    proxy.down = true;
    await first.store.set(KAYAK, false);
    await until(() => second.store.view(KAYAK).available === false, 'the other shows it');

    await first.store.set(KAYAK, true);

    await untilTruth(second.store, KAYAK, 'on-portal');
    expect(second.store.view(KAYAK).available).to.equal(true);
    expect(second.store.snapshot.openCount).to.equal(0);
  });

  it('is replaced by a newer edit of the other tab, if it was not sent', async () => {
    const { proxy, first, second } = await twoTabs();
    const goOnline = goOffline();
    proxy.down = true;
    await first.store.set(BOAT, false);
    await until(() => second.store.view(BOAT).available === false, 'the other shows it');
    await second.store.set(BOAT, true);
    await until(() => first.store.view(BOAT).available === true, 'the first shows the newer edit');
    proxy.down = false;
    goOnline();

    await Promise.all([first.store.refresh(), second.store.refresh()]);
    await untilTruth(first.store, BOAT, 'received');
    await untilTruth(second.store, BOAT, 'received');

    expect(proxy.sent.map(({ available }) => available)).to.deep.equal([true]);
  });

  it('is discarded in both tabs', async () => {
    const { proxy, first, second } = await twoTabs();
    proxy.foreign.add(KAYAK);
    await first.store.set(KAYAK, false);
    await untilTruth(second.store, KAYAK, 'needs-attention');

    await second.store.discard(KAYAK);

    await untilTruth(first.store, KAYAK, 'on-portal');
    expect(first.store.view(KAYAK).available).to.equal(true);
  });
});

describe('signing out in one tab', () => {
  it('ends the session of the other tab too, which then requests the person from the host', async () => {
    const proxy = fakeProxy();
    const open = async (): Promise<OpenStore> => {
      const page = openStore(proxy, proxy.sessionUrl, true);
      await untilStatus(page.store, 'ready');
      return page;
    };
    const [first, second] = [await open(), await open()];
    proxy.knows({ id: KAYAK, available: true });
    await until(() => proxy.streams === 1, 'one of them listens');

    await first.store.signOut();
    proxy.person = BEN;
    const owner = second.store.snapshot.owner;
    // Before the message of the other tab arrives, the page still shows the items.
    await until(() => {
      document.dispatchEvent(new Event('visibilitychange'));
      return second.store.snapshot.owner !== owner;
    }, 'somebody else is here');
    await second.store.set(BOAT, false);
    await untilTruth(second.store, BOAT, 'received');

    // The first two are Anna's, one from each tab.
    const [sent] = proxy.heardOn('POST v1/inventory');
    expect(sent?.headers.get('Authorization')).to.match(/^Bearer token-(?![12]$)/);
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([BOAT]);
  });
});

describe('a change by another person', () => {
  it('appears in all tabs over one stream, without another whole listing', async () => {
    const { proxy, first, second } = await twoTabs();
    await until(() => proxy.streams === 1, 'one tab listens');
    const listings = proxy.heardOn('GET v1/inventory').filter(({ query }) => !query.has('since')).length;

    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => first.store.view(KAYAK).available === false, 'the first shows it');
    await until(() => second.store.view(KAYAK).available === false, 'the second shows it');

    const asked = proxy.heardOn('GET v1/inventory').filter(({ query }) => !query.has('since')).length;
    expect(asked).to.equal(listings);
    expect(proxy.streams).to.equal(1);
  });

  it('is loaded after the proxy was restored from a backup, without an event', async () => {
    const { proxy, first, second } = await twoTabs();
    await until(() => proxy.streams === 1, 'one tab listens');
    proxy.takeFromElsewhere(KAYAK, false);
    for (const { store } of [first, second]) await until(() => store.view(KAYAK).available === false, 'it is shown');
    proxy.forgetChanges();
    proxy.knows({ id: KAYAK, available: true, updated_at: toTimestamp(Date.now() + 1000) });

    proxy.say('data: {}\n\n');

    for (const { store } of [first, second]) await until(() => store.view(KAYAK).available === true, 'so is the copy');
  });

  it('is not shown to a person who has signed in before it is reported', async () => {
    const proxy = fakeProxy();
    const { store } = openStore(proxy, undefined, true);
    await untilStatus(store, 'ready');
    await until(() => proxy.streams === 1, 'it listens');
    const release = await holdNextListing(proxy, () => {
      proxy.takeFromElsewhere(KAYAK, false);
    });
    const { owner } = store.snapshot;

    // Another inventory with the same revision.
    proxy.person = BEN;
    proxy.withdrawElsewhere(KAYAK);
    proxy.forgetChanges();
    await store.refresh();
    release();
    await until(() => store.snapshot.owner !== owner && store.snapshot.complete, 'the other person is there');
    await yieldToEventLoop();

    expect([...store.knownIds]).to.deep.equal([]);
  });

  it('is loaded after the proxy has forgotten the revision of the page', async () => {
    const { proxy, first } = await twoTabs();
    await until(() => proxy.streams === 1, 'one tab listens');
    const before = proxy.heardOn('GET v1/session').length;

    proxy.say('event: reset\nid: 1\ndata: {}\n\n');
    await until(() => proxy.heardOn('GET v1/session').length >= before + 2, 'both read everything');

    expect(first.store.snapshot.status).to.equal('ready');
  });
});

describe('a withdrawal in another tab', () => {
  it('leaves an edit as it is that was settled in between, before its receipt arrives', async () => {
    const { proxy, first, second } = await twoTabs();
    proxy.knows({ id: BOAT, available: true });
    proxy.foreign.add(BOAT);
    await first.store.set(BOAT, false);
    await untilTruth(second.store, BOAT, 'needs-attention');
    proxy.portal = 'swift';
    const releases = [proxy.hold('GET v1/receipts'), proxy.hold('GET v1/inventory')];
    await first.store.set(KAYAK, false);
    await until(() => second.queue.known.every(({ id }) => id !== KAYAK) && proxy.accepted.length > 0, 'it is settled');
    await until(() => second.store.view(KAYAK).truth === 'on-device', 'the other has seen it');
    const seen: unknown[] = [];
    afterThisTest(second.store.subscribe(() => seen.push(second.store.view(KAYAK).available), KAYAK));

    await first.store.discard(BOAT);
    await until(() => second.store.view(BOAT).truth !== 'needs-attention', 'the other takes it back, too');

    expect(second.store.view(KAYAK).available).to.equal(false);
    for (const release of releases) release();
    await untilTruth(second.store, KAYAK, 'on-portal');
    expect(new Set(seen)).to.deep.equal(new Set([false]));
  });
});

describe('a change by another person while the whole listing is loading', () => {
  it('is shown in a tab that was just opened and received no message of it', async () => {
    const proxy = fakeProxy();
    proxy.takeFromElsewhere(KAYAK, true);
    const first = openStore(proxy, undefined, true);
    await until(() => proxy.streams === 1, 'one tab listens');
    const opened: OpenStore[] = [];
    const release = await holdNextListing(proxy, () => opened.push(openStore(proxy, undefined, true)));
    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => first.store.view(KAYAK).available === false, 'the first shows it');

    release();

    await until(() => {
      // The proxy sends this every 15 s.
      proxy.say(': still there\n\n');
      return opened.every(({ store }) => store.view(KAYAK).available === false);
    }, 'the other shows it, too');
  });

  it('is still shown after the listing arrives, which is older', async () => {
    const proxy = fakeProxy();
    proxy.takeFromElsewhere(KAYAK, true);
    const { store } = openStore(proxy, undefined, true);
    await until(() => proxy.streams === 1, 'it listens');
    let reading = Promise.resolve();
    const release = await holdNextListing(proxy, () => (reading = store.refresh()));
    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => store.view(KAYAK).available === false, 'it is shown');

    release();
    await reading;

    await until(() => store.view(KAYAK).available === false, 'it is still shown');
  });

  it('is shown if its response arrives after the listing', async () => {
    const proxy = fakeProxy();
    proxy.takeFromElsewhere(KAYAK, true);
    const { store } = openStore(proxy, undefined, true);
    await until(() => proxy.streams === 1, 'it listens');
    proxy.endStreams();
    proxy.takeFromElsewhere(BOAT, true);
    let reading = Promise.resolve();
    const release = await holdNextListing(proxy, () => (reading = store.refresh()));
    await until(() => proxy.streams === 1, 'it listens again');
    const releaseChange = await holdNextListing(proxy, () => {
      proxy.takeFromElsewhere(KAYAK, false);
    });

    release();
    await reading;
    releaseChange();

    await until(() => store.view(KAYAK).available === false, 'it is shown');
  });
});

describe('an edit in delivery', () => {
  /** An edit of the first tab whose receipt was requested already. */
  async function received(): ReturnType<typeof twoTabs> {
    const tabs = await twoTabs();
    const { proxy, first } = tabs;
    await until(() => proxy.streams === 1, 'one tab listens');
    await first.store.set(KAYAK, false);
    await untilTruth(first.store, KAYAK, 'received');
    await until(() => proxy.heardOn('GET v1/receipts').length > 0, 'it is asked for once');
    return tabs;
  }

  it('is updated by events, without a request for its receipt', async () => {
    const { proxy, first } = await received();
    const asked = proxy.heardOn('GET v1/receipts').length;

    proxy.settle(KAYAK, 'delivered');
    await untilTruth(first.store, KAYAK, 'on-portal');

    expect(proxy.heardOn('GET v1/receipts').length - asked).to.be.at.most(1);
    expect(await first.queue.rows()).to.deep.equal([]);
  });

  it('is replaced by a newer edit of another person at once, and not only at the next poll', async () => {
    const { proxy, first } = await received();

    proxy.settle(KAYAK, 'superseded');
    proxy.takeFromElsewhere(KAYAK, true, 'received', 'Ben');

    await until(() => first.store.view(KAYAK).by === 'Ben', 'what counts now is shown');
    expect(first.store.view(KAYAK)).to.include({ available: true, truth: 'received' });
    expect(await first.queue.rows()).to.deep.equal([]);
  });
});

describe('the channel between tabs', () => {
  it('ignores messages that no tab of this widget sends', async () => {
    const page = await openReadyStore(fakeProxy());
    const channel = new TabChannel();
    channel.join(page.queue.owner);
    const heard: unknown[] = [];
    channel.listen((changedByOthers) => heard.push(changedByOthers));
    const stranger = new BroadcastChannel(`vendor-inventory ${page.queue.owner}`);
    afterThisTest(() => {
      channel.leave();
      stranger.close();
    });
    const edit = newEditId();

    for (const changedByOthers of [
      undefined,
      'queue',
      { kind: 'queue' },
      { kind: 'queue', edits: 'all' },
      { kind: 'queue', edits: [edit, '<img>'] },
      { kind: 'queue', edits: Array.from({ length: 1_001 }, newEditId) },
      { kind: '__proto__' },
      { kind: 'settled', edits: [edit] },
    ]) {
      stranger.postMessage(changedByOthers);
    }
    await until(() => heard.length > 0, 'the last one is heard');

    expect(heard).to.deep.equal([{ kind: 'settled', edits: [edit] }]);
  });
});

describe('a page whose last element was removed', () => {
  it('leaves no stream, lock, channel or timer behind', async () => {
    const { proxy, first, second } = await twoTabs();
    await until(() => proxy.streams === 1, 'one tab listens');

    first.close();
    second.close();
    await until(() => proxy.streams === 0, 'the stream has ended');

    await until(async () => {
      const { held = [], pending = [] } = await navigator.locks.query();
      return ![...held, ...pending].some(({ name }) => name?.includes(proxy.url));
    }, 'no lock is left');
  });
});

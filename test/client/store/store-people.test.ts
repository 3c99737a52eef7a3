import { expect } from '@open-wc/testing';
import { hearWarnings } from '../support/console-warnings.js';
import { fillStorage } from '../support/failing-storage.js';
import { BOAT, CABIN, hostSays, KAYAK } from '../support/items.js';
import { openReadyStore, openStore, untilStatus, untilTruth } from '../support/open-store.js';
import { ANNA, BEN, fakeProxy, problemAnswer, type FakeProxy } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

/** Anna has edited the kayak, and the edit waits on this device because the proxy is down. */
async function withWaitingEditOfAnna(proxy: FakeProxy) {
  const page = await openReadyStore(proxy);
  proxy.down = true;
  await page.store.set(KAYAK, false);
  await untilStatus(page.store, 'unreachable');
  return page;
}

describe('another person who signs in', () => {
  it('neither sees nor sends the waiting edits of the first one', async () => {
    const proxy = fakeProxy();
    const { store } = await withWaitingEditOfAnna(proxy);
    proxy.person = BEN;
    proxy.down = false;

    await store.refresh();
    await store.set(BOAT, true);
    await untilTruth(store, BOAT, 'received');

    expect(store.view(KAYAK)).to.include({ available: undefined, truth: undefined });
    expect(proxy.sent.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('leaves them to the first one, who finds and sends them', async () => {
    const proxy = fakeProxy();
    const { store } = await withWaitingEditOfAnna(proxy);
    proxy.person = BEN;
    proxy.down = false;
    await store.refresh();
    proxy.person = ANNA;

    await store.refresh();

    await untilTruth(store, KAYAK, 'received');
    expect(proxy.sent.map(({ id }) => id)).to.deep.equal([KAYAK]);
  });

  it('starts without open edits, and with the items of the page and the proxy only', async () => {
    const proxy = fakeProxy();
    const { store } = await withWaitingEditOfAnna(proxy);
    store.addHostItems(hostSays({ id: BOAT, available: true }));
    proxy.person = BEN;
    proxy.knows({ id: CABIN, available: true });
    proxy.down = false;

    await store.refresh();

    expect(store.snapshot).to.include({ status: 'ready', openCount: 0 });
    expect([...store.knownIds]).to.deep.equal([CABIN]);
    expect(store.view(BOAT).available).to.equal(true);
  });

  it('on the same page is noticed when the token expires, before an edit is sent', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.person = BEN;
    proxy.expireTokens();

    await store.set(KAYAK, false);

    await until(() => store.view(KAYAK).truth === undefined, "the first person's edit is gone from the page");
    await untilStatus(store, 'ready');
    expect(store.snapshot.openCount).to.equal(0);
    expect(proxy.accepted).to.deep.equal([]);
  });

  for (const route of ['GET v1/inventory', 'POST v1/inventory'] as const) {
    it(`does not cause requests without a pause if ${route} never agrees with the session about the person`, async () => {
      const proxy = fakeProxy();
      const { store } = await openReadyStore(proxy);
      proxy.answers.set(route, () => problemAnswer('session_changed'));

      const before = proxy.heardOn('GET v1/session').length;
      const began = performance.now();

      await store.set(KAYAK, false);
      await store.refresh();
      await until(() => proxy.heardOn('GET v1/session').length > before + 1, 'it looks again');

      // Half of the shortest wait: a timer is never early.
      expect(performance.now() - began).to.be.at.least(500);
      expect(store.view(KAYAK).available).to.equal(false);
    });
  }

  it('by cookies in another tab is noticed before an edit is sent', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    proxy.person = BEN;

    await store.set(KAYAK, false);

    await until(() => store.view(KAYAK).truth === undefined, "the first person's edit is gone from the page");
    await untilStatus(store, 'ready');
    expect(proxy.accepted).to.deep.equal([]);
  });

  it('while the page is in the back/forward cache is its person when it returns', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.person = BEN;

    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await store.set(KAYAK, false);

    await until(() => store.snapshot.owner.includes('ben'), 'the other person is known');
    expect(proxy.accepted).to.deep.equal([]);
  });

  it('by cookies does not become the author of edits that a closing page sends', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    proxy.person = BEN;

    dispatchEvent(new PageTransitionEvent('pagehide'));
    await until(() => proxy.heardOn('POST v1/inventory').some(({ keepalive }) => keepalive), 'it has left');
    release();

    await until(() => store.snapshot.owner.includes('ben'), 'the other person is known');
    expect(proxy.accepted).to.deep.equal([]);
  });

  it('by cookies in another tab shows the first one none of their items', async () => {
    const proxy = fakeProxy();
    const { store } = openStore(proxy, undefined, true);
    await until(() => proxy.streams === 1, 'it listens');
    const seen = new Set<string>();
    store.subscribe((id) => {
      if (id === CABIN && store.view(CABIN).available !== undefined) seen.add(store.snapshot.owner);
    });
    proxy.person = BEN;

    proxy.takeFromElsewhere(CABIN, false);

    await until(() => store.view(CABIN).available === false, 'it is shown');
    expect([...seen].map((owner) => owner.includes('ben'))).to.deep.equal([true]);
  });

  it('is served at once, and no problem is reported in between', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.person = BEN;
    proxy.expireTokens();
    const statuses = new Set<string>();
    store.subscribe(() => statuses.add(store.snapshot.status));

    await store.set(KAYAK, false);
    await until(() => store.view(KAYAK).truth === undefined, "the first person's edit is gone from the page");
    await store.set(BOAT, false);
    await untilTruth(store, BOAT, 'received');

    expect([...statuses]).to.deep.equal(['ready']);
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('while the edits of the first one are in flight does not become their author', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy, proxy.sessionUrl);
    const release = proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the edit has left');
    proxy.person = BEN;
    proxy.expireTokens();
    await store.refresh();

    release();
    await store.set(BOAT, true);
    await until(() => proxy.accepted.length > 0, 'an edit is accepted');

    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([BOAT]);
    expect(queue.owner).to.include('ben');
  });

  it('does not see edits in memory, which are still reported as unsaved when the first one returns', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    proxy.down = true;
    fillStorage();
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');
    proxy.down = false;
    proxy.person = BEN;
    await store.refresh();
    const shownToBen = store.view(KAYAK);
    proxy.person = ANNA;
    proxy.hold('POST v1/inventory');

    await store.refresh();

    expect(shownToBen.available).to.equal(undefined);
    expect(store.view(KAYAK)).to.include({ available: false, unsaved: true });
  });
});

describe('a person who is not known yet', () => {
  it('may edit; the edits are theirs once they are known', async () => {
    const proxy = fakeProxy();
    const release = proxy.hold('GET v1/session');
    const { store, queue } = openStore(proxy);
    await store.set(KAYAK, false);
    const before = store.view(KAYAK).truth;

    release();
    await untilTruth(store, KAYAK, 'received');

    expect(before).to.equal('on-device');
    expect((await queue.rows()).map(({ owner }) => owner)).to.deep.equal([
      JSON.stringify([proxy.url, 'person', ANNA.vendor, ANNA.subject]),
    ]);
  });

  it('who turns out to have edits from an earlier visit sends both', async () => {
    const proxy = fakeProxy();
    const page = await withWaitingEditOfAnna(proxy);
    page.close();
    const { store } = openStore(proxy);
    await store.set(BOAT, false);
    proxy.down = false;

    await store.refresh();
    await untilTruth(store, KAYAK, 'received');
    await untilTruth(store, BOAT, 'received');

    // Each is a single choice of its own; only edits of one item have an order.
    expect(proxy.sent.map(({ id }) => id)).to.have.members([KAYAK, BOAT]);
  });
});

describe('a person who is signed out', () => {
  it('is informed, keeps the edits on this device, and sends them after signing in again', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.person = undefined;
    proxy.expireTokens();
    await store.set(KAYAK, false);
    await untilStatus(store, 'signed-out');
    const signedOut = store.view(KAYAK);
    proxy.person = ANNA;

    await store.refresh();

    await untilTruth(store, KAYAK, 'received');
    expect(signedOut).to.include({ available: false, truth: 'on-device' });
    expect(store.snapshot.status).to.equal('ready');
  });
});

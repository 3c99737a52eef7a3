import { expect } from '@open-wc/testing';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { type FeedTimes, ChangeFeed } from '../../../src/client/sync/change-feed.js';
import { ProxyClient } from '../../../src/client/api/proxy-client.js';
import { createTokenSource } from '../../../src/client/api/token-source.js';
import { TabChannel, type TabMessage } from '../../../src/client/browser/tab-channel.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, KAYAK } from '../support/items.js';
import { fakeProxy, type FakeProxy } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

interface Tab {
  readonly feed: ChangeFeed;
  readonly said: TabMessage['kind'][];
  hints: number;
  resets: number;
}

const QUICK: FeedTimes = { silence: 150, reconnect: 10, poll: 30, frozen: 200, unseen: 100, gap: 5 };

/** The change feed of one tab. */
function openTab(proxy: FakeProxy, more: { owner?: string; times?: Partial<FeedTimes> } = {}): Tab {
  const owner = more.owner ?? proxy.url;
  const channel = new TabChannel();
  channel.join(owner);
  const tab: Tab = {
    said: [],
    hints: 0,
    resets: 0,
    feed: new ChangeFeed({
      client: new ProxyClient(proxy.url, createTokenSource(undefined)),
      owner,
      revision: () => 0,
      onHint: () => {
        tab.hints += 1;
        return Promise.resolve();
      },
      onReset: () => {
        tab.resets += 1;
      },
      notifyTabs: (changedByOthers) => {
        tab.said.push(changedByOthers.kind);
        channel.post(changedByOthers);
      },
      times: { ...QUICK, ...more.times },
    }),
  };
  channel.listen((changedByOthers) => {
    tab.feed.onTabMessage(changedByOthers);
  });
  tab.feed.start();
  afterThisTest(() => {
    tab.feed.stop();
    channel.leave();
  });
  return tab;
}

function hide(): () => void {
  Object.defineProperty(document, 'hidden', { value: true, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
  const show = (): void => {
    Reflect.deleteProperty(document, 'hidden');
    document.dispatchEvent(new Event('visibilitychange'));
  };
  afterThisTest(show);
  return show;
}

/** @returns the highest number of listeners on one signal from now on */
function countAbortListeners(): () => number {
  const real = AbortSignal.prototype.addEventListener;
  const counts = new Map<AbortSignal, number>();
  const add = (signal: AbortSignal, more: number): void => {
    counts.set(signal, (counts.get(signal) ?? 0) + more);
  };
  AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...given: Parameters<typeof real>) {
    const [, , options] = given;
    add(this, 1);
    const end = typeof options === 'object' ? options.signal : undefined;
    if (end)
      real.call(end, 'abort', () => {
        add(this, -1);
      });
    real.apply(this, given);
  };
  afterThisTest(() => {
    Reflect.deleteProperty(AbortSignal.prototype, 'addEventListener');
  });
  return () => Math.max(...counts.values());
}

/** Longer than any test takes on a busy machine: none of these ends while a test waits for something else. */
const CALM: Partial<FeedTimes> = { silence: 240_000, frozen: 240_000, unseen: 240_000 };

describe('a browser that receives changes', () => {
  it('has one stream for any number of tabs, and notifies all of them', async () => {
    const proxy = fakeProxy();
    const tabs = [openTab(proxy, { times: CALM }), openTab(proxy, { times: CALM }), openTab(proxy, { times: CALM })];
    await until(() => tabs.filter(({ feed }) => feed.isLive).length === 3, 'all know that somebody listens');
    // A tab that joins later may have missed a change.
    expect(tabs.map(({ hints }) => hints)).to.deep.equal([0, 1, 1]);

    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => tabs.map(({ hints }) => hints).join() === '1,2,2', 'each has heard once');

    expect(proxy.heardOn('GET v1/events')).to.have.length(1);
    expect(proxy.streams).to.equal(1);
  });

  it('sends one request for many changes', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: { ...CALM, gap: 100 } });
    await until(() => tab.feed.isLive, 'it listens');

    for (let change = 0; change < 50; change += 1) proxy.takeFromElsewhere(change % 2 === 0 ? KAYAK : BOAT, true);
    await until(() => tab.hints === 2, 'the last change is heard of');

    expect(tab.said.filter((kind) => kind === 'items').length).to.be.at.most(2);
  });

  it('resumes at the last event after the session has ended, and its stream with it', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: CALM });
    await until(() => tab.feed.isLive, 'it listens');
    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => tab.hints === 1, 'it has heard');

    proxy.endStreams();
    await until(() => proxy.streams === 1, 'it listens again');

    const [first, second] = proxy.heardOn('GET v1/events').map(({ headers }) => headers.get('Last-Event-ID'));
    expect([first, second]).to.deep.equal(['0', '1']);
    expect(tab.hints).to.equal(1);
  });

  it('requests the whole listing in all tabs if the proxy does not know the last event', async () => {
    const proxy = fakeProxy();
    const tabs = [openTab(proxy, { times: CALM }), openTab(proxy, { times: CALM })];
    await until(() => tabs.every(({ feed }) => feed.isLive), 'all know that somebody listens');
    const before = tabs.map(({ hints }) => hints);

    proxy.say('event: reset\nid: 7\ndata: {}\n\n');
    await until(() => tabs.every(({ resets }) => resets === 1), 'all ask for everything');

    expect(tabs.map(({ hints }) => hints)).to.deep.equal(before);
  });

  it('parses an event that arrives in pieces, and treats a comment only as a sign of life', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: CALM });
    await until(() => tab.feed.isLive, 'it listens');

    for (const piece of [': still here\n\n', 'id: 9\nda', 'ta: {}', '\n']) proxy.say(piece);
    const early = tab.hints;
    proxy.say('\n');
    await until(() => tab.hints === 1, 'it has heard');

    expect(early).to.equal(0);
  });

  it('receives no message about another person', async () => {
    const proxy = fakeProxy();
    const [anna, ben] = [openTab(proxy, { times: CALM }), openTab(proxy, { owner: newEditId(), times: CALM })];
    await until(() => anna.feed.isLive && ben.feed.isLive, 'both listen');

    expect(proxy.streams).to.equal(2);
  });
});

describe('a stream that does not arrive', () => {
  it('because an intermediary buffers it is replaced by polling', async () => {
    const proxy = fakeProxy();
    const headers = { 'Content-Type': 'text/event-stream' };
    proxy.answers.set('GET v1/events', () => new Response(new ReadableStream(), { headers }));

    const tab = openTab(proxy, { times: { silence: 20 } });
    await until(() => tab.hints >= 2, 'it asks by the clock');

    expect(tab.feed.isLive).to.equal(false);
    expect(proxy.heardOn('GET v1/events').length).to.be.above(2);
  });

  it('because the proxy has none is replaced by polling', async () => {
    const proxy = fakeProxy();
    proxy.answers.set('GET v1/events', () => new Response('no', { status: 404 }));

    const tab = openTab(proxy);

    await until(() => tab.hints >= 2, 'it asks by the clock');
  });

  it('leaves no listener behind when it is retried for hours', async () => {
    const most = countAbortListeners();
    const proxy = fakeProxy();
    proxy.answers.set('GET v1/events', () => new Response('no', { status: 404 }));

    const tab = openTab(proxy, { times: CALM });

    await until(() => tab.hints > 10, 'many hints by the clock');
    expect(most()).to.be.below(5);
  });

  it('because an intermediary responds with a page is replaced by polling', async () => {
    const proxy = fakeProxy();
    const headers = { 'Content-Type': 'text/html' };
    proxy.answers.set('GET v1/events', () => new Response('<!doctype html><p>Welcome', { headers }));

    const tab = openTab(proxy);
    await until(() => tab.hints >= 2, 'it asks by the clock');

    expect(tab.feed.isLive).to.equal(false);
  });

  it('because an event never ends is closed', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: CALM });
    await until(() => tab.feed.isLive, 'it listens');

    proxy.say('data: '.padEnd(200_000, '.'));

    await until(() => proxy.heardOn('GET v1/events').length === 2, 'it is opened again');
  });
});

describe('the tab that reads the stream for the others', () => {
  it('is succeeded by another tab when it closes', async () => {
    const proxy = fakeProxy();
    const first = openTab(proxy, { times: CALM });
    await until(() => first.feed.isLive, 'it listens');
    const second = openTab(proxy, { times: CALM });

    first.feed.stop();
    await until(() => proxy.heardOn('GET v1/events').length === 2 && proxy.streams === 1, 'the second listens');

    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => second.hints === 1, 'it has heard');
    expect(first.hints).to.equal(0);
  });

  it('notifies them of each change, even while it is hidden', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: CALM });
    await until(() => tab.feed.isLive, 'it listens');
    const told = () => tab.said.filter((kind) => kind === 'items').length;
    hide();

    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => told() === 1, 'it tells');
    proxy.takeFromElsewhere(KAYAK, true);
    await until(() => told() === 2, 'it tells again');

    expect(tab.hints).to.equal(0);
  });

  it('is replaced when it is frozen', async () => {
    const proxy = fakeProxy();
    let thaw = (): void => undefined;
    const frozen = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    afterThisTest(() => {
      thaw();
    });
    void navigator.locks.request(`vendor-inventory events ${proxy.url}`, () => frozen).catch(() => undefined);

    const tab = openTab(proxy);
    await until(() => tab.feed.isLive, 'it listens in the place of the frozen one');

    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => tab.hints === 1, 'it has heard');
  });

  it('ends its stream when it is replaced, and waits for the lock', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: CALM });
    await until(() => tab.feed.isLive, 'it listens');
    let giveUp: (() => void) | undefined;
    void navigator.locks.request(
      `vendor-inventory events ${proxy.url}`,
      { steal: true },
      () =>
        new Promise<void>((resolve) => {
          giveUp = resolve;
        }),
    );
    await until(() => giveUp !== undefined && proxy.streams === 0, 'its stream has ended');

    giveUp?.();

    await until(() => proxy.streams === 1, 'it listens again');
  });
});

describe('a hidden page', () => {
  it('disconnects after a while, and connects again once it is visible', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: { ...CALM, unseen: 50 } });
    await until(() => tab.feed.isLive, 'it listens');

    const show = hide();
    await until(() => proxy.streams === 0, 'it has hung up');
    show();

    await until(() => proxy.streams === 1, 'it listens again');
  });

  it('requests nothing, and catches up once it is visible', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: CALM });
    await until(() => tab.feed.isLive, 'it listens');
    const show = hide();
    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => tab.said.includes('items'), 'it has told the others');
    const unseen = tab.hints;

    show();

    await until(() => tab.hints === 1, 'it catches up');
    expect(unseen).to.equal(0);
  });

  it('requests nothing more, even if changes kept coming while it was visible', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: { ...CALM, gap: 50, unseen: 100 } });
    await until(() => tab.feed.isLive, 'it listens');
    proxy.takeFromElsewhere(KAYAK, false);
    await until(() => tab.hints === 1, 'it has heard');
    hide();

    proxy.takeFromElsewhere(KAYAK, true);
    await until(() => proxy.streams === 0, 'it has hung up');

    expect(tab.said.filter((kind) => kind === 'items')).to.have.length(2);
    expect(tab.hints).to.equal(1);
  });

  it('holds no connection and no lock in the back/forward cache', async () => {
    const proxy = fakeProxy();
    const tab = openTab(proxy, { times: CALM });
    await until(() => tab.feed.isLive, 'it listens');

    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    await until(() => proxy.streams === 0, 'it has hung up');
    const { held } = await navigator.locks.query();
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));

    await until(() => proxy.streams === 1, 'it listens again');
    expect(held?.map(({ name }) => name)).not.to.include(`vendor-inventory events ${proxy.url}`);
  });
});

describe('a browser without locks', () => {
  it('polls in each tab', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    afterThisTest(() => {
      Reflect.deleteProperty(navigator, 'locks');
    });
    const proxy = fakeProxy();

    const tab = openTab(proxy);
    await until(() => tab.hints >= 2, 'it asks by the clock');

    expect(proxy.heardOn('GET v1/events')).to.deep.equal([]);
  });
});

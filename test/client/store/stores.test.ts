import { expect } from '@open-wc/testing';
import { storeFor } from '../../../src/client/store/store-registry.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, KAYAK } from '../support/items.js';
import { untilStatus, untilTruth } from '../support/open-store.js';
import { fakeProxy } from '../support/fake-proxy.js';

describe('elements of one page', () => {
  it('share one store if they have the same proxy and the same session URL', () => {
    const { url, sessionUrl } = fakeProxy();

    const stores = [storeFor({ proxy: url, session: sessionUrl }), storeFor({ proxy: url, session: sessionUrl })];

    expect(stores[0]).to.equal(stores[1]);
  });

  it('share one store whether or not the URL of the proxy ends with a slash', () => {
    const { url } = fakeProxy();

    expect(storeFor({ proxy: `${url}/below` })).to.equal(storeFor({ proxy: `${url}/below/` }));
  });

  it('share one store if they have the same getSession function, whatever their session URL is', () => {
    const { url, sessionUrl } = fakeProxy();
    const getSession = () => Promise.resolve('token-1');

    const stores = [storeFor({ proxy: url, getSession }), storeFor({ proxy: url, getSession, session: sessionUrl })];

    expect(stores[0]).to.equal(stores[1]);
  });

  it('have separate stores if the proxy, the session URL or getSession differs', () => {
    const [one, two] = [fakeProxy(), fakeProxy()];

    const stores = new Set([
      storeFor({ proxy: one.url }),
      storeFor({ proxy: two.url }),
      storeFor({ proxy: one.url, session: one.sessionUrl }),
      storeFor({ proxy: one.url, session: two.sessionUrl }),
      storeFor({ proxy: one.url, getSession: () => Promise.resolve('token-1') }),
      storeFor({ proxy: one.url, getSession: () => Promise.resolve('token-1') }),
    ]);

    expect(stores.size).to.equal(6);
  });

  it('keep edits from before the session is known separate if their session URLs differ', async () => {
    const [boats, rooms] = [fakeProxy(), fakeProxy()];
    const [one, other] = [boats, rooms].map(({ sessionUrl }) => storeFor({ proxy: boats.url, session: sessionUrl }));

    await other?.set(KAYAK, true);

    expect([...(one?.unsentIds ?? [BOAT])]).to.deep.equal([]);
    expect([...(other?.unsentIds ?? [])]).to.deep.equal([KAYAK]);
  });

  it('request the token from the session URL of the host', async () => {
    const proxy = fakeProxy();
    const store = storeFor({ proxy: proxy.url, session: proxy.sessionUrl });

    afterThisTest(store.subscribe(() => undefined));

    await untilStatus(store, 'ready');
    expect(proxy.heardOn('GET v1/session')[0]?.headers.get('Authorization')).to.equal('Bearer token-1');
  });

  it('request the token with getSession, and not from the session URL', async () => {
    const proxy = fakeProxy();
    let asked = 0;
    const getSession = () => {
      asked += 1;
      return Promise.reject(new Error('signed out'));
    };
    const store = storeFor({ proxy: proxy.url, session: proxy.sessionUrl, getSession });

    afterThisTest(store.subscribe(() => undefined));

    await untilStatus(store, 'unreachable');
    expect(store.snapshot.problem).to.equal('session_unreachable');
    expect(asked).to.equal(1);
    expect(proxy.heard).to.deep.equal([]);
  });

  it('send the edits of the person', async () => {
    const proxy = fakeProxy();
    const store = storeFor({ proxy: proxy.url });
    afterThisTest(store.subscribe(() => undefined));

    await store.set(KAYAK, false);

    await untilTruth(store, KAYAK, 'received');
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, false]]);
  });
});

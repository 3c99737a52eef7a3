import { expect } from '@open-wc/testing';
import { isEditId } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { ProxyClient, type OwnedEdit, requestHostToken } from '../../../src/client/api/proxy-client.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { ApiError } from '../../../src/client/api/api-error.js';
import { createTokenSource } from '../../../src/client/api/token-source.js';
import { BOAT, KAYAK, LONG_AGO } from '../support/items.js';
import { ANNA, BEN, fakeProxy, type FakeProxy, REQUEST_ID, type RouteName } from '../support/fake-proxy.js';

/** An edit of Anna's. */
function edit(proxy: FakeProxy, id: ItemId, more: Partial<OwnedEdit> = {}): OwnedEdit {
  const owner = toOwner(proxy.url, ANNA);
  return { edit_id: newEditId(), id, available: false, updated_at: toTimestamp(Date.now()), owner, ...more };
}

/** A client of a page whose host gives embed tokens. */
function clientWithTokens(proxy: FakeProxy) {
  return new ProxyClient(
    proxy.url,
    createTokenSource(() => requestHostToken(proxy.sessionUrl)),
  );
}

function clientWithCookies(proxy: FakeProxy) {
  return new ProxyClient(proxy.url, createTokenSource(undefined));
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const failure = await call.catch((error: unknown) => error);
  if (failure instanceof ApiError) return failure;
  throw new Error(`no failure but ${JSON.stringify(failure)}`);
}

describe('a request to the proxy', () => {
  it('has the widget header, its media type, a new key and its token, and sends cookies to its own origin only', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();

    await client.send([edit(proxy, KAYAK)]);

    const [request] = proxy.heardOn('POST v1/inventory');
    expect(request?.credentials).to.equal('same-origin');
    expect(Object.fromEntries(request?.headers ?? [])).to.include({
      'x-requested-with': 'inventory-widget',
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer token-1',
    });
    expect(isEditId(request?.headers.get('Idempotency-Key'))).to.equal(true);
  });

  it('names the widget when it asks the host for a token', async () => {
    const proxy = fakeProxy();

    await clientWithTokens(proxy).session();

    const [request] = proxy.heardOn('POST inventory-session');
    expect(request?.headers.get('X-Requested-With')).to.equal('inventory-widget');
    expect(request?.credentials).to.equal('same-origin');
  });

  it('has no token if the host uses its own cookies', async () => {
    const proxy = fakeProxy();

    await clientWithCookies(proxy).session();

    expect(proxy.heardOn('GET v1/session')[0]?.headers.has('Authorization')).to.equal(false);
    expect(proxy.heardOn('POST inventory-session')).to.have.length(0);
  });

  it('has another idempotency key for each batch', async () => {
    const proxy = fakeProxy();
    const client = clientWithCookies(proxy);
    await client.session();
    await client.send([edit(proxy, KAYAK)]);

    await client.send([edit(proxy, KAYAK)]);

    const keys = proxy.heardOn('POST v1/inventory').map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).to.equal(2);
  });

  it("carries the portal's fields, the base and the time of sending, and no field of the queue", async () => {
    const proxy = fakeProxy();
    const client = clientWithCookies(proxy);
    await client.session();
    const queued = { ...edit(proxy, KAYAK, { base: LONG_AGO, label: 'Kayak tour' }), stage: 'stored' };
    const plain = edit(proxy, BOAT, { base: undefined, label: undefined });
    const before = toTimestamp(Date.now());

    await client.send([queued, plain]);

    const { inventory, sent_at } = proxy.heardOn('POST v1/inventory')[0]?.body as {
      inventory: unknown;
      sent_at: string;
    };
    const { edit_id, id, available, updated_at, base, label } = queued;
    expect(inventory).to.deep.equal([
      { edit_id, id, available, updated_at, base, label },
      { edit_id: plain.edit_id, id: BOAT, available: false, updated_at: plain.updated_at },
    ]);
    expect(sent_at >= before && sent_at <= toTimestamp(Date.now())).to.equal(true);
  });

  it('asks for receipts by the ids of the edits', async () => {
    const proxy = fakeProxy();
    const client = clientWithCookies(proxy);
    const edits = [edit(proxy, KAYAK), edit(proxy, BOAT)];
    await client.session();
    await client.send(edits);

    const receipts = await client.receipts(edits);

    expect(proxy.heardOn('GET v1/receipts')[0]?.query.get('ids')).to.equal(
      edits.map(({ edit_id }) => edit_id).join(','),
    );
    expect(receipts.map(({ id, state }) => [id, state])).to.deep.equal([
      [KAYAK, 'received'],
      [BOAT, 'received'],
    ]);
  });

  it('reads a listing page by page', async () => {
    const proxy = fakeProxy();
    proxy.pageSize = 1;
    proxy.knows({ id: KAYAK, available: true });
    proxy.knows({ id: BOAT, available: false });
    const client = clientWithCookies(proxy);

    const first = await client.list();
    const second = await client.list(first.next);

    expect([...first.inventory, ...second.inventory].map(({ id }) => id)).to.deep.equal([KAYAK, BOAT]);
    expect(second.next).to.equal(undefined);
  });

  it('reaches a proxy below a path, with or without a slash at its end', async () => {
    const proxy = fakeProxy();

    await new ProxyClient(`${proxy.url}//`, createTokenSource(undefined)).session();

    expect(proxy.heardOn('GET v1/session')).to.have.length(1);
  });
});

describe('a person who signs out', () => {
  it('ends the token, and no request has their identity until a person is known again', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();

    const token = client.leave();
    const failure = await failureOf(client.send([edit(proxy, KAYAK)]));
    await client.list();

    expect(token).to.equal('token-1');
    expect(failure.code).to.equal('session_changed');
    expect(proxy.accepted).to.have.length(0);
    const [{ headers } = {}] = proxy.heardOn('GET v1/inventory');
    expect(headers?.get('Authorization')).to.equal('Bearer token-2');
    expect(client.leave()).to.equal(undefined);
  });

  it('is not named to the proxy any more if cookies identify the person', async () => {
    const proxy = fakeProxy();
    const client = clientWithCookies(proxy);
    await client.session();
    await client.list();

    client.leave();
    await client.list();

    const named = proxy.heardOn('GET v1/inventory').map(({ headers }) => headers.has('Inventory-Person'));
    expect(named).to.deep.equal([true, false]);
  });
});

describe('a refused token', () => {
  it('is renewed once, and the request is repeated for the same person', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();
    proxy.expireTokens();

    const receipts = await client.send([edit(proxy, KAYAK)]);

    expect(receipts.map(({ state }) => state)).to.deep.equal(['received']);
    expect(proxy.heardOn('POST v1/inventory').map(({ headers }) => headers.get('Authorization'))).to.deep.equal([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(proxy.heardOn('POST inventory-session')).to.have.length(2);
  });

  it('is not checked again once the next token is known to be of the same person', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();
    proxy.expireTokens();
    await client.list();
    proxy.heard.length = 0;

    await client.send([edit(proxy, KAYAK)]);

    expect(proxy.heard.map(({ route }) => route)).to.deep.equal(['POST v1/inventory']);
  });

  it('has its person looked up again before anything of theirs is sent', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();
    proxy.expireTokens();
    proxy.heard.length = 0;

    await client.send([edit(proxy, KAYAK)]);

    expect(proxy.heard.map(({ route }) => route)).to.deep.equal([
      'POST v1/inventory',
      'POST inventory-session',
      'GET v1/session',
      'POST v1/inventory',
    ]);
  });

  it('is not replaced by a token of another person: nothing of the first is sent', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();
    proxy.expireTokens();
    proxy.person = BEN;

    const failure = await failureOf(client.send([edit(proxy, KAYAK)]));

    expect(failure).to.include({ code: 'session_changed', batchFault: undefined });
    expect(proxy.accepted).to.have.length(0);
    expect(proxy.heardOn('POST v1/inventory').map(({ headers }) => headers.get('Authorization'))).to.deep.equal([
      'Bearer token-1',
    ]);
  });

  it("that was replaced by another person's sends nothing more of the first, whichever caller requested the new one", async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();
    proxy.expireTokens();
    proxy.person = BEN;
    await failureOf(client.list());

    const failure = await failureOf(client.send([edit(proxy, KAYAK)]));

    expect(failure.code).to.equal('session_changed');
    expect(proxy.heardOn('POST v1/inventory')).to.deep.equal([]);
  });

  it('of another person is used once the session was requested', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    await client.session();
    proxy.expireTokens();
    proxy.person = BEN;
    await failureOf(client.list());

    const session = await client.session();
    const receipts = await client.send([edit(proxy, KAYAK, { owner: toOwner(proxy.url, BEN) })]);

    expect(session.subject).to.equal('ben');
    expect(receipts).to.have.length(1);
  });

  it('is not needed to reject edits of a person who is not signed in', async () => {
    const proxy = fakeProxy();
    proxy.person = BEN;
    const client = clientWithCookies(proxy);
    await client.session();

    const failure = await failureOf(client.send([edit(proxy, KAYAK)]));

    expect(failure).to.include({ code: 'session_changed', batchFault: undefined });
    expect(proxy.heardOn('POST v1/inventory')).to.deep.equal([]);
  });

  it('leads to one more attempt, not to a loop', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    proxy.refusal = 'session_required';

    const failure = await failureOf(client.list());

    expect(failure).to.include({ code: 'token_refused', requestId: REQUEST_ID, isRefused: true });
    expect(proxy.heardOn('POST inventory-session')).to.have.length(2);
    expect(proxy.heardOn('GET v1/inventory')).to.have.length(2);
  });

  it('cannot be renewed if the page has no token and the proxy is of another origin', async () => {
    const proxy = fakeProxy();
    proxy.person = undefined;

    const failure = await failureOf(clientWithCookies(proxy).session());

    expect(failure).to.include({ code: 'session_missing', requestId: REQUEST_ID, isRefused: true });
    expect(proxy.heard).to.have.length(1);
  });

  it('of cookies is reported to the person if the proxy is of the origin of the page', async () => {
    const proxy = fakeProxy(`${location.origin}/${crypto.randomUUID()}`);
    proxy.person = undefined;

    const failure = await failureOf(clientWithCookies(proxy).session());

    expect(failure).to.include({ code: 'session_refused', requestId: REQUEST_ID });
  });
});

describe('a host that is asked for a token', () => {
  it('refuses it if no person is signed in', async () => {
    const proxy = fakeProxy();
    proxy.person = undefined;

    const failure = await failureOf(clientWithTokens(proxy).session());

    expect(failure).to.include({ code: 'session_refused' });
    expect(failure.message).to.include(proxy.sessionUrl);
  });

  it('that cannot be reached does not sign the person out', async () => {
    const proxy = fakeProxy();
    proxy.answers.set('POST inventory-session', () => {
      throw new TypeError('Failed to fetch');
    });

    const failure = await failureOf(clientWithTokens(proxy).session());

    expect(failure).to.include({ code: 'session_unreachable' });
  });

  it('that responds in another shape does not sign the person out: the integrator has to act', async () => {
    const proxy = fakeProxy();
    proxy.answers.set('POST inventory-session', () => Response.json({ jwt: 'token-1' }));

    const failure = await failureOf(clientWithTokens(proxy).session());

    expect(failure).to.include({ code: 'session_unreadable' });
    expect(failure.message).not.to.include('token-1');
  });
});

describe('a host that answers a status other than 200', () => {
  for (const [status, code] of [
    [401, 'session_refused'],
    [403, 'session_refused'],
    [404, 'session_unreadable'],
    [405, 'session_unreadable'],
    [419, 'session_unreadable'],
    [429, 'session_unreachable'],
    [500, 'session_unreachable'],
    [503, 'session_unreachable'],
  ] as const) {
    it(`${String(status)} is ${code}`, async () => {
      const proxy = fakeProxy();
      proxy.answers.set('POST inventory-session', () => new Response('no', { status }));

      expect(await failureOf(clientWithTokens(proxy).session())).to.include({ code });
    });
  }

  it('does not quote a response that is not JSON, because it may be a token', async () => {
    const proxy = fakeProxy();
    proxy.answers.set('POST inventory-session', () => new Response('eyJhbGciOi.token'));

    const { message } = await failureOf(clientWithTokens(proxy).session());

    expect(message).to.equal(`${proxy.sessionUrl}: 200 text/plain;charset=UTF-8, not JSON`);
  });
});

describe('a response of the proxy', () => {
  it('that is a problem keeps its code and the request id', async () => {
    const proxy = fakeProxy();
    const client = clientWithCookies(proxy);
    proxy.foreign.add(BOAT);
    await client.session();

    const failure = await failureOf(client.send([edit(proxy, KAYAK), edit(proxy, BOAT)]));

    expect(failure).to.include({ code: 'item_unknown', requestId: REQUEST_ID });
    expect(failure.batchFault?.kind, 'what becomes of such a batch').to.equal('edits');
  });

  it('that is a temporary problem leaves the batch valid', async () => {
    const proxy = fakeProxy();
    proxy.refusal = 'storage_unavailable';

    const failure = await failureOf(clientWithCookies(proxy).list());

    expect(failure).to.include({ code: 'storage_unavailable', requestId: REQUEST_ID, batchFault: undefined });
  });

  it('is requested once: the caller decides about retries', async () => {
    const proxy = fakeProxy();
    proxy.refusal = 'storage_unavailable';

    await failureOf(clientWithCookies(proxy).list());

    expect(proxy.heard).to.have.length(1);
  });

  it('that never arrives is an unreachable proxy', async () => {
    const proxy = fakeProxy();
    proxy.down = true;

    const failure = await failureOf(clientWithCookies(proxy).session());

    expect(failure).to.include({ code: 'unreachable', requestId: undefined, batchFault: undefined });
  });

  for (const [name, code, response] of [
    ['of another shape', 'unreadable', () => Response.json({ inventory: 'all of it' })],
    ['that is no JSON', 'unreadable', () => new Response('<!doctype html><title>Sign in</title>')],
    ['without a body', 'unreadable', () => new Response(null, { status: 204 })],
    ['of a gateway', 'http_502', () => new Response('Bad Gateway', { status: 502 })],
    ['of a firewall', 'http_403', () => new Response('Forbidden', { status: 403 })],
    ['that says wait', 'http_429', () => Response.json({ error: 'slow down' }, { status: 429 })],
  ] as const) {
    it(`${name} is ${code}`, async () => {
      const proxy = fakeProxy();
      proxy.answers.set('GET v1/inventory', response);

      const failure = await failureOf(clientWithCookies(proxy).list());

      expect(failure).to.include({ code, requestId: undefined, batchFault: undefined });
    });
  }

  for (const [what, route, ask] of [
    ['who is there', 'GET v1/session', (client) => client.session()],
    ['what was sent', 'POST v1/inventory', (client) => client.send([])],
    ['what became of it', 'GET v1/receipts', (client) => client.receipts([{ edit_id: newEditId() }])],
  ] satisfies [string, RouteName, (client: ReturnType<typeof clientWithCookies>) => Promise<unknown>][]) {
    it(`of ${what} in another shape is unreadable`, async () => {
      const proxy = fakeProxy();
      proxy.answers.set(route, () => Response.json({ status: 'ok' }));

      const failure = await failureOf(ask(clientWithCookies(proxy)));

      expect(failure.code).to.equal('unreadable');
    });
  }

  it('may have fields that an older page does not know', async () => {
    const proxy = fakeProxy();
    proxy.answers.set('GET v1/inventory', () => Response.json({ inventory: [], colour: 'green' }));

    const listing = await clientWithCookies(proxy).list();

    expect(listing.inventory).to.deep.equal([]);
  });

  it('that is a failure never puts a token into its message', async () => {
    const proxy = fakeProxy();
    const client = clientWithTokens(proxy);
    proxy.answers.set('GET v1/inventory', () => new Response('token-1 is no good', { status: 500 }));

    const failure = await failureOf(client.list());

    expect(failure.message).to.equal(`${proxy.url}/v1/inventory: 500`);
  });
});

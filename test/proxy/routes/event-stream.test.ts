import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { listing, receipts, type Receipt } from '../../../src/contract/widget.js';
import { noLog } from '../../../src/proxy/runtime/log.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { STREAM_LIMITS } from '../../../src/proxy/http/concurrency-limit.js';
import { expectProblem } from '../../support/expect-problem.js';
import { checkTokens, openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken, pageRequest } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

interface Listener {
  /** Resolves with all that came, as soon as it has this in it. */
  hear(text: string): Promise<string>;
  /** Resolves when the stream has ended. */
  end(): Promise<void>;
}

async function listen(
  t: TestContext,
  { ask }: OpenProxy,
  request: { readonly token: string; readonly last?: string },
): Promise<Listener> {
  const answer = await ask('GET', '/v1/events', {
    token: request.token,
    headers: request.last === undefined ? {} : { 'Last-Event-ID': request.last },
  });
  assert.equal(answer.headers.get('Content-Type'), 'text/event-stream');
  assert.ok(answer.body);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  t.after(() => reader.cancel());
  let said = '';
  return {
    async hear(text) {
      while (!said.includes(text)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream ended without ${text}: ${said}`);
        said += value;
      }
      return said;
    },
    async end() {
      while (!(await reader.read()).done);
    },
  };
}

/** @returns the id of the edit */
async function post(fixture: OpenProxy, id: string, vendor?: string, subject?: string): Promise<string> {
  return (await postAll(fixture, [id], vendor, subject))[0]?.edit_id ?? '';
}

async function postAll(
  { ask }: OpenProxy,
  ids: readonly string[],
  vendor = 'boat-tours',
  subject = 'ada',
): Promise<readonly Receipt[]> {
  const body = { inventory: ids.map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' })) };
  const answer = await ask('POST', '/v1/inventory', { token: await embedToken({ vendor, subject }), body });
  assert.equal(answer.status, 202);
  return receipts.parse(await answer.json()).receipts;
}

async function discard({ ask }: OpenProxy, editId: string): Promise<void> {
  const answer = await ask('POST', `/v1/edits/${editId}/discard`, { token: await embedToken(), body: {} });
  assert.equal(answer.status, 200);
}

describe('the event stream', () => {
  it('sends the id of an item when it changes and at each later state, without its value', async (t) => {
    const fixture = openProxy(t);
    const events = await listen(t, fixture, { token: await embedToken() });

    await post(fixture, 'kayak');
    const said = await events.hear('data: ');
    fixture.proxy.start();
    await fixture.clock.pass(1000);
    await events.hear('id: 2\n');

    assert.match(said, /id: 1\ndata: \{"id":"kayak","seq":1\}\n\n/);
    assert.doesNotMatch(said, /available/);
  });

  it('sends the id of an item whose only edit was discarded', async (t) => {
    const fixture = openProxy(t);
    const edit = await post(fixture, 'kayak');
    const events = await listen(t, fixture, { token: await embedToken() });

    await discard(fixture, edit);

    assert.match(await events.hear('data: '), /id: 2\ndata: \{"id":"kayak"\}\n\n/);
  });

  it('continues after the Last-Event-ID of the page', async (t) => {
    const fixture = openProxy(t);
    await post(fixture, 'kayak');
    await post(fixture, 'boat');

    const events = await listen(t, fixture, { token: await embedToken(), last: '1' });

    const said = await events.hear('data: ');
    assert.doesNotMatch(said, /kayak/);
    assert.match(said, /"id":"boat"/);
  });

  it('sends a reset event for an unknown Last-Event-ID', async (t) => {
    const fixture = openProxy(t);

    for (const last of ['999', 'x']) {
      const events = await listen(t, fixture, { token: await embedToken(), last });

      assert.match(await events.hear('event: '), /^event: reset\n/);
    }
  });

  it('sends no event about another vendor or an item outside the session', async (t) => {
    const fixture = openProxy(t);
    const events = await listen(t, fixture, { token: await embedToken({ items: ['boat'] }) });

    await post(fixture, 'vase', 'pottery');
    await post(fixture, 'kayak');
    await post(fixture, 'boat');

    const said = await events.hear('"id":"boat"');
    assert.doesNotMatch(said, /vase|kayak/);
  });

  it('sends the next visible change at once, however many invisible ones precede it', async (t) => {
    const fixture = openProxy(t);
    // More than a few looks of the stream, and no time passes here.
    await postAll(
      fixture,
      Array.from({ length: 500 }, (_, at) => `kayak-${String(at)}`),
    );
    await post(fixture, 'boat');

    const events = await listen(t, fixture, { token: await embedToken({ items: ['boat'] }), last: '1' });

    assert.doesNotMatch(await events.hear('"id":"boat"'), /kayak/);
  });

  it('sends a comment every 15 seconds, so that no gateway closes the connection', async (t) => {
    const fixture = openProxy(t);
    const events = await listen(t, fixture, { token: await embedToken() });
    let isThere = false;
    const said = events.hear(': still here\n\n').finally(() => (isThere = true));

    await fixture.clock.pass(14_000);
    const before = isThere;
    await fixture.clock.pass(2_000);

    assert.match(await said, /still here/);
    assert.equal(before, false);
  });

  it('is neither compressed nor buffered by a gateway', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/v1/events', {
      token: await embedToken(),
      headers: { 'Accept-Encoding': 'gzip, br' },
    });
    t.after(() => answer.body?.cancel());

    const { headers } = answer;
    assert.deepEqual(
      ['Cache-Control', 'X-Accel-Buffering', 'Content-Encoding'].map((name) => headers.get(name)),
      ['no-store, no-transform', 'no', null],
    );
  });

  it('ends when the session expires', async (t) => {
    const fixture = openProxy(t);
    const events = await listen(t, fixture, { token: await embedToken({ lifetimeSeconds: 60 }) });

    const ended = events.end();
    await fixture.clock.pass(61_000);

    await ended;
  });

  it('ends after 15 minutes even if the session lasts longer, so that the host is asked again', async (t) => {
    const clock = new VirtualClock(Date.now());
    const session = { vendor: 'boat-tours', subject: 'ada', permissions: ['view'] as const };
    const fixture = openProxy(t, {
      clock,
      authenticate: () => Promise.resolve({ ...session, expiresAt: clock.wall() + 7 * 24 * 3_600_000 }),
    });
    const events = await listen(t, fixture, { token: 'of-the-host' });

    const ended = events.end();
    await clock.pass(15 * 60_000);

    await ended;
  });

  it('ends when the keys that verified its session are reloaded', async (t) => {
    const clock = new VirtualClock(Date.now());
    const check = checkTokens(clock, noLog);
    const fixture = openProxy(t, { clock, authenticate: (request, context) => clock.during(check(request, context)) });
    const events = await listen(t, fixture, { token: await embedToken() });

    check.reload({ kind: 'secret', secret: new Secret('another-session-secret-of-at-least-32-bytes') });

    await events.end();
  });

  for (const [whose, people, code] of [
    ['one person', STREAM_LIMITS.perUser, 'budget_spent'],
    ['all', STREAM_LIMITS.total, 'overloaded'],
  ] as const) {
    it(`is refused beyond the limit for ${whose}, and accepted again once others end`, async (t) => {
      const fixture = openProxy(t);
      const tokens = new Map<string, Promise<string>>();
      const tokenOf = (at: number): Promise<string> => {
        const subject = whose === 'all' ? `person-${String(Math.floor(at / STREAM_LIMITS.perUser))}` : 'ada';
        const token = tokens.get(subject) ?? embedToken({ subject });
        tokens.set(subject, token);
        return token;
      };
      const open = async (at: number): Promise<Response> =>
        fixture.proxy.fetch(pageRequest('GET', '/v1/events', { token: await tokenOf(at) }));
      const streams = await Promise.all(Array.from({ length: people }, (_, at) => open(at)));

      const refused = await open(people);
      const other = await fixture.ask('GET', '/v1/session', { token: await tokenOf(people) });
      for (const { body } of streams) await body?.cancel();
      const again = await fixture.ask('GET', '/v1/events', { token: await tokenOf(people) });

      assert.deepEqual([...new Set(streams.map(({ status }) => status))], [200]);
      await expectProblem(refused, code);
      assert.equal(refused.headers.get('Retry-After'), '60');
      assert.deepEqual([other.status, again.status], [200, 200]);
    });
  }

  it('ends when its person signs out, and those of other people continue', async (t) => {
    const fixture = openProxy(t);
    const token = await embedToken();
    const events = await listen(t, fixture, { token });
    const left = await listen(t, fixture, { token: await embedToken({ subject: 'bea' }) });

    await fixture.ask('DELETE', '/v1/session', { token, body: '{}' });
    await post(fixture, 'kayak', 'boat-tours', 'bea');

    await assert.rejects(events.hear('data: '), /^Error: the stream ended/);
    assert.match(await left.hear('data: '), /"id":"kayak"/);
  });
});

describe('a proxy that stops', () => {
  it('ends its event streams, so that no client delays the stop', async (t) => {
    const fixture = openProxy(t);
    const events = await listen(t, fixture, { token: await embedToken() });

    await fixture.proxy.stop();

    await events.end();
  });

  it('ends an event stream that is opened during the stop', async (t) => {
    const fixture = openProxy(t);
    const token = await embedToken();
    await fixture.proxy.stop();

    const events = await listen(t, fixture, { token });

    await events.end();
  });
});

describe('a page that requests the changes since a revision', () => {
  it('gets only the items changed since then', async (t) => {
    const fixture = openProxy(t);
    const token = await embedToken();
    for (const id of ['a', 'b', 'c']) await post(fixture, id);
    const read = async (query: string) =>
      listing.parse(await (await fixture.ask('GET', `/v1/inventory${query}`, { token })).json());
    const all = await read('');
    await post(fixture, 'b');

    const changed = await read(`?since=${String(all.revision)}`);
    const nothing = await read(`?since=${String(changed.revision)}`);

    assert.deepEqual(
      changed.inventory.map(({ id }) => id),
      ['b'],
    );
    assert.deepEqual(nothing.inventory, []);
  });

  it('gets an item whose only edit was discarded, without a value', async (t) => {
    const fixture = openProxy(t);
    const token = await embedToken();
    const edit = await post(fixture, 'kayak');
    await discard(fixture, edit);
    const read = async (query: string): Promise<unknown> =>
      (await fixture.ask('GET', `/v1/inventory${query}`, { token })).json();

    assert.deepEqual(await read('?since=1'), { inventory: [{ id: 'kayak' }], revision: 2 });
    assert.deepEqual(await read(''), { inventory: [], revision: 2 });
  });

  it('gets the newest revision if it asks for a later one, as after a restore from a backup', async (t) => {
    const fixture = openProxy(t);
    const token = await embedToken();
    for (const id of ['a', 'b']) await post(fixture, id);

    for (const query of ['?since=3', '?since=999&limit=1', '?since=1&cursor=999']) {
      const answer = await fixture.ask('GET', `/v1/inventory${query}`, { token });

      assert.deepEqual(await answer.json(), { inventory: [], revision: 2 }, query);
    }
  });

  it('gets every change once, whatever the page size', async (t) => {
    const fixture = openProxy(t);
    const token = await embedToken();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await post(fixture, id);

    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const query = `/v1/inventory?since=0&limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`;
      const page = listing.parse(await (await fixture.ask('GET', query, { token })).json());
      ids.push(...page.inventory.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== undefined);

    assert.deepEqual(ids, ['a', 'b', 'c', 'd', 'e']);
  });
});

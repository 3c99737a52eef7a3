import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { listing } from '../../../src/contract/widget.js';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { READ_LIMITS } from '../../../src/proxy/http/concurrency-limit.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken, pageRequest } from '../../support/page-request.js';

const LISTING = '/v1/inventory?limit=1000';

async function store(outbox: Outbox, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 500) {
    const edits = ids.slice(from, from + 500).map((id, at) => ({
      id: id as ItemId,
      edit_id: `edit-${String(from + at)}` as EditId,
      available: true,
      updated_at: toTimestamp(0),
      label: `The long name of ${id} in the vendor's own words`,
    }));
    const key = `key-${String(from)}`;
    const when = { now: 1000, portalOffset: 0, timestampUnit: 1 };
    const person = { vendor: 'boat-tours', subject: 'ada' };
    await outbox.accept({ ...person, lane: '', idempotencyKey: key, digest: key, edits, ...when });
  }
}

/** @param items ids of boat-tours, a thousand by default: their listing is longer than what a socket takes at once */
async function open(t: TestContext, items = Array.from({ length: 1000 }, (_, at) => `boat-${String(at)}`)) {
  const outbox = openMemoryOutbox();
  await store(outbox, items);
  let questions = 0;
  let rows = 0;
  const counted: Outbox = {
    ...outbox,
    async list(...page) {
      questions += 1;
      const found = await outbox.list(...page);
      rows += found.length;
      return found;
    },
  };
  return { ...openProxy(t, { outbox: counted }), questions: () => questions, rows: () => rows };
}

describe('a person with many concurrent reads', () => {
  it('gets budget_spent beyond the limit until a response was read, without an effect on other people', async (t) => {
    const { ask } = await open(t);
    const token = await embedToken();
    const unread = await Promise.all(Array.from({ length: READ_LIMITS.perUser }, () => ask('GET', LISTING, { token })));

    const refused = await ask('GET', LISTING, { token });
    const otherVendor = await ask('POST', '/v1/inventory', {
      token: await embedToken({ vendor: 'pottery' }),
      body: { inventory: [{ id: 'jug', available: true, updated_at: toTimestamp(0) }] },
    });
    const otherPerson = await ask('GET', LISTING, { token: await embedToken({ subject: 'bea' }) });
    await unread[0]?.text();
    const again = await ask('GET', LISTING, { token });

    assert.deepEqual([...new Set(unread.map(({ status }) => status))], [200]);
    await expectProblem(refused, 'budget_spent');
    assert.equal(refused.headers.get('Retry-After'), '1');
    assert.deepEqual([otherVendor.status, otherPerson.status, again.status], [202, 200, 200]);
  });

  it('may read again after the client has cancelled a response', async (t) => {
    const { ask } = await open(t);
    const token = await embedToken();
    for (let reads = 0; reads < READ_LIMITS.perUser; reads += 1) {
      const answer = await ask('GET', LISTING, { token });
      await answer.body?.cancel();
    }

    const answer = await ask('GET', LISTING, { token });

    assert.equal(answer.status, 200);
  });

  it('may read again after a rejection and after a short response', async (t) => {
    const { ask } = await open(t);
    const token = await embedToken();
    for (let reads = 0; reads < READ_LIMITS.perUser; reads += 1) {
      assert.equal((await ask('GET', '/v1/inventory?limit=0', { token })).status, 400);
      assert.equal((await ask('GET', '/v1/inventory?limit=1', { token })).status, 200);
    }

    const answer = await ask('GET', LISTING, { token });

    assert.equal(answer.status, 200);
  });
});

describe('a client that has disconnected', () => {
  it('causes no read of the outbox', async (t) => {
    const { proxy, questions } = await open(t);
    const leaving = new AbortController();
    const request = pageRequest('GET', LISTING, { token: await embedToken() });

    const answer = proxy.fetch(new Request(request, { signal: leaving.signal }));
    leaving.abort();
    await answer;

    assert.equal(questions(), 0);
  });
});

describe('a listing of a person with hundreds of prefixes', () => {
  it('reads only the rows that it returns', async (t) => {
    const others = Array.from({ length: 20_000 }, (_, at) => `${String(at).padStart(5, '0')}-other`);
    const own = Array.from({ length: 300 }, (_, at) => `${String(at * 60).padStart(5, '0')}-boat`);
    const { ask, rows } = await open(t, [...others, ...own]);
    const items = own.map((id, at) => (at % 2 === 0 ? id : `${id.slice(0, -2)}*`));
    const token = await embedToken({ items: [...items, ...items.map((pattern) => `${pattern}x`)].slice(0, 320) });

    const page = listing.parse(await (await ask('GET', LISTING, { token })).json());

    assert.deepEqual(
      page.inventory.map(({ id }) => id),
      own,
    );
    assert.equal(rows(), own.length);
  });
});

describe('the event streams of one vendor', () => {
  it('read the outbox once for each change, however many streams there are', async (t) => {
    const { ask, clock, questions } = await open(t, ['boat-1']);
    const readers = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const answer = await ask('GET', '/v1/events', { token: await embedToken({ subject: `person-${String(at)}` }) });
        assert.ok(answer.body);
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        t.after(() => reader.cancel());
        await reader.read();
        return reader;
      }),
    );
    const next = readers.map((reader) => reader.read());
    await clock.pass(10_000);
    const before = questions();

    const body = { inventory: [{ id: 'boat-1', available: false, updated_at: toTimestamp(0) }] };
    await ask('POST', '/v1/inventory', { token: await embedToken(), body });
    const hints = await Promise.all(next);

    for (const { value } of hints) assert.match(value ?? '', /"id":"boat-1"/);
    assert.ok(before <= 2, `${String(before)} looks while nothing changed`);
    // One for the change, and one for what may have followed it.
    assert.ok(questions() - before <= 2, `${String(questions() - before)} looks for one change`);
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import type { EditId } from '../../../src/domain/edit.js';
import { history } from '../../../src/contract/history.js';
import { listing } from '../../../src/contract/widget.js';
import { listInventory } from '../../../src/proxy/routes/list-inventory.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import { readHistory } from '../../../src/proxy/routes/read-history.js';
import type { Route, RouteContext } from '../../../src/proxy/http/route-context.js';
import type { ProxySession } from '../../../src/proxy/access/session.js';
import { openProxy } from '../../support/open-proxy.js';
import { pageRequest } from '../../support/page-request.js';

const EDITS = 500;

const SESSION: ProxySession = {
  vendor: 'boat-tours',
  subject: 'ada',
  permissions: new Set(['view', 'history']),
  items: ['boat-*'],
  expiresAt: Infinity,
};

async function store(outbox: Outbox, ids: readonly string[]): Promise<void> {
  const at = toTimestamp(0);
  for (let from = 0; from < ids.length; from += EDITS) {
    const edits = ids.slice(from, from + EDITS).map((id, index) => ({
      id: id as ItemId,
      edit_id: `edit-${String(from + index)}` as EditId,
      available: true,
      updated_at: at,
    }));
    const key = `key-${String(from)}`;
    const when = { now: 1000, portalOffset: 0, timestampUnit: 1 };
    const { vendor, subject } = SESSION;
    await outbox.accept({ vendor, subject, lane: '', idempotencyKey: key, digest: key, edits, ...when });
  }
}

/** @param spread of every so many items the session may touch one */
function inventoryOf(items: number, spread: number): string[] {
  return Array.from({ length: items }, (_, at) => {
    const number = String(at).padStart(5, '0');
    // In the order of ids the permitted ones stand apart from the others; in that of changes they are spread among them.
    return at % spread === 0 ? `boat-${number}` : `${at % 2 === 0 ? 'a' : 'z'}-${number}`;
  });
}

/** What a route answers, page by page to the end. */
async function readAll(answer: Route['handle'], outbox: Outbox, path: string): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  let next: string | undefined;
  do {
    const cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
    const context: Partial<RouteContext> = { outbox };
    const read = await answer(pageRequest('GET', `${path}${cursor}`), SESSION, context as RouteContext, '');
    const body: unknown = await read.json();
    const page = path.startsWith('/v1/history') ? history.parse(body) : listing.parse(body);
    pages.push(('history' in page ? page.history : page.inventory).map(({ id }) => id));
    next = page.next;
  } while (next !== undefined);
  return pages;
}

describe('a session that is restricted to some items, page by page', () => {
  for (const [items, spread] of [
    [120, 1],
    [120, 7],
    [2500, 24],
  ] as const) {
    for (const limit of [1, 3, 100, 1000]) {
      it(`gets each visible item once: one of ${spread} among ${items} items, ${limit} per page`, async (t) => {
        const { outbox } = openProxy(t);
        const ids = inventoryOf(items, spread);
        await store(outbox, ids);
        const own = ids.filter((id) => id.startsWith('boat-'));

        for (const path of [`/v1/inventory?limit=${limit}`, `/v1/inventory?since=0&limit=${limit}`]) {
          const pages = await readAll(listInventory, outbox, path);

          assert.deepEqual(pages.flat(), own, path);
          // All are full but the last.
          for (const page of pages.slice(0, -1)) assert.equal(page.length, limit, path);
        }
      });
    }

    it(`gets each visible history entry once: one of ${spread} among ${items} items`, async (t) => {
      const { outbox } = openProxy(t);
      const ids = inventoryOf(items, spread);
      await store(outbox, ids);

      const pages = await readAll(readHistory, outbox, '/v1/history?');

      assert.deepEqual(pages.flat(), ids.filter((id) => id.startsWith('boat-')).reverse());
    });
  }
});

describe('a session whose visible items come after many others', () => {
  const routes: Readonly<Record<string, readonly [Route['handle'], string]>> = {
    'the listing': [listInventory, '/v1/inventory?limit=1'],
    'what changed': [listInventory, '/v1/inventory?since=0&limit=1'],
  };

  for (const [what, [answer, path]] of Object.entries(routes)) {
    it(`reads ${what} in few queries, and lets other requests run in between`, async (t) => {
      const { outbox } = openProxy(t);
      const others = Array.from({ length: 5000 }, (_, at) => `a-${String(at).padStart(5, '0')}`);
      await store(outbox, [...others, 'boat-1']);
      await outbox.revision(SESSION.vendor);
      const { counted, questions } = counting(outbox);
      const turns = countTurns(t);

      const pages = await readAll(answer, counted, path);

      assert.deepEqual(pages.flat(), ['boat-1']);
      if (path.startsWith('/v1/inventory?limit')) {
        // By ids only what it may see is read: once for the one, and once for what follows it.
        assert.equal(questions(), 2);
        return;
      }
      // The one that it may see fills a page of one, so that another page has to be asked for.
      assert.ok(questions() <= 9, `${String(questions())} questions`);
      assert.ok(turns() >= 4, `${String(turns())} turns`);
    });

    it(`reads ${what} with a bounded number of queries per response, and none for a client that has disconnected`, async (t) => {
      const { outbox } = openProxy(t);
      await store(
        outbox,
        Array.from({ length: 20_000 }, (_, at) => `a-${String(at).padStart(5, '0')}`),
      );
      const { counted, questions } = counting(outbox);
      const context = { outbox: counted } as RouteContext;

      const here = await answer(pageRequest('GET', path), SESSION, context, '');
      const asked = questions();
      const left = new Request(pageRequest('GET', path), { signal: AbortSignal.abort() });
      await answer(left, SESSION, context, '');

      const page = (await here.json()) as { next?: string };
      if (path.startsWith('/v1/inventory?limit')) assert.deepEqual([page.next, asked], [undefined, 1]);
      else assert.ok(page.next !== undefined && asked <= 5, `${String(asked)} questions, next ${String(page.next)}`);
      assert.equal(questions() - asked, 0);
    });
  }
});

describe('a history of which few edits match', () => {
  it('is read in bounded queries, and lets other requests run in between', async (t) => {
    const { outbox } = openProxy(t);
    await store(outbox, ['boat-1', ...Array.from({ length: 24_000 }, (_, at) => `a-${String(at).padStart(5, '0')}`)]);
    const turns = countTurns(t);

    const pages = await readAll(readHistory, outbox, '/v1/history?');

    assert.deepEqual(pages, [[], ['boat-1']]);
    assert.ok(turns() >= 4, `${String(turns())} turns`);
  });
});

function counting(outbox: Outbox): { readonly counted: Outbox; readonly questions: () => number } {
  let questions = 0;
  return {
    counted: {
      ...outbox,
      list: (...asked) => {
        questions += 1;
        return outbox.list(...asked);
      },
    },
    questions: () => questions,
  };
}

/** How often something else had its turn. */
function countTurns(t: TestContext): () => number {
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  t.after(() => {
    clearImmediate(next);
  });
  return () => turns;
}

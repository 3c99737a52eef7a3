import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { listing, type Listing } from '../../../src/contract/widget.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const UPDATED_AT = '2026-11-21T08:30:00.000Z';

// In the order of code points, which is not that of UTF-16 nor of any language.
const IDS = ['A', 'Z', 'a', 'a b', 'a/b', 'a1', 'a10', 'a2', 'é', '中', '\uffee', '\u{1f6f6}'];

describe('the listing', () => {
  for (const limit of [1, 2, 5, IDS.length, 1000]) {
    it(`is complete and in the order of code points with ${limit} items per page`, async (t) => {
      const fixture = openProxy(t);
      await post(fixture, [...IDS].reverse());

      const pages = await readToTheEnd(fixture, limit);

      assert.deepEqual(
        pages.flatMap(({ inventory }) => inventory.map(({ id }) => id)),
        IDS,
      );
      for (const { inventory } of pages) assert.ok(inventory.length <= limit);
      // A last page that is full cannot know that it is the last.
      assert.equal(pages.length, Math.floor(IDS.length / limit) + 1);
    });
  }

  it('returns 100 items per page by default', async (t) => {
    const fixture = openProxy(t);
    await post(
      fixture,
      Array.from({ length: 101 }, (_, at) => `item-${String(at).padStart(3, '0')}`),
    );

    const { inventory, next } = await page(fixture, '/v1/inventory');

    assert.equal(inventory.length, 100);
    assert.equal(next, 'item-099');
  });

  it('is compressed if it is long and the client accepts gzip', async (t) => {
    const fixture = openProxy(t);
    const token = await embedToken();
    await post(
      fixture,
      Array.from({ length: 100 }, (_, at) => `item-${String(at)}`),
    );
    const list = (query: string, accepted?: string) =>
      fixture.ask('GET', `/v1/inventory${query}`, { token, headers: { 'Accept-Encoding': accepted } });

    const plain = await (await list('')).text();
    const packed = await list('', 'gzip, deflate, br');
    const refused = await list('', 'gzip;q=0');
    const short = await list('?limit=1', 'gzip, deflate, br');

    const bytes = new Uint8Array(await packed.arrayBuffer());
    assert.equal(packed.headers.get('Content-Encoding'), 'gzip');
    assert.equal(String(gunzipSync(bytes)), plain);
    assert.ok(bytes.length < plain.length / 4, `${String(bytes.length)} of ${String(plain.length)}`);
    assert.equal(await refused.text(), plain);
    assert.equal(refused.headers.get('Content-Encoding'), null);
    assert.equal(short.headers.get('Content-Encoding'), null);
  });

  it('is empty for a vendor without edits', async (t) => {
    const fixture = openProxy(t);

    assert.deepEqual(await page(fixture, '/v1/inventory'), { inventory: [], revision: 0 });
  });

  it('shows the newest edit of an item', async (t) => {
    const fixture = openProxy(t);
    await post(fixture, ['kayak'], true);
    await post(fixture, ['kayak'], false);

    const { inventory } = await page(fixture, '/v1/inventory');

    assert.deepEqual(
      inventory.map(({ id, available, state }) => ({ id, available, state })),
      [{ id: 'kayak', available: false, state: 'received' }],
    );
  });

  it('keeps the label of an earlier edit if a later one has none', async (t) => {
    const fixture = openProxy(t);
    await post(fixture, ['kayak'], true, 'Kayak tour');
    await post(fixture, ['kayak'], false);

    const { inventory } = await page(fixture, '/v1/inventory');

    assert.equal(inventory[0]?.label, 'Kayak tour');
  });
});

async function post(fixture: OpenProxy, ids: readonly string[], available = true, label?: string): Promise<void> {
  const body = { inventory: ids.map((id) => ({ id, available, updated_at: UPDATED_AT, label })) };
  const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body });
  assert.equal(answer.status, 202);
}

async function page(fixture: OpenProxy, path: string): Promise<Listing> {
  const answer = await fixture.ask('GET', path, { token: await embedToken() });
  return listing.parse(await answer.json());
}

async function readToTheEnd(fixture: OpenProxy, limit: number): Promise<Listing[]> {
  const pages: Listing[] = [];
  for (let next: string | undefined = ''; next !== undefined; next = pages.at(-1)?.next) {
    assert.ok(pages.length <= IDS.length + 1, 'pages without end');
    const cursor = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
    pages.push(await page(fixture, `/v1/inventory?limit=${limit}${cursor}`));
  }
  return pages;
}

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ListFetcher, type ListAnswer } from '../../../src/proxy/listing/fetch-list.js';
import { answering, GRANT, lanesTo } from '../../support/portal-by-profile.js';
import {
  body,
  cutShort,
  endless,
  servePortal,
  status,
  type Answer,
  type PortalServer,
} from '../../support/portal-server.js';

const KAYAK = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' };
const CANOE = { id: 'canoe', available: false, updated_at: '2026-11-21T08:31:00.000Z' };

const always = (): Promise<boolean> => Promise.resolve(true);

interface Fetched {
  readonly portal: PortalServer;
  readonly answer: ListAnswer;
  /** Paths of the calls after the token request. */
  readonly paths: readonly string[];
}

async function fetchList(t: TestContext, listing: object, ...answers: readonly Answer[]): Promise<Fetched> {
  const portal = await servePortal(t, GRANT, ...answers);
  const lanes = lanesTo(portal, { listing: { path: '/v1/items', ...listing } });
  assert.ok(lanes.listing);
  const answer = await new ListFetcher(lanes.accessTo('')).fetch(lanes.listing, 'boat tours', always);
  return { portal, answer, paths: portal.seen.map(({ path }) => path).filter((path) => !path.includes('oauth')) };
}

function valuesOf(answer: ListAnswer): readonly object[] {
  return answer.kind === 'read' ? answer.values : assert.fail(JSON.stringify(answer));
}

function failureOf(answer: ListAnswer): string {
  return answer.kind === 'failed' ? answer.failure : assert.fail(answer.kind);
}

describe("the portal's list", () => {
  it('is read with the token, and may be one answer', async (t) => {
    const { portal, answer } = await fetchList(t, { paging: 'none' }, answering(200, { inventory: [KAYAK, CANOE] }));

    assert.deepEqual(valuesOf(answer), [KAYAK, CANOE]);
    const [, call] = portal.seen;
    assert.deepEqual([call?.method, call?.headers.Authorization, call?.body], ['GET', 'Bearer token-1', '']);
  });

  it('is read page by page by a cursor', async (t) => {
    const { answer, paths } = await fetchList(
      t,
      { path: '/v1/items?size=1', paging: 'cursor', parameter: 'after', cursor: '/meta/next' },
      answering(200, { inventory: [KAYAK], meta: { next: 'b&c=1' } }),
      answering(200, { inventory: [CANOE], meta: { next: null } }),
    );

    assert.deepEqual(valuesOf(answer), [KAYAK, CANOE]);
    assert.deepEqual(paths, ['/v1/items?size=1', '/v1/items?size=1&after=b%26c%3D1']);
  });

  it('is read page by page by a number, until a page has nothing new', async (t) => {
    const { answer, paths } = await fetchList(
      t,
      { paging: 'page' },
      answering(200, { inventory: [KAYAK] }),
      answering(200, { inventory: [CANOE] }),
      answering(200, { inventory: [CANOE] }),
    );

    assert.deepEqual(valuesOf(answer), [KAYAK, CANOE]);
    assert.deepEqual(paths, ['/v1/items?page=1', '/v1/items?page=2', '/v1/items?page=3']);
  });

  it('ends with the page before one that the portal does not have', async (t) => {
    const { answer } = await fetchList(t, { paging: 'page' }, answering(200, { inventory: [KAYAK] }), status(404));

    assert.deepEqual(valuesOf(answer), [KAYAK]);
  });

  it('is read page by page by the Link header, whatever else that says', async (t) => {
    const link = '</v1/items?a=1>; rel="prev", <items?a=%2C;2>; title="a, b; c"; rel="last next"';
    const { answer, paths } = await fetchList(
      t,
      { paging: 'link' },
      body(JSON.stringify({ inventory: [KAYAK] }), 'application/json', { Link: link }),
      body(JSON.stringify({ inventory: [CANOE] }), 'application/json', { Link: '</v1/items>; rel=first' }),
    );

    assert.deepEqual(valuesOf(answer), [KAYAK, CANOE]);
    assert.deepEqual(paths, ['/v1/items', '/v1/items?a=%2C;2']);
  });

  it('is read by the JSON pointers of the profile', async (t) => {
    const { answer } = await fetchList(
      t,
      { paging: 'none', items: '', id: '/sku', available: '/stock/open', updated_at: '/at', label: '/name' },
      answering(200, [
        { sku: 17, stock: { open: true }, at: '2026-11-21T09:30:00+01:00', name: 'Kayak tour' },
        { sku: 'canoe', stock: {} },
      ] as unknown as object),
    );

    assert.deepEqual(valuesOf(answer), [
      { id: '17', available: true, updated_at: '2026-11-21T08:30:00.000Z', label: 'Kayak tour' },
      { id: 'canoe' },
    ]);
  });

  it('skips invalid entries and counts them', async (t) => {
    const entries = [7, null, { id: '' }, { id: 'a\u0000b', available: true }, { ...KAYAK, available: 'yes' }, CANOE];

    const { answer } = await fetchList(t, { paging: 'none' }, answering(200, { inventory: entries }));

    assert.deepEqual(valuesOf(answer), [CANOE]);
    assert.equal(answer.kind === 'read' && answer.leftOut, 5);
  });

  it('may be asked for by POST, with the name of the vendor in its path', async (t) => {
    const { portal, paths } = await fetchList(
      t,
      { path: '/v1/{vendor}/items', method: 'POST', paging: 'none', headers: { 'X-Version': '2' } },
      answering(200, { inventory: [] }),
    );

    assert.deepEqual(paths, ['/v1/boat%20tours/items']);
    assert.deepEqual([portal.seen[1]?.body, portal.seen[1]?.headers['X-Version']], ['{}', '2']);
  });

  it('is requested once more with a new token after a 401, and not a third time', async (t) => {
    const renewed = await fetchList(t, { paging: 'none' }, status(401), GRANT, answering(200, { inventory: [KAYAK] }));
    const refused = await fetchList(t, { paging: 'none' }, status(401), GRANT, status(401));

    assert.deepEqual(valuesOf(renewed.answer), [KAYAK]);
    assert.equal(failureOf(refused.answer), 'the portal answered 401');
    assert.equal(refused.paths.length, 2);
  });

  it('does not throw away the token of deliveries at each reading where that may not read', async (t) => {
    const portal = await servePortal(t, GRANT, status(401), GRANT, status(401));
    const lanes = lanesTo(portal, { listing: { path: '/v1/items', paging: 'none' } });
    assert.ok(lanes.listing);
    const list = new ListFetcher(lanes.accessTo(''));

    for (let reading = 0; reading < 5; reading += 1) await list.fetch(lanes.listing, '', always);

    assert.equal(portal.seen.filter(({ path }) => path.includes('oauth')).length, 2);
  });

  it('is not requested if the rate limit leaves no call', async (t) => {
    const portal = await servePortal(t, GRANT);
    const lanes = lanesTo(portal, { listing: { path: '/v1/items', paging: 'none' } });
    assert.ok(lanes.listing);

    const answer = await new ListFetcher(lanes.accessTo('')).fetch(lanes.listing, '', () => Promise.resolve(false));

    assert.deepEqual(answer, { kind: 'given up' });
    assert.equal(portal.seen.length, 0);
  });
});

describe("the portal's list fails as a whole", () => {
  const page = (link: string): Answer => body('{"inventory":[]}', 'application/json', { Link: link });
  const elsewhere = 'the next page is at another address than PORTAL_BASE_URL';
  const failures: readonly (readonly [what: string, listing: object, answers: readonly Answer[], failure: string])[] = [
    ['is no success', { paging: 'none' }, [status(500)], 'the portal answered 500'],
    ['is a redirect', { paging: 'none' }, [status(302, { Location: '/v2' })], 'the portal answered 302'],
    ['is a web page', { paging: 'none' }, [body('<p>', 'text/html')], 'no array at listing.items (/inventory)'],
    [
      'has its items elsewhere',
      { paging: 'none' },
      [answering(200, { items: [] })],
      'no array at listing.items (/inventory)',
    ],
    ['ends in the middle', { paging: 'none' }, [cutShort], 'UND_ERR_SOCKET'],
    ['has no end', { paging: 'none' }, [endless(() => undefined)], 'its answer has more than 1048576 bytes'],
    ['names a page at another host', { paging: 'link' }, [page('<https://evil.example.com/>; rel=next')], elsewhere],
    ['names a page that is no address', { paging: 'link' }, [page('<http://[>; rel=next')], elsewhere],
    [
      'names itself as the next page',
      { paging: 'link' },
      [page('</v1/items>; rel=next')],
      'a page names one before it as the next',
    ],
    [
      'goes round in a circle',
      { paging: 'cursor' },
      [answering(200, { inventory: [], next: 'a' })],
      'a page names one before it as the next',
    ],
    [
      'has a cursor that is none',
      { paging: 'cursor' },
      [answering(200, { inventory: [], next: {} })],
      'no cursor at listing.cursor',
    ],
  ];
  for (const [what, listing, answers, failure] of failures) {
    it(`where it ${what}`, async (t) => {
      const { answer } = await fetchList(t, listing, ...answers);

      assert.equal(failureOf(answer), failure);
    });
  }

  it('with the wait that the portal asks for', async (t) => {
    const { answer } = await fetchList(t, { paging: 'none' }, status(429, { 'Retry-After': '30' }));

    assert.equal(answer.kind === 'failed' && answer.afterMs, 30_000);
  });
});

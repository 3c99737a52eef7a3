import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSandboxPortal, type SandboxPortal } from '../../src/sandbox/sandbox-portal.js';
import { ask, CLIENT, getToken, JSON_TYPE, KAYAK, lastEntry } from './ask-portal.js';

const CANOE = { ...KAYAK, id: 'canoe', available: false };
const T0 = Date.parse('2026-11-21T09:00:00.000Z');

interface Listing {
  readonly inventory: readonly object[];
  readonly next?: string;
}

async function holding(habits: object, now: () => number = Date.now): Promise<SandboxPortal> {
  const portal = createSandboxPortal({ ...CLIENT, now });
  assert.equal((await ask(portal, 'PUT', '/sandbox/habits', JSON.stringify(habits))).status, 200);
  const headers = { ...JSON_TYPE, authorization: `Bearer ${await getToken(portal)}` };
  const inventory = JSON.stringify({ inventory: [KAYAK, CANOE] });
  assert.ok((await ask(portal, 'POST', '/v1/inventory', inventory, headers)).ok);
  return portal;
}

async function list(portal: SandboxPortal, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${await getToken(portal)}` };
  return ask(portal, 'GET', path, undefined, headers);
}

async function pageAt(portal: SandboxPortal, path: string): Promise<Listing> {
  return (await (await list(portal, path)).json()) as Listing;
}

describe('the list of the sandbox portal', () => {
  test('does not exist unless it is switched on', async () => {
    const portal = await holding({});

    assert.equal((await list(portal, '/v1/inventory')).status, 405);
  });

  test('requires a token, and is recorded in the journal', async () => {
    const portal = await holding({ list: 'all' });

    const without = await ask(portal, 'GET', '/v1/inventory', undefined, {});
    const withToken = await pageAt(portal, '/v1/inventory');

    assert.equal(without.status, 401);
    assert.deepEqual(withToken, { inventory: [KAYAK, CANOE] });
    assert.deepEqual([(await lastEntry(portal))?.kind, (await lastEntry(portal))?.status], ['list', 200]);
  });

  test('has pages by cursor', async () => {
    const portal = await holding({ list: 'cursor', list_page: 1 });

    const first = await pageAt(portal, '/v1/inventory');
    const second = await pageAt(portal, `/v1/inventory?cursor=${first.next ?? ''}`);

    assert.deepEqual([first.inventory, second], [[KAYAK], { inventory: [CANOE] }]);
  });

  test('has pages by number', async () => {
    const portal = await holding({ list: 'page', list_page: 1, list_path: '/v1/vendors/{vendor}/items' });

    const pages = await Promise.all(['1', '2', '3'].map((page) => pageAt(portal, `/v1/vendors/a/items?page=${page}`)));

    assert.deepEqual(pages, [{ inventory: [KAYAK] }, { inventory: [CANOE] }, { inventory: [] }]);
  });

  test('has pages by the Link header', async () => {
    const portal = await holding({ list: 'link', list_page: 1 });

    const first = await list(portal, '/v1/inventory');
    const second = await list(portal, '/v1/inventory?cursor=1');

    assert.equal(first.headers.get('Link'), '</v1/inventory?cursor=1>; rel="next"');
    assert.equal(second.headers.get('Link'), null);
  });

  test('shows a value that was changed at the portal itself', async () => {
    const portal = await holding({ list: 'all' }, () => T0);

    const changed = await ask(portal, 'POST', '/sandbox/items', JSON.stringify({ id: 'kayak', available: false }));

    assert.equal(changed.status, 200);
    const [kayak] = (await pageAt(portal, '/v1/inventory')).inventory;
    assert.deepEqual(kayak, { id: 'kayak', available: false, updated_at: new Date(T0).toISOString() });
  });

  test('does not show accepted values before they are applied', async () => {
    let now = T0;
    const portal = await holding({ list: 'all', taken_status: 202, applied_after: 1000 }, () => now);

    const before = await pageAt(portal, '/v1/inventory');
    now += 1000;
    const after = await pageAt(portal, '/v1/inventory');

    assert.deepEqual([before.inventory, after.inventory], [[], [KAYAK, CANOE]]);
  });
});

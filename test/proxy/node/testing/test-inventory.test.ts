import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { session } from '../../../../src/contract/widget.js';
import {
  createTestInventory as createWithScript,
  FIXTURES,
  type TestInventory,
  type TestInventoryOptions,
} from '../../../../src/proxy/node/testing/test-inventory.js';

const ORIGIN = 'https://admin.example.com';

/** The sources are in another folder than the built package, so the script directory has to be given. */
function createTestInventory(options: TestInventoryOptions = {}): Promise<TestInventory> {
  return createWithScript({ widgetDirectory: 'dist/widget', ...options });
}

async function inventoryFor(t: TestContext, options?: TestInventoryOptions): Promise<TestInventory> {
  const inventory = await createTestInventory(options);
  t.after(() => inventory.close());
  return inventory;
}

async function change(inventory: TestInventory, id: string, available: boolean): Promise<number> {
  const headers = {
    Authorization: `Bearer ${await inventory.token()}`,
    Origin: ORIGIN,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
    'X-Requested-With': 'inventory-widget',
  };
  const body = JSON.stringify({ inventory: [{ id, available, updated_at: new Date().toISOString() }] });
  return (await inventory.fetch(new Request(`${inventory.url}/v1/inventory`, { method: 'POST', headers, body })))
    .status;
}

describe('the backend for tests', () => {
  it('delivers an edit to the portal without listening on a port', async (t) => {
    const inventory = await inventoryFor(t);

    const status = await change(inventory, 'kayak-tour-1', false);
    await inventory.settled();

    assert.equal(status, 202);
    assert.deepEqual([...(await inventory.portal.items())], [['kayak-tour-1', false]]);
    const kinds = (await inventory.portal.journal()).map(({ kind, status: answered }) => [kind, answered]);
    assert.deepEqual(kinds, [
      ['token', 200],
      ['update', 200],
    ]);
  });

  it('answers the session route with a token that the proxy accepts', async (t) => {
    const inventory = await inventoryFor(t);
    const asked = new Request(`${inventory.url}/inventory-session`, { method: 'POST', headers: { Origin: ORIGIN } });

    const answer = await inventory.fetch(asked);
    const { token } = (await answer.json()) as { token: string };
    const headers = { Authorization: `Bearer ${token}`, Origin: ORIGIN };
    const found = await inventory.fetch(new Request(`${inventory.url}/v1/session`, { headers }));

    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), ORIGIN);
    const { vendor, subject } = session.parse(await found.json());
    assert.deepEqual([vendor, subject], [FIXTURES.person.vendor, FIXTURES.person.subject]);
  });

  it('has a portal with faults that a test can switch on', async (t) => {
    const inventory = await inventoryFor(t);
    await change(inventory, 'room-sea', true);
    await inventory.settled();
    await inventory.portal.misbehave({ refuse_items: ['kayak-tour-1'] });

    await change(inventory, 'kayak-tour-1', false);
    await inventory.settled();

    assert.deepEqual([...(await inventory.portal.items()).keys()], ['room-sea']);
    await assert.rejects(inventory.portal.misbehave({ nonsense: true } as never), TypeError);
  });

  it('can be another variant of the portal, with a matching profile', async (t) => {
    const inventory = await inventoryFor(t, {
      habits: { idempotency_header: 'Idempotency-Key' },
      profile: { idempotency: { header: 'Idempotency-Key' } },
    });

    await change(inventory, 'room-sea', false);
    await inventory.settled();

    assert.equal((await inventory.portal.items()).get('room-sea'), false);
  });

  it('serves the script of the elements, and explains why it refuses a session', async (t) => {
    const inventory = await inventoryFor(t);

    const script = await inventory.fetch(new Request(`${inventory.url}/widget.js`));
    const headers = { Authorization: `Bearer ${await inventory.token({ issuer: 'https://b.example.com' })}` };
    const refused = await inventory.fetch(new Request(`${inventory.url}/v1/session`, { headers }));

    assert.equal(script.status, 200);
    assert.match(await refused.text(), /SESSION_ISSUER/);
  });

  it('passes the unit test of its README', async (t) => {
    const [, example = ''] =
      /## In a unit test\n[^]*?```ts\n([^]*?)```/.exec(readFileSync('src/proxy/node/testing/README.md', 'utf8')) ?? [];
    const code = example
      .replace(/^import [^]*?;\n/gm, '')
      .replace(/^it\('.*', async \(t\) => \{\n/m, '')
      .replace(/\n\}\);\s*$/, '');
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

    const run = new AsyncFunction('assert', 'createTestInventory', 't', code) as (...given: unknown[]) => Promise<void>;

    await run(assert, createTestInventory, t);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listing, receipts } from '../../../src/contract/widget.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const EDIT = { available: true, updated_at: '2026-11-21T08:30:00.000Z' };
const VENDORS = ['boat-tours', 'weavers'] as const;

type Vendor = (typeof VENDORS)[number];

interface Post {
  readonly vendor: Vendor;
  readonly ids: readonly string[];
}

const posts: fc.Arbitrary<Post[]> = fc.array(
  fc.record({
    vendor: fc.constantFrom(...VENDORS),
    ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1, maxLength: 4 }),
  }),
  { maxLength: 12 },
);

describe('two vendors at one proxy', () => {
  it('an item belongs to the vendor that edited it first, and another vendor gets item_unknown', async (t) => {
    const fixture = openProxy(t);
    await post(fixture, 'boat-tours', ['kayak']);

    const answer = await post(fixture, 'weavers', ['loom', 'kayak']);

    const { errors } = await expectProblem(answer, 'item_unknown');
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/inventory/1'],
    );
    assert.deepEqual(await listedIds(fixture, 'weavers'), []);
  });

  it('an item of another vendor and one outside the session get the same response', async (t) => {
    const fixture = openProxy(t);
    await post(fixture, 'boat-tours', ['kayak']);
    const confined = await embedToken({ vendor: 'weavers', items: ['loom'] });
    const body = { inventory: [{ id: 'kayak', ...EDIT }] };

    const foreign = await post(fixture, 'weavers', ['kayak']);
    const outside = await fixture.ask('POST', '/v1/inventory', { token: confined, body });

    const one = await expectProblem(foreign, 'item_unknown');
    const other = await expectProblem(outside, 'item_unknown');
    assert.deepEqual({ ...one, request_id: '' }, { ...other, request_id: '' });
  });

  it('each vendor gets what it posted, and nothing of the other', async (t) => {
    // One file serves all runs: item ids carry the run, so that no run meets another.
    const fixture = openProxy(t);
    let run = 0;

    await fc.assert(
      fc.asyncProperty(posts, async (batches) => {
        run += 1;
        const own = { 'boat-tours': new Set<string>(), weavers: new Set<string>() };
        const edits = { 'boat-tours': new Set<string>(), weavers: new Set<string>() };
        for (const { vendor, ids } of batches) {
          const other = VENDORS.find((name) => name !== vendor) ?? vendor;
          const named = ids.map((id) => `run-${run}-${id}`);
          const answer = await post(fixture, vendor, named);
          const isForeign = named.some((id) => own[other].has(id));
          assert.equal(answer.status, isForeign ? 404 : 202);
          if (isForeign) continue;
          for (const id of named) own[vendor].add(id);
          for (const receipt of receipts.parse(await answer.json()).receipts) edits[vendor].add(receipt.edit_id);
        }

        for (const vendor of VENDORS) {
          const seen = (await listedIds(fixture, vendor)).filter((id) => id.startsWith(`run-${run}-`));
          const told = await receiptIds(fixture, vendor, [...edits['boat-tours'], ...edits.weavers]);
          assert.deepEqual(seen, [...own[vendor]].sort());
          assert.deepEqual(new Set(told), edits[vendor]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

async function post(fixture: OpenProxy, vendor: Vendor, ids: readonly string[]): Promise<Response> {
  const body = { inventory: ids.map((id) => ({ id, ...EDIT })) };
  return fixture.ask('POST', '/v1/inventory', { token: await embedToken({ vendor }), body });
}

async function listedIds(fixture: OpenProxy, vendor: Vendor): Promise<string[]> {
  const answer = await fixture.ask('GET', '/v1/inventory?limit=1000', { token: await embedToken({ vendor }) });
  return listing.parse(await answer.json()).inventory.map(({ id }) => id);
}

async function receiptIds(fixture: OpenProxy, vendor: Vendor, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const answer = await fixture.ask('GET', `/v1/receipts?ids=${ids.join(',')}`, { token: await embedToken({ vendor }) });
  return receipts.parse(await answer.json()).receipts.map(({ edit_id }) => edit_id);
}

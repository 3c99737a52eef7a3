import assert from 'node:assert/strict';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { batch, edit } from '../proxy/outbox/outbox-contract.js';
import { askerOf } from './asker.js';

const ITEMS = [
  { id: 'boat', vendor: 'vendor-a', revision: 8, newest: 5 },
  { id: 'room', vendor: 'vendor-b', revision: 7, newest: 4 },
  { id: 'tour', vendor: 'vendor-b', revision: 9, newest: 6 },
];
/** Number 3 has been pruned. */
const EDITS = [
  { seq: 1, item: 'boat', vendor: 'vendor-a' },
  { seq: 2, item: 'tour', vendor: 'vendor-b' },
  { seq: 4, item: 'room', vendor: 'vendor-b' },
  { seq: 5, item: 'boat', vendor: 'vendor-a' },
  { seq: 6, item: 'tour', vendor: 'vendor-b' },
];

/**
 * What the tables of version 2 held, before each vendor had numbers of its own.
 *
 * @param itemOf what an edit names its item by
 */
export function oldRows(itemOf: (id: string) => string): string {
  const items = ITEMS.map(
    ({ id, vendor, revision, newest }) => `INSERT INTO item (id, vendor, last_stamp, revision, shown, plain)
      VALUES ('${id}', '${vendor}', ${String(newest)}, ${String(revision)}, ${String(newest)}, ${String(newest)})`,
  );
  const edits = EDITS.map(
    ({
      seq,
      item,
      vendor,
    }) => `INSERT INTO edit (seq, vendor, subject, edit_id, item, lane, bulk, available, clicked_at,
      stamp, accepted_at, state, settled_at) VALUES (${String(seq)}, '${vendor}', 'person', 'old-${String(seq)}',
      ${itemOf(item)}, '', FALSE, TRUE, '2026-06-01T08:00:00.000Z', ${String(seq)}, 1, 'delivered', 2)`,
  );
  const book = 'UPDATE book SET seq = 6, revision = 9, accepted = 6, delivered = 5, pruned = 1';
  return [...items, ...edits, book].join(';\n');
}

/** Nothing is lost, each vendor counts from 1, and a page that was told a revision reads on from it. */
export async function expectNumbered(outbox: Outbox): Promise<void> {
  const numbersOf = async (vendor: string) => {
    const entries = await outbox.history(vendor, { limit: 9 });
    return entries.map(({ seq, edit_id }) => [seq, edit_id]);
  };
  assert.deepEqual(await numbersOf('vendor-a'), [
    [2, 'old-5'],
    [1, 'old-1'],
  ]);
  assert.deepEqual(await numbersOf('vendor-b'), [
    [3, 'old-6'],
    [2, 'old-4'],
    [1, 'old-2'],
  ]);
  assert.deepEqual(
    (await outbox.list(askerOf('vendor-b'), { since: 7, limit: 9 })).map(({ id, revision }) => [id, revision]),
    [['tour', 9]],
  );

  const [again, more] = [edit('boat', false), edit('quay', true)];
  await outbox.accept(batch([again, more], { vendor: 'vendor-a' }));

  assert.deepEqual((await numbersOf('vendor-a')).slice(0, 2), [
    [4, more.edit_id],
    [3, again.edit_id],
  ]);
  assert.deepEqual(
    (await outbox.list(askerOf('vendor-a'), { since: 8, limit: 9 })).map(({ id, revision }) => [id, revision]),
    [
      ['boat', 9],
      ['quay', 10],
    ],
  );
  const { accepted, received, delivered, pruned } = await outbox.count();
  assert.deepEqual([accepted, received, delivered, pruned], [8, 2, 5, 1]);
}

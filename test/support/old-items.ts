import assert from 'node:assert/strict';
import type { ItemId } from '../../src/domain/item.js';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { batch, edit } from '../proxy/outbox/outbox-contract.js';
import { askerOf } from './asker.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const WANT = { now: T0, leaseMs: 30_000, unsureMs: 20_000 };

/** Of `pier` nothing counts any more, and its older edits have been pruned. */
const ITEMS = `INSERT INTO item (id, vendor, label, last_stamp, revision, shown, plain, unsure_until, unsure_seq, again_at)
  VALUES ('boat', 'vendor-a', 'A boat', 5, 3, 5, 5, NULL, NULL, NULL),
    ('room', 'vendor-b', NULL, 4, 2, 4, 4, ${String(T0 + 5)}, 2, ${String(T0 + 5)}),
    ('pier', 'vendor-b', NULL, 3, 1, NULL, NULL, NULL, NULL, NULL)`;

/** Number 1, of the pier, is gone. */
const EDITS = [
  { seq: 2, number: 1, item: 'room', vendor: 'vendor-b', lane: 'vendor-b', state: 'superseded', more: '2, NULL, NULL' },
  { seq: 3, number: 2, item: 'pier', vendor: 'vendor-b', lane: 'vendor-b', state: 'discarded', more: '2, NULL, NULL' },
  {
    seq: 4,
    number: 3,
    item: 'room',
    vendor: 'vendor-b',
    lane: 'vendor-b',
    state: 'delivered',
    more: `2, ${T0 + 5}, NULL`,
  },
  { seq: 5, number: 1, item: 'boat', vendor: 'vendor-a', lane: '', state: 'received', more: 'NULL, 0, 0' },
];

/**
 * What the tables held when an id was one vendor's over all lanes.
 *
 * @param itemOf what an edit names its item by
 */
export function oldItems(itemOf: (id: string) => string): string {
  const edits = EDITS.map(
    ({
      seq,
      number,
      item,
      vendor,
      lane,
      state,
      more,
    }) => `INSERT INTO edit (seq, number, vendor, subject, edit_id, item, lane,
      bulk, available, clicked_at, stamp, accepted_at, state, settled_at, due_at, turn) VALUES (${String(seq)},
      ${String(number)}, '${vendor}', 'person', 'old-${String(seq)}', ${itemOf(item)}, '${lane}', FALSE, TRUE,
      '2026-06-01T08:00:00.000Z', ${String(seq)}, 1, '${state}', ${more})`,
  );
  const book = `UPDATE book SET seq = 5, accepted = 5, received = 1, delivered = 1, superseded = 1, discarded = 1, pruned = 1`;
  return [ITEMS, ...edits, book].join(';\n');
}

/** Nothing is lost, whoever had an id still has it in its lane, and elsewhere it is free. */
export async function expectItemsOfVendors(outbox: Outbox): Promise<void> {
  const told = async (vendor: string) => {
    const items = await outbox.list(askerOf(vendor), { since: 0, limit: 9 });
    const entries = await outbox.history(vendor, { limit: 9 });
    return [
      items.map(({ id, state, label, revision }) => [id, state, label, revision]),
      entries.map(({ seq, id }) => [seq, id]),
    ];
  };
  assert.deepEqual(await told('vendor-a'), [[['boat', 'received', 'A boat', 3]], [[1, 'boat']]]);
  assert.deepEqual(await told('vendor-b'), [
    [
      ['pier', undefined, undefined, 1],
      ['room', 'delivered', undefined, 2],
    ],
    [
      [3, 'room'],
      [2, 'pier'],
      [1, 'room'],
    ],
  ]);

  const answers = [
    await outbox.accept(batch([edit('boat', false)], { vendor: 'vendor-b', lane: '' })),
    await outbox.accept(batch([edit('boat', false)], { vendor: 'vendor-b', lane: 'vendor-b' })),
    await outbox.accept(batch([edit('room', true)], { vendor: 'vendor-a', lane: '' })),
    await outbox.accept(batch([edit('boat', false)], { vendor: 'vendor-a', lane: '' })),
  ];

  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ['item_unknown', 'accepted', 'accepted', 'accepted'],
  );
  const own = await outbox.history('vendor-a', { item: 'boat' as ItemId, limit: 9 });
  assert.deepEqual(
    own.map(({ edit_id, state }) => [edit_id.startsWith('old'), state]),
    [
      [false, 'received'],
      [true, 'superseded'],
    ],
  );
  const due: [lane: string, items: string[]][] = [];
  for (let lanes = 0; lanes < 2; lanes += 1) {
    const held = await outbox.leaseLane({ ...WANT, now: T0 + 5 });
    assert.ok(held);
    const edits = await outbox.due(held, T0 + 5, 9);
    due.push([held.lane, edits.map(({ id }) => id).sort()]);
  }
  assert.deepEqual(due.sort(), [
    ['', ['boat', 'room']],
    ['vendor-b', ['boat', 'room']],
  ]);
}

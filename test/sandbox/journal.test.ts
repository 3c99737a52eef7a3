import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PortalItem } from '../../src/contract/portal.js';
import { toTimestamp } from '../../src/domain/item.js';
import { Journal, type RequestHead } from '../../src/sandbox/journal.js';

const HEAD: RequestHead = {
  at: toTimestamp(0),
  kind: 'update',
  method: 'POST',
  path: '/v1/inventory',
  headers: [],
  content_type: null,
  user_agent: null,
};

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, available: true, updated_at: HEAD.at }) as PortalItem);

const sequences = (journal: Journal, after = 0) => journal.after(after).entries.map(({ seq }) => seq);

test('a full journal drops its oldest entries and counts them', () => {
  const journal = new Journal({ entries: 3, items: 100 });

  for (let count = 0; count < 5; count += 1) journal.open(HEAD);

  assert.deepEqual(sequences(journal), [3, 4, 5]);
  assert.deepEqual(sequences(journal, 3), [4, 5]);
  assert.deepEqual([journal.after(0).last, journal.after(0).dropped], [5, 2]);
});

test('a journal drops old entries if updates have too many items', () => {
  const journal = new Journal({ entries: 100, items: 10 });

  for (let count = 0; count < 3; count += 1) journal.amend(journal.open(HEAD), { inventory: items(4) });

  assert.deepEqual(sequences(journal), [2, 3]);
  assert.equal(journal.after(0).dropped, 1);
});

test('items of a dropped entry no longer count towards the limit', () => {
  const journal = new Journal({ entries: 2, items: 10 });
  journal.amend(journal.open(HEAD), { inventory: items(10) });
  journal.open(HEAD);
  journal.open(HEAD);

  journal.amend(3, { inventory: items(10) });

  assert.deepEqual(sequences(journal), [2, 3]);
});

test('an amendment of a dropped entry does not restore it', () => {
  const journal = new Journal({ entries: 1, items: 10 });
  const first = journal.open(HEAD);
  journal.open(HEAD);

  journal.amend(first, { status: 200, inventory: items(10) });

  assert.deepEqual(sequences(journal), [2]);
});

test('a page that was read does not change with later amendments', () => {
  const journal = new Journal();
  const seq = journal.open(HEAD);
  const page = journal.after(0);

  journal.amend(seq, { status: 200, applied: true });

  assert.equal(page.entries[0]?.status, null);
  assert.equal(journal.after(0).entries[0]?.status, 200);
});

test('a journal keeps a hundred thousand entries by default', () => {
  const journal = new Journal();

  for (let count = 0; count < 100_001; count += 1) journal.open(HEAD);

  assert.equal(journal.after(0).entries.length, 100_000);
  assert.equal(journal.after(0).dropped, 1);
});

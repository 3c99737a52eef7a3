import assert from 'node:assert/strict';
import { describe } from 'node:test';
import Database from 'better-sqlite3';
import type { EditId } from '../../../src/domain/edit.js';
import { namesOf } from '../../../src/proxy/names.js';
import { SqliteKnownNames } from '../../../src/proxy/node/sqlite-known-names.js';
import { plannedOnce } from '../../../src/proxy/node/sqlite-statements.js';
import type { Acceptance, AcceptedEdit } from '../../../src/proxy/outbox.js';
import type { OutboxFile } from '../../support/outbox-file.js';
import { testOnFile as test } from '../../support/outbox-file.js';
import { batch, edit } from '../outbox-contract.js';

/** More than are read in one go. */
const MANY = 4_500;
const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const HOUR = 60 * 60_000;

/** In rows: whoever reads has them unpacked. */
async function rowsOf(file: OutboxFile, wishes: readonly Acceptance[]): Promise<void> {
  const outbox = file.open();
  await Promise.all(wishes.map((wish) => outbox.accept(wish)));
  await outbox.revision('vendor-a');
  await outbox.close();
}

async function knownIn(file: OutboxFile): Promise<SqliteKnownNames> {
  const database = new Database(file.path, { readonly: true });
  const known = new SqliteKnownNames(plannedOnce(database));
  known.begin(() => undefined);
  while (known.among(namesOf({ items: ['nobody'] })).length > 0) await new Promise((resolve) => setImmediate(resolve));
  database.close();
  return known;
}

describe('the names that a SQLite file knows', () => {
  test('are all that an earlier process wrote, and hardly any other', async (file) => {
    const wishes = Array.from({ length: MANY }, (_, at) => batch([edit(`item-${String(at)}`, true)]));
    await rowsOf(file, wishes);

    const known = await knownIn(file);

    for (const { vendor, subject, idempotencyKey, edits } of wishes) {
      const [one] = edits as [AcceptedEdit];
      const key = { vendor, subject, key: idempotencyKey };
      const names = namesOf({ items: [one.id], edits: [one.edit_id], key });
      assert.deepEqual(known.among(names), [0, 1, 2]);
    }
    const others = namesOf({ items: Array.from({ length: MANY }, (_, at) => `other-${String(at)}`) });
    assert.ok(known.among(others).length < 20);
  });

  test('are not relied on before all are read', async (file) => {
    const wishes = Array.from({ length: MANY }, (_, at) => batch([edit(`item-${String(at)}`, true)]));
    await rowsOf(file, wishes);
    const last = wishes.at(-1) as Acceptance;
    const [one] = last.edits as [AcceptedEdit];

    const next = file.open();
    const answers = await Promise.all([
      next.accept({ ...last, digest: 'other' }),
      next.accept(batch([{ ...one, available: false }])),
      next.accept(batch([edit(one.id, false)], { vendor: 'vendor-b' })),
    ]);

    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['idempotency_key_reused', 'edit_id_reused', 'item_unknown'],
    );
  });

  test('are those of edits that a person wants sent again, too', async (file) => {
    const outbox = file.open();
    const seen = await outbox.accept(batch([edit('kayak', true)]));
    const base = seen.kind === 'accepted' ? seen.receipts[0]?.updated_at : undefined;
    await outbox.accept(batch([edit('kayak', false)], { now: T0 + 1000, subject: 'person-b' }));
    const late = edit('kayak', true, { base });
    await outbox.accept(batch([late], { now: T0 + HOUR, sentAt: T0 + HOUR }));
    const newId = 'again' as EditId;
    const verdict = { kind: 'retry', newId, portalOffset: 0, stampUnit: 1 } as const;
    const decided = await outbox.decide({ by: 'person-a', editId: late.edit_id, verdict, now: T0 + HOUR });

    const answer = await outbox.accept(batch([edit('sauna', true, { edit_id: newId })]));

    assert.deepEqual([decided.kind, answer], ['decided', { kind: 'edit_id_reused', indices: [0] }]);
  });
});

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import Database from 'better-sqlite3';
import type { ItemId } from '../../../src/domain/item.js';
import type { EditId } from '../../../src/domain/edit.js';
import {
  StorageFailed,
  type Acceptance,
  type Accepted,
  type AcceptedEdit,
  type Outbox,
} from '../../../src/proxy/outbox.js';
import { HIGH_WATER } from '../../../src/proxy/high-water.js';
import { namesOf } from '../../../src/proxy/names.js';
import { openDatabase } from '../../../src/proxy/node/sqlite-database.js';
import { SqliteKnownNames } from '../../../src/proxy/node/sqlite-known-names.js';
import type { ParcelHead } from '../../../src/proxy/node/sqlite-parcel-content.js';
import { SqliteParcels } from '../../../src/proxy/node/sqlite-parcels.js';
import { plannedOnce } from '../../../src/proxy/node/sqlite-statements.js';
import { askerOf } from '../../support/asker.js';
import { OutboxFile, testOnFile as test } from '../../support/outbox-file.js';
import { asWritten, told } from '../../support/written.js';
import { batch, edit } from '../outbox-contract.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const WANT = { leaseMs: 30_000, unsureMs: 20_000, now: T0 };
const ANA = askerOf('vendor-a');
const MANY = 300;
const HEAD: ParcelHead = {
  vendor: 'vendor-a',
  subject: 'person-a',
  name: null,
  lane: 'lane',
  bulk: 1,
  seq: 1,
  number: 1,
  accepted_at: T0,
  key: null,
  digest: null,
};

function bulk(from: string, edits = MANY, more: Partial<Acceptance> = {}): Acceptance {
  return batch(
    Array.from({ length: edits }, (_, at) => edit(`${from}-${String(at).padStart(3, '0')}`, true)),
    more,
  );
}

function rowsIn(file: OutboxFile): { readonly parcels: number; readonly edits: number; readonly items: number } {
  const database = new Database(file.path, { readonly: true });
  try {
    const count = (table: string): number => {
      return database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? NaN;
    };
    return { parcels: count('parcel'), edits: count('edit'), items: count('item') };
  } finally {
    database.close();
  }
}

/** Of each parcel what its row says; the row is a text. */
function contentsIn(file: OutboxFile): object[] {
  const database = new Database(file.path, { readonly: true });
  try {
    const rows = database.prepare<[], { type: string; content: string }>(
      'SELECT typeof(content) AS type, content FROM parcel',
    );
    return rows.all().map(({ type, content }) => ({ type, ...(JSON.parse(content) as object) }));
  } finally {
    database.close();
  }
}

/** What a key came with, once nothing is packed any more. */
async function keysIn(file: OutboxFile): Promise<unknown[]> {
  const outbox = file.open();
  await outbox.revision('vendor-a');
  await outbox.close();
  const database = new Database(file.path, { readonly: true });
  try {
    return database.prepare('SELECT * FROM idempotency').all();
  } finally {
    database.close();
  }
}

async function numbersOf(outbox: Outbox, edits: readonly AcceptedEdit[]): Promise<(readonly [string, number])[]> {
  const receipts = await outbox.receipts(
    ANA,
    edits.map(({ edit_id }) => edit_id),
  );
  return receipts.map(({ edit_id, seq }) => [edit_id, seq]);
}

/** By a process that ends before it has unpacked it. */
async function answeredBy(file: OutboxFile, wish: Acceptance): Promise<Accepted> {
  const outbox = file.open();
  const answer = await outbox.accept(wish);
  await outbox.close();
  return answer;
}

/** A process that ends before it has unpacked anything. */
async function packedBy(file: OutboxFile, ...batches: readonly Acceptance[]): Promise<void> {
  const outbox = file.open();
  await Promise.all(batches.map((one) => outbox.accept(one)));
  await outbox.close();
  assert.deepEqual(rowsIn(file), { parcels: batches.length, edits: 0, items: 0 });
}

describe('a bulk batch that a process wrote down and did not unpack', () => {
  test('is told by the next one as it was answered', async (file) => {
    const wish = bulk('item');
    const outbox = file.open();
    const answer = await outbox.accept(wish);
    await outbox.close();
    assert.deepEqual(rowsIn(file), { parcels: 1, edits: 0, items: 0 });

    const next = file.open();

    const told = await next.receipts(
      ANA,
      wish.edits.map(({ edit_id }) => edit_id),
    );
    assert.deepEqual(answer, { kind: 'accepted', receipts: told });
    const items = await next.list(ANA, { limit: 1000 });
    assert.deepEqual(
      items.map(({ id, revision, seq }) => [id, revision, seq]),
      wish.edits.map(({ id }, at) => [id, at + 1, at + 1]),
    );
    assert.equal((await next.history('vendor-a', { limit: 1000 })).length, MANY);
  });

  test('is told edit by edit, also where the first and the last of them are alike and others are not', async (file) => {
    const odd = { label: 'Old tent', base: '2026-05-01T08:00:00.000Z', updated_at: '2026-06-01T07:59:00.000Z' };
    const wish = bulk('item');
    const edits = wish.edits.map((one, at) =>
      at === 1 ? { ...one, ...odd, available: false } : one,
    ) as AcceptedEdit[];
    const answer = await packedBy(file, { ...wish, edits }).then(() => file.open());

    const items = await answer.list(ANA, { limit: 1000 });

    assert.deepEqual(
      items.slice(0, 3).map(({ available, label }) => [available, label]),
      [
        [true, undefined],
        [false, odd.label],
        [true, undefined],
      ],
    );
    // The same content under another key is the same edit; with another base it would not be.
    const again = await answer.accept({ ...wish, edits, idempotencyKey: 'another', digest: 'another' });
    assert.equal(again.kind, 'accepted');
    assert.equal((await answer.count()).accepted, MANY);
  });

  test('is the same on the disk whether it came in objects or in the bytes of a page', async () => {
    const odd = { label: 'Altes Zelt, 4 m²', base: '2026-05-01T08:00:00.000Z', updated_at: '2026-06-01T07:59:00.000Z' };
    const plain = bulk('plain').edits;
    const alike = bulk('alike').edits.map((one) => ({ ...one, label: 'Tent', base: odd.base }));
    const mixed = bulk('mixed').edits.map((one, at) => (at % 7 === 1 ? { ...one, ...odd, available: false } : one));
    const secondOnly = bulk('second').edits.map((one, at) => (at === 1 ? { ...one, ...odd } : one));
    const lastOnly = bulk('last').edits.map((one, at) => (at === MANY - 1 ? { ...one, label: '' } : one));
    for (const edits of [plain, alike, mixed, secondOnly, lastOnly, [edit('one', true)]] as AcceptedEdit[][]) {
      const wish = asWritten(batch(edits, { name: 'Ana', portalOffset: 250, stampUnit: 1000, now: T0 + 1_234 }));
      // Each its own: what is there already is unpacked a moment after the file is opened.
      const [objects, bytes] = [new OutboxFile(), new OutboxFile()];
      try {
        const answer = await answeredBy(objects, { ...wish, written: undefined });
        const short = await answeredBy(bytes, wish);

        assert.equal(short.kind, 'accepted_new');
        assert.deepEqual(told(short, wish.written), answer);
        assert.equal(contentsIn(bytes).length, 1);
        const [inBytes, inObjects] = [contentsIn(bytes), contentsIn(objects)];
        assert.deepEqual(inBytes, [{ ...inObjects[0], digest: null }]);
        assert.deepEqual(await keysIn(bytes), await keysIn(objects));
      } finally {
        await Promise.all([objects.remove(), bytes.remove()]);
      }
    }
  });

  test('is looked at edit by edit where one of them is known, in bytes as well', async (file) => {
    const outbox = file.open();
    const first = asWritten(bulk('item'));
    await outbox.accept(first);
    const [again] = first.edits;
    const reused = { ...edit('reused', true), edit_id: again?.edit_id } as AcceptedEdit;

    const newer = asWritten(bulk('item', MANY, { now: T0 + 5 }));
    const answer = told(await outbox.accept(newer), newer.written);

    assert.ok(answer.kind === 'accepted');
    assert.deepEqual([answer.receipts[0]?.seq, answer.receipts[0]?.updated_at], [MANY + 1, '2026-06-01T08:00:00.005Z']);
    assert.equal((await outbox.accept(first)).kind, 'accepted');
    assert.equal((await outbox.accept({ ...first, digest: 'another' })).kind, 'idempotency_key_reused');
    const mistaken = asWritten(batch([...bulk('new').edits, reused]));
    assert.deepEqual(await outbox.accept(mistaken), { kind: 'edit_id_reused', indices: [MANY] });
    const foreign = asWritten(batch([...bulk('other').edits, edit('item-007', true)], { vendor: 'vendor-b' }));
    assert.deepEqual(await outbox.accept(foreign), { kind: 'item_unknown', indices: [MANY] });
    assert.equal((await outbox.count()).accepted, 2 * MANY);
  });

  test('is counted, and is work for delivery at once', async (file) => {
    await packedBy(file, bulk('a'), bulk('b', MANY, { vendor: 'vendor-b', lane: 'b', now: T0 + 1 }));

    const next = file.open();

    const { accepted, received, oldestWaiting } = await next.count();
    assert.deepEqual([accepted, received, oldestWaiting], [2 * MANY, 2 * MANY, T0]);
    assert.equal(await next.nextDue(), 0);
    const leases = [await next.leaseLane(WANT), await next.leaseLane(WANT)];
    const due = await Promise.all(leases.flatMap((lease) => lease ?? []).map((lease) => next.due(lease, T0, 1000)));
    assert.deepEqual(
      due.map((edits) => edits.length),
      [MANY, MANY],
    );
  });

  test('still gives its items to its vendor alone', async (file) => {
    await packedBy(file, bulk('item'));

    const answer = await file.open().accept(batch([edit('item-007', false)], { vendor: 'vendor-b' }));

    assert.deepEqual(answer, { kind: 'item_unknown', indices: [0] });
  });

  test('takes no item from another vendor, whatever happened to the file', async (file) => {
    const wish = bulk('item');
    await packedBy(file, wish);
    const database = new Database(file.path);
    database
      .prepare(
        `INSERT INTO item (id, vendor, lane, since, last_stamp, revision) VALUES ('item-007', 'vendor-b', '', 1, 1, 1)`,
      )
      .run();
    database.close();

    const outbox = file.open();

    await assert.rejects(outbox.list(ANA, { limit: 10 }), /belongs to another vendor/);
    await outbox.close();
    assert.deepEqual(rowsIn(file), { parcels: 1, edits: 0, items: 1 });
  });

  test('is known again by its key, and by the id of each edit', async (file) => {
    const wish = bulk('item');
    await packedBy(file, wish);

    const next = file.open();
    const other = { ...(wish.edits[7] as AcceptedEdit), available: false };
    const answers = [
      await next.accept({ ...wish, digest: 'other' }),
      await next.accept(batch([other])),
      await next.accept(bulk('new', MANY, { edits: [...bulk('new').edits, other] })),
      await next.accept(wish),
    ];

    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['idempotency_key_reused', 'edit_id_reused', 'edit_id_reused', 'accepted'],
    );
    assert.equal((await next.count()).accepted, MANY);
  });

  test('gives way to a newer wish, which has the next number and a later stamp', async (file) => {
    const wish = bulk('item');
    await packedBy(file, wish);
    const newer = edit('item-007', false);

    const next = file.open();
    const answer = await next.accept(batch([newer]));

    const [receipt] = answer.kind === 'accepted' ? answer.receipts : [];
    assert.deepEqual([receipt?.seq, Date.parse(receipt?.updated_at ?? '')], [MANY + 1, T0 + 1]);
    const [old] = await next.receipts(ANA, [(wish.edits[7] as AcceptedEdit).edit_id]);
    assert.equal(old?.state, 'superseded');
  });

  test('leaves the next number to a batch that has nothing to do with it', async (file) => {
    const wish = bulk('item');
    await packedBy(file, wish);
    const [hand, more] = [edit('other', true), bulk('more')];

    const next = file.open();
    await next.accept(batch([hand]));
    await next.accept(more);

    const numbers = await numbersOf(next, [...wish.edits, hand, ...more.edits]);
    assert.deepEqual(
      numbers.map(([, number]) => number),
      Array.from({ length: 2 * MANY + 1 }, (_, at) => at + 1),
    );
  });
});

describe('a wish of a hand behind many packed ones of bulk', () => {
  test('leaves before them', async (file) => {
    await packedBy(file, ...Array.from({ length: 4 }, (_, at) => bulk(`b${String(at)}`)), batch([edit('hand', true)]));
    const outbox = file.open();
    const lease = await outbox.leaseLane(WANT);
    assert.ok(lease);

    const due = await outbox.due(lease, T0, 3);

    assert.equal(due[0]?.id, 'hand');
    const late = edit('late', true);
    await outbox.accept(batch([late]));
    const [, next] = await outbox.due(lease, T0, 3);
    assert.equal(next?.id, 'late');
  });

  test('has its turn with those of another lane and another vendor', async (file) => {
    const many = Array.from({ length: 400 }, (_, at) => batch([edit(`a${String(at)}`, true)]));
    const other = batch([edit('b', true)], { vendor: 'vendor-b' });
    const elsewhere = batch([edit('c', true)], { vendor: 'vendor-c', lane: 'c' });
    await packedBy(file, ...many, other, elsewhere);
    const outbox = file.open();

    const leases = [await outbox.leaseLane(WANT), await outbox.leaseLane(WANT)];

    const due = await Promise.all(leases.flatMap((lease) => lease ?? []).map((lease) => outbox.due(lease, T0, 2)));
    assert.deepEqual(
      due.map((edits) => edits.map(({ id }) => id)),
      [['a0', 'b'], ['c']],
    );
  });
});

describe('many packed batches of bulk', () => {
  test('leave in full calls while others keep coming', async (file) => {
    const batches = Array.from({ length: 12 }, (_, at) => bulk(`b${String(at)}`, 101));
    await packedBy(file, ...batches);
    const outbox = file.open();
    const lease = await outbox.leaseLane(WANT);
    assert.ok(lease);

    const calls: number[] = [];
    for (let call = 0; call < 11; call += 1) {
      await outbox.accept(bulk(`more${String(call)}`, 101));
      await outbox.due(lease, T0, 1);
      const open = await outbox.openAttempt(lease, await outbox.due(lease, T0, 100), T0);
      const delivered = open.map((one) => ({ edit: one, kind: 'delivered' }) as const);
      await outbox.settle(lease, delivered, T0);
      calls.push(open.length);
    }

    assert.deepEqual(calls, Array(11).fill(100));
  });
});

describe('a bulk batch', () => {
  test('is unpacked in the background, and whoever delivers hears when all is', async (file) => {
    const outbox = file.open();
    // The store alone keeps no process alive.
    const alive = setInterval(() => undefined, 1000);
    const heard = new Promise<string>((resolve) => {
      outbox.subscribe((vendor, elsewhere) => {
        if (elsewhere === true) resolve(vendor);
      });
    });

    await outbox.accept(bulk('item'));

    assert.equal(await heard, 'vendor-a');
    clearInterval(alive);
    await outbox.close();
    assert.deepEqual(rowsIn(file), { parcels: 0, edits: MANY, items: MANY });
  });

  test('is taken once where a neighbour of its transaction is undone', async (file) => {
    const outbox = file.open();
    const [first, second] = [bulk('a'), bulk('b')];
    const wrong = bulk('c', MANY, { name: 1n as unknown as string });

    const results = await Promise.allSettled([first, wrong, second].map((one) => outbox.accept(one)));

    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    await outbox.accept(batch([edit('c-001', false)], { vendor: 'vendor-b' }));
    const numbers = await numbersOf(outbox, [...first.edits, ...wrong.edits, ...second.edits]);
    assert.deepEqual(
      numbers.map(([, number]) => number),
      Array.from({ length: 2 * MANY }, (_, at) => at + 1),
    );
  });

  test('is told to whoever listens, once, however it came', async (file) => {
    const outbox = file.open();
    const heard: string[] = [];
    outbox.subscribe((vendor, elsewhere) => {
      if (elsewhere !== true) heard.push(vendor);
    });

    await outbox.accept(bulk('objects'));
    await outbox.accept(asWritten(bulk('bytes', MANY, { vendor: 'vendor-b', lane: 'b' })));

    assert.deepEqual(heard, ['vendor-a', 'vendor-b']);
  });

  test('that was undone leaves a store that says so when it is closed', async (file) => {
    const outbox = file.open();
    await assert.rejects(outbox.accept(bulk('a', MANY, { name: 1n as unknown as string })));
    await outbox.close();
    const decision = { by: 'somebody', editId: 'edit-x' as EditId, verdict: { kind: 'discard' } as const, now: T0 };

    await assert.rejects(outbox.receipts(ANA, ['edit-x' as EditId]), StorageFailed);
    await assert.rejects(outbox.decide(decision), StorageFailed);
    await assert.rejects(outbox.count(), StorageFailed);
    await assert.rejects(outbox.nextDue(), StorageFailed);
  });

  test('meets what is packed, however many parcels that is, in whichever order they come', async (file) => {
    const outbox = file.open();
    const parcels = Array.from({ length: 5 }, (_, at) => bulk(`p${String(at)}`));
    const last = batch(parcels.map(({ edits }, at) => edit((edits[at] as AcceptedEdit).id, false)));

    await Promise.all([...parcels, last].map((one) => outbox.accept(one)));

    const states = await outbox.receipts(
      ANA,
      parcels.flatMap(({ edits }) => edits.map(({ edit_id }) => edit_id)),
    );
    assert.equal(states.filter(({ state }) => state === 'superseded').length, 5);
    const [changed] = await outbox.list(ANA, { limit: 1, after: 'p3-002' as ItemId });
    assert.deepEqual([changed?.id, changed?.available], ['p3-003', false]);
  });

  test('that meets a newer value after a long wait is looked at edit by edit', async (file) => {
    const outbox = file.open();
    const seen = await outbox.accept(batch([edit('item-003', true)]));
    const base = seen.kind === 'accepted' ? seen.receipts[0]?.updated_at : undefined;
    await outbox.accept(batch([edit('item-003', false)], { now: T0 + 1000, subject: 'person-b' }));
    const wish = bulk('item', MANY, { sentAt: T0 + 600_000, now: T0 + 600_000 });
    const edits = wish.edits.map((one) => (one.id === 'item-003' ? { ...one, base } : one));

    const answer = await outbox.accept({ ...wish, edits });

    const receipts = answer.kind === 'accepted' ? answer.receipts : [];
    assert.deepEqual(
      receipts.flatMap(({ id, state, theirs }) => (state === 'conflict' ? [[id, theirs?.available, theirs?.by]] : [])),
      [['item-003', false, 'person-b']],
    );
  });

  test('knows its own items that another lane still has', async (file) => {
    const outbox = file.open();
    await outbox.accept(batch([edit('item-003', false), edit('item-007', false)], { lane: 'before' }));
    const wish = asWritten(bulk('item'));

    const answer = told(await outbox.accept(wish), wish.written);

    assert.ok(answer.kind === 'accepted');
    const later = answer.receipts.filter(({ updated_at }) => Date.parse(updated_at) === T0 + 1);
    assert.deepEqual(
      later.map(({ id }) => id),
      ['item-003', 'item-007'],
    );
    assert.equal((await outbox.list(ANA, { limit: 1000 })).length, MANY);
  });

  test('that comes between the order to send and the attempt replaces what was going to be sent', async (file) => {
    const outbox = file.open();
    await outbox.accept(batch([edit('item-000', false), edit('other', true)]));
    const lease = await outbox.leaseLane(WANT);
    assert.ok(lease);
    const due = await outbox.due(lease, T0, 9);
    await outbox.accept(bulk('item'));

    const open = await outbox.openAttempt(lease, due, T0);

    assert.deepEqual(
      open.map(({ id }) => id),
      ['other'],
    );
  });
});

describe('a store of parcels', () => {
  test('has room for as many edits as may wait', (file) => {
    const database = openDatabase(file.path);
    const statements = plannedOnce(database);
    const parcels = new SqliteParcels(statements, new SqliteKnownNames(statements));
    const half = HIGH_WATER.mostWaiting / 2;
    assert.equal(parcels.edits, 0);
    parcels.add('{}', HEAD, half, namesOf({ items: ['boat-1'] }));

    const room = [half - 2, half].map((edits) => parcels.hasRoomFor(edits));

    database.close();
    assert.deepEqual(room, [true, false]);
    return Promise.resolve();
  });
});

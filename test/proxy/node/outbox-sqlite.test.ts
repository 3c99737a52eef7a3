import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId } from '../../../src/domain/item.js';
import { openSqliteOutbox } from '../../../src/proxy/node/outbox-sqlite.js';
import { LONGEST_WAIT_MS, StorageFailed, type Outbox } from '../../../src/proxy/outbox.js';
import { accept, batch, edit, NOW } from '../../support/outbox-batches.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const DELIVERED = { kind: 'delivered' } as const;
const REFUSED = { kind: 'refused', reason: 'item_refused' } as const;
const WAITING = { kind: 'waiting', reason: 'portal_busy', dueAt: NOW + 90_000 } as const;

describe('the outbox', () => {
  it('hands out what is due, the oldest first, and each item once', async (t) => {
    const outbox = open(t);
    await accept(outbox, edit('b'), edit('a'));
    await accept(outbox, edit('b', { available: false }));

    const attempt = await outbox.openAttempt(NOW, 10);

    assert.deepEqual(
      attempt.map(({ id, available, attempts }) => [id, available, attempts]),
      [
        ['a', true, 1],
        ['b', false, 1],
      ],
    );
  });

  it('hands out nothing twice while its attempt is open', async (t) => {
    const outbox = open(t);
    await accept(outbox, edit('a'));
    await outbox.openAttempt(NOW, 10);
    await accept(outbox, edit('a', { available: false }));

    assert.deepEqual(await outbox.openAttempt(NOW, 10), []);
    assert.equal(await outbox.nextDue(), undefined);
  });

  it('hands out no more than was asked for', async (t) => {
    const outbox = open(t);
    await accept(outbox, edit('a'), edit('b'), edit('c'));

    const first = await outbox.openAttempt(NOW, 2);
    const second = await outbox.openAttempt(NOW, 2);

    assert.deepEqual([first.length, second.length], [2, 1]);
  });

  it('hands out what waits when its time has come, and counts the attempts', async (t) => {
    const outbox = open(t);
    await accept(outbox, edit('a'));
    const attempt = await outbox.openAttempt(NOW, 1);
    await outbox.settle(attempt, WAITING, NOW);

    const early = await outbox.openAttempt(NOW + 89_999, 1);
    const due = await outbox.nextDue();
    const [late] = await outbox.openAttempt(NOW + 90_000, 1);

    assert.deepEqual(early, []);
    assert.equal(due, NOW + 90_000);
    assert.equal(late?.attempts, 2);
    assert.equal(late.updated_at, attempt[0]?.updated_at);
  });

  it('takes a due time that no wait could have made for one of a clock that was set back', async (t) => {
    const outbox = open(t);
    await accept(outbox, edit('a'));

    const within = await outbox.openAttempt(NOW - LONGEST_WAIT_MS, 1);
    const beyond = await outbox.openAttempt(NOW - LONGEST_WAIT_MS - 1, 1);

    assert.deepEqual([within.length, beyond.length], [0, 1]);
  });

  for (const [first, state] of [
    [DELIVERED, 'delivered'],
    [REFUSED, 'refused'],
  ] as const) {
    it(`settles an attempt once: what was ${state} stays so, whatever comes later`, async (t) => {
      const outbox = open(t);
      const [receipt] = await accept(outbox, edit('a'));
      const attempt = await outbox.openAttempt(NOW, 1);
      await outbox.settle(attempt, first, NOW);

      for (const later of [DELIVERED, REFUSED, WAITING]) await outbox.settle(attempt, later, NOW);

      const [after] = await outbox.receipts('boat-tours', idsOf([receipt]));
      assert.equal(after?.state, state);
      assert.deepEqual(await outbox.openAttempt(NOW, 1), []);
    });
  }

  it('makes an attempt that a crash left open due again, and says how many there were', async (t) => {
    const outbox = open(t);
    await accept(outbox, edit('a'), edit('b'));
    const attempt = await outbox.openAttempt(NOW, 2);

    const interrupted = await outbox.recover(NOW + 1);
    const again = await outbox.openAttempt(NOW + 1, 2);

    assert.equal(interrupted, 2);
    assert.deepEqual(
      again.map(({ seq, updated_at, attempts }) => [seq, updated_at, attempts]),
      attempt.map(({ seq, updated_at }) => [seq, updated_at, 2]),
    );
  });

  it('gives receipts in the order asked, and leaves out what it does not know', async (t) => {
    const outbox = open(t);
    const receipts = await accept(outbox, edit('a'), edit('b'), edit('c'));
    const [a = '', b = '', c = ''] = receipts.map(({ edit_id }) => edit_id as string);

    const told = await outbox.receipts('boat-tours', [c, 'nobody', a, b, a] as EditId[]);

    assert.deepEqual(
      told.map(({ id }) => id),
      ['c', 'a', 'b', 'a'],
    );
  });

  it('fails with the room’s own error when its file is closed', async () => {
    const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    await outbox.close();

    for (const call of [
      () => outbox.accept(batch([edit('a')])),
      () => outbox.list('boat-tours', { limit: 1 }),
      () => outbox.receipts('boat-tours', ['e' as EditId]),
      () => outbox.openAttempt(NOW, 1),
      () => outbox.nextDue(),
      () => outbox.recover(NOW),
    ]) {
      await assert.rejects(call, StorageFailed);
    }
  });

  it('stores a batch whole or not at all', async (t) => {
    const outbox = open(t);
    await outbox.accept(batch([edit('foreign')], { vendor: 'weavers' }));

    const accepted = await outbox.accept(batch([edit('a'), edit('foreign'), edit('b')]));

    assert.deepEqual(accepted, { kind: 'item_unknown', indices: [1] });
    assert.deepEqual(await outbox.list('boat-tours', { limit: 10 }), []);
  });

  it('lists the items of a vendor page by page, without a gap and without a double', async (t) => {
    const outbox = open(t);
    const name = fc.string({
      unit: fc.constantFrom('a', 'B', 'é', '中', '\uffee', '\u{1f6f6}'),
      minLength: 1,
      maxLength: 6,
    });
    const sizes = fc.integer({ min: 1, max: 9 });
    let run = 0;

    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { maxLength: 25 }), sizes, async (names, size) => {
        run += 1;
        const vendor = `vendor-${run}`;
        const ids = names.map((text) => `${run}-${text}`);
        if (ids.length > 0)
          await outbox.accept(
            batch(
              ids.map((id) => edit(id)),
              { vendor },
            ),
          );

        const pages: ItemId[][] = [];
        do {
          const after = pages.at(-1)?.at(-1);
          pages.push((await outbox.list(vendor, { after, limit: size })).map(({ id }) => id));
        } while (pages.at(-1)?.length === size);

        assert.deepEqual(pages.flat(), [...ids].sort(byCodePoint));
      }),
      { numRuns: 50 },
    );
  });
});

function open(t: TestContext): Outbox {
  const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
  t.after(() => outbox.close());
  return outbox;
}

function idsOf(receipts: readonly ({ readonly edit_id: EditId } | undefined)[]): EditId[] {
  return receipts.flatMap((receipt) => (receipt === undefined ? [] : [receipt.edit_id]));
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

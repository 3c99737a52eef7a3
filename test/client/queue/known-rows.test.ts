import { expect } from '@open-wc/testing';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { KnownRows } from '../../../src/client/queue/memory-fallback.js';
import type { QueuedEdit } from '../../../src/client/storage/edit-table.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { BOAT, KAYAK } from '../support/items.js';

const OWNER = 'anna';
let clock = Date.parse('2026-06-01T08:00:00.000Z');

function row(id: ItemId, stage: QueuedEdit['stage'] = 'stored', owner = OWNER): QueuedEdit {
  clock += 1;
  return { edit_id: newEditId(), id, available: false, updated_at: toTimestamp(clock), owner, stage };
}

/** The rows of a page whose database was emptied: they are in memory only. */
function withoutDisk(...known: readonly QueuedEdit[]): KnownRows {
  const rows = new KnownRows();
  for (const one of known) rows.record(one);
  rows.onDatabaseLost();
  return rows;
}

describe('an edit in memory whose database was emptied', () => {
  it('is dropped for a newer edit on the disk, so that it is not restored behind that one', () => {
    const [older, refused, newer] = [row(KAYAK), row(KAYAK, 'refused'), row(KAYAK)];
    const rows = withoutDisk(older, refused);

    const gone = rows.record(newer);

    expect(gone).to.have.members([older.edit_id, refused.edit_id]);
    expect(rows.of(OWNER)).to.deep.equal([newer]);
    expect(rows.unsaved).to.deep.equal([]);
  });

  it('is dropped for a newer edit also when all rows of the disk are read', () => {
    const [older, newer] = [row(KAYAK), row(KAYAK, 'handed-over')];
    const rows = withoutDisk(older);

    rows.recordAll([newer]);

    expect(rows.of(OWNER)).to.deep.equal([newer]);
  });

  it('is stored again as possibly sent by another tab, and is still dropped for a newer edit', () => {
    const [kayak, boat, newer] = [row(KAYAK), row(BOAT), row(KAYAK)];
    const rows = withoutDisk(kayak, boat);

    const stages = rows.rowsToStore.map(({ stage }) => stage);
    rows.record(newer);

    expect(stages).to.deep.equal(['sending', 'sending']);
    expect(rows.unsaved.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('stays if it is of another item or person, is newer, or may have been sent', () => {
    const [boat, sent, ben] = [row(BOAT), row(KAYAK, 'sending'), row(KAYAK, 'stored', 'ben')];
    const [noted, newest] = [row(KAYAK), row(KAYAK)];
    const rows = withoutDisk(boat, sent, ben, newest);

    expect(rows.record(noted)).to.deep.equal([]);

    expect(rows.unsaved).to.have.members([boat, sent, ben, newest]);
  });
});

describe('a change that could not be written to the disk', () => {
  const stages = (rows: KnownRows): string[] => rows.of(OWNER).map(({ stage }) => stage);

  it('is kept if the proxy has the edit, and if the edit is settled', () => {
    const [kayak, boat] = [row(KAYAK, 'sending'), row(BOAT)];
    const rows = new KnownRows();
    rows.recordAll([kayak, boat]);

    rows.change([kayak.edit_id], () => undefined, true);
    rows.change([boat.edit_id], (one) => ({ ...one, stage: 'handed-over' }), true);
    rows.recordAll([kayak, boat]);

    expect(stages(rows)).to.deep.equal(['handed-over']);
  });

  it('is not kept if the edit was refused, because another tab may send it and must not send it after a newer one', () => {
    const [kayak, newer] = [row(KAYAK, 'sending'), row(KAYAK)];
    const rows = new KnownRows();
    rows.recordAll([kayak]);

    rows.change([kayak.edit_id], (one) => ({ ...one, stage: 'refused' }), true);
    rows.recordAll([kayak, newer]);

    expect(stages(rows)).to.deep.equal(['sending', 'stored']);
  });

  it('is not kept if an edit in memory was dropped that another tab has stored', () => {
    const [older, newer] = [row(KAYAK), row(KAYAK)];
    const rows = withoutDisk(older);
    rows.record(newer);

    rows.recordAll([{ ...older, stage: 'sending' }, newer]);

    expect(stages(rows)).to.deep.equal(['sending', 'stored']);
  });
});

describe('an edit that moves from memory to the disk', () => {
  it('is stored if the disk accepted it, and dropped if the disk has a newer state', () => {
    const [kayak, boat] = [row(KAYAK), row(BOAT)];
    const rows = withoutDisk(kayak, boat);
    const rowsToStore = rows.rowsToStore;

    rows.markStored(rowsToStore, rowsToStore.slice(0, 1));

    expect(rows.unsaved).to.deep.equal([]);
    expect(rows.of(OWNER).map(({ id }) => id)).to.deep.equal([KAYAK]);
  });

  it('is moved again if it changed during the write', () => {
    const rows = withoutDisk(row(KAYAK));
    const rowsToStore = rows.rowsToStore;
    rows.change(
      rowsToStore.map(({ edit_id }) => edit_id),
      (one) => ({ ...one, stage: 'handed-over' }),
    );

    rows.markStored(rowsToStore, rowsToStore);

    expect(rows.unsaved.map(({ stage }) => stage)).to.deep.equal(['handed-over']);
  });
});

describe('a read of some rows', () => {
  it('removes rows that are no longer on the disk, except those in memory only', () => {
    const [settled, saved, changed] = [row(KAYAK, 'sending'), row(BOAT), row(KAYAK, 'sending')];
    const rows = withoutDisk(saved);
    for (const one of [settled, changed]) rows.record(one);

    rows.recordSome(
      [settled, saved, changed].map(({ edit_id }) => edit_id),
      [{ ...changed, stage: 'handed-over' }],
    );

    expect(rows.of(OWNER).map(({ edit_id, stage }) => [edit_id, stage])).to.deep.equal([
      [saved.edit_id, 'stored'],
      [changed.edit_id, 'handed-over'],
    ]);
    expect(rows.isUnsaved(saved.edit_id)).to.equal(true);
  });

  it('does not revert changes that could not be written to the disk', () => {
    const sent = row(KAYAK, 'sending');
    const rows = new KnownRows();
    rows.recordAll([sent]);
    rows.change([sent.edit_id], (one) => ({ ...one, stage: 'handed-over' }), true);

    rows.recordSome([sent.edit_id], [sent]);

    expect(rows.of(OWNER).map(({ stage }) => stage)).to.deep.equal(['handed-over']);
  });
});

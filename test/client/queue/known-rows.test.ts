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

/** A page whose disk was emptied: what it knows is in its memory only. */
function withoutDisk(...known: readonly QueuedEdit[]): KnownRows {
  const rows = new KnownRows();
  for (const one of known) rows.note(one);
  rows.loseDisk();
  return rows;
}

describe('an edit that a page knows when its database was emptied', () => {
  it('gives way to a newer edit on the disk, so that it is not restored behind it', () => {
    const [older, refused, newer] = [row(KAYAK), row(KAYAK, 'refused'), row(KAYAK)];
    const rows = withoutDisk(older, refused);

    const gone = rows.note(newer);

    expect(gone).to.have.members([older.edit_id, refused.edit_id]);
    expect(rows.of(OWNER)).to.deep.equal([newer]);
    expect(rows.unsaved).to.deep.equal([]);
  });

  it('gives way when all rows of the disk are read, too', () => {
    const [older, newer] = [row(KAYAK), row(KAYAK, 'handed-over')];
    const rows = withoutDisk(older);

    rows.noteAll([newer]);

    expect(rows.of(OWNER)).to.deep.equal([newer]);
  });

  it('goes back to a disk as what may have left, because another tab may have sent it, and gives way all the same', () => {
    const [kayak, boat, newer] = [row(KAYAK), row(BOAT), row(KAYAK)];
    const rows = withoutDisk(kayak, boat);

    const stages = rows.homeless.map(({ stage }) => stage);
    rows.note(newer);

    expect(stages).to.deep.equal(['sending', 'sending']);
    expect(rows.unsaved.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('stays, if it is of another item, of somebody else, newer, or may have left', () => {
    const [boat, sent, ben] = [row(BOAT), row(KAYAK, 'sending'), row(KAYAK, 'stored', 'ben')];
    const [noted, newest] = [row(KAYAK), row(KAYAK)];
    const rows = withoutDisk(boat, sent, ben, newest);

    expect(rows.note(noted)).to.deep.equal([]);

    expect(rows.unsaved).to.have.members([boat, sent, ben, newest]);
  });
});

describe('what a page knows better than a disk that could not be told', () => {
  const stages = (rows: KnownRows): string[] => rows.of(OWNER).map(({ stage }) => stage);

  it('is what the proxy has, and on what the last word is said', () => {
    const [kayak, boat] = [row(KAYAK, 'sending'), row(BOAT)];
    const rows = new KnownRows();
    rows.noteAll([kayak, boat]);

    rows.change([kayak.edit_id], () => undefined, true);
    rows.change([boat.edit_id], (one) => ({ ...one, stage: 'handed-over' }), true);
    rows.noteAll([kayak, boat]);

    expect(stages(rows)).to.deep.equal(['handed-over']);
  });

  it('is not that one was refused: another tab will send it, and not behind a newer wish', () => {
    const [kayak, newer] = [row(KAYAK, 'sending'), row(KAYAK)];
    const rows = new KnownRows();
    rows.noteAll([kayak]);

    rows.change([kayak.edit_id], (one) => ({ ...one, stage: 'refused' }), true);
    rows.noteAll([kayak, newer]);

    expect(stages(rows)).to.deep.equal(['sending', 'stored']);
  });

  it('is not that one which was in its memory alone gave way, where another tab has brought it to the disk', () => {
    const [older, newer] = [row(KAYAK), row(KAYAK)];
    const rows = withoutDisk(older);
    rows.note(newer);

    rows.noteAll([{ ...older, stage: 'sending' }, newer]);

    expect(stages(rows)).to.deep.equal(['sending', 'stored']);
  });
});

describe('what moves from the memory of a page to its disk', () => {
  it('is on the disk where that took it, and gone where the disk knew better', () => {
    const [kayak, boat] = [row(KAYAK), row(BOAT)];
    const rows = withoutDisk(kayak, boat);
    const homeless = rows.homeless;

    rows.move(homeless, homeless.slice(0, 1));

    expect(rows.unsaved).to.deep.equal([]);
    expect(rows.of(OWNER).map(({ id }) => id)).to.deep.equal([KAYAK]);
  });

  it('is moved once more where it changed meanwhile', () => {
    const rows = withoutDisk(row(KAYAK));
    const homeless = rows.homeless;
    rows.change(
      homeless.map(({ edit_id }) => edit_id),
      (one) => ({ ...one, stage: 'handed-over' }),
    );

    rows.move(homeless, homeless);

    expect(rows.unsaved.map(({ stage }) => stage)).to.deep.equal(['handed-over']);
  });
});

describe('what a page learns of some edits', () => {
  it('is that the disk has them no more, where they were not in its memory only', () => {
    const [settled, saved, changed] = [row(KAYAK, 'sending'), row(BOAT), row(KAYAK, 'sending')];
    const rows = withoutDisk(saved);
    for (const one of [settled, changed]) rows.note(one);

    rows.noteSome(
      [settled, saved, changed].map(({ edit_id }) => edit_id),
      [{ ...changed, stage: 'handed-over' }],
    );

    expect(rows.of(OWNER).map(({ edit_id, stage }) => [edit_id, stage])).to.deep.equal([
      [saved.edit_id, 'stored'],
      [changed.edit_id, 'handed-over'],
    ]);
    expect(rows.isUnsaved(saved.edit_id)).to.equal(true);
  });

  it('is not what it knows better than a disk that could not be told', () => {
    const sent = row(KAYAK, 'sending');
    const rows = new KnownRows();
    rows.noteAll([sent]);
    rows.change([sent.edit_id], (one) => ({ ...one, stage: 'handed-over' }), true);

    rows.noteSome([sent.edit_id], [sent]);

    expect(rows.of(OWNER).map(({ stage }) => stage)).to.deep.equal(['handed-over']);
  });
});

import { expect } from '@open-wc/testing';
import { newEditId } from '../../src/client/edit-id.js';
import { KnownRows } from '../../src/client/known-rows.js';
import type { QueuedEdit } from '../../src/client/queue-db.js';
import { toTimestamp, type ItemId } from '../../src/domain/item.js';
import { BOAT, KAYAK } from './items.js';

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

describe('what a page knows when its disk was emptied', () => {
  it('gives way to a newer wish that the disk has, so that it does not come back behind it', () => {
    const [older, refused, newer] = [row(KAYAK), row(KAYAK, 'refused'), row(KAYAK)];
    const rows = withoutDisk(older, refused);

    const gone = rows.note(newer);

    expect(gone).to.have.members([older.edit_id, refused.edit_id]);
    expect(rows.of(OWNER)).to.deep.equal([newer]);
    expect(rows.unsaved).to.deep.equal([]);
  });

  it('gives way where all that the disk has is read, too', () => {
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

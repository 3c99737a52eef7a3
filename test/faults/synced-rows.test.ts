import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersInTrace } from './answers-in-trace.js';
import { PAGE, SyncedRows } from './synced-rows.js';
import { readTrace, type SystemCall } from './trace.js';
import { writtenTrace } from './written-trace.js';

const EDIT = '0b0e6a52-7a3d-4a34-9f0e-1d1f6d0a9c01';
const OTHER = '0b0e6a52-7a3d-4a34-9f0e-1d1f6d0a9c02';
const LOG = '22</data/a.sqlite-wal>';
const BODY = `{"receipts":[{"edit_id":"${EDIT}","id":"boat-1","seq":7,"state":"received"}]}`;

/** The two writes of a frame of the log. The last frame of a transaction has the size of the database. */
function frame(number: number, content: string, databaseSize: number, page = 3): string[] {
  const at = 32 + number * (24 + PAGE);
  const header = `${pointer(page)}\0\0\0${String.fromCharCode(databaseSize)}`.padEnd(24, '.');
  return [
    `7 pwrite64(${LOG}, «${header}», 24, ${String(at)}) = 24`,
    `7 pwrite64(${LOG}, «${content.padEnd(PAGE, '.')}», ${String(PAGE)}, ${String(at + 24)}) = ${String(PAGE)}`,
  ];
}

function pointer(page: number): string {
  return `\0\0\0${String.fromCharCode(page)}`;
}

function synced(...lines: string[]): ReadonlyMap<string, number> {
  const rows = new SyncedRows('/data/a.sqlite');
  rows.read(readTrace(writtenTrace(...lines)));
  return rows.at;
}

describe('the sync that covers a row', () => {
  it('is the first one after the last frame of its transaction', () => {
    const rows = synced(...frame(0, EDIT, 0), ...frame(1, 'index', 9, 4), `7 fsync(${LOG}) = 0`, `7 fsync(${LOG}) = 0`);

    assert.deepEqual([...rows], [[EDIT, 5]]);
  });

  it('is found for a row on several pages', () => {
    const [half, rest, otherHalf, otherRest] = [EDIT.slice(0, 20), EDIT.slice(20), OTHER.slice(0, 7), OTHER.slice(7)];
    const rows = synced(
      ...frame(0, `row ${half}${pointer(4)}`, 0),
      ...frame(1, `${(pointer(5) + rest).padEnd(PAGE - 7, '.')}${otherHalf}`, 0, 4),
      ...frame(2, pointer(0) + otherRest, 9, 5),
      `7 fsync(${LOG}) = 0`,
    );

    assert.deepEqual(new Map(rows), new Map([EDIT, OTHER].map((id) => [id, 7])));
  });

  it('is neither one during the transaction, nor a failed one, nor one of another file', () => {
    const rows = synced(
      ...frame(0, EDIT, 0),
      `7 fsync(${LOG}) = 0`,
      ...frame(1, OTHER, 9, 4),
      `7 fsync(${LOG}) = -1 EIO (Input/output error)`,
      '7 fsync(21</data/a.sqlite>) = 0',
    );

    assert.deepEqual([...rows], []);
  });

  it('does not exist for a failed transaction that was not repeated', () => {
    const [header = '', page = ''] = frame(0, EDIT, 9);
    const rows = synced(
      header,
      page.replace(`= ${String(PAGE)}`, '= -1 ENOSPC (No space left on device)'),
      ...frame(0, OTHER, 9),
      `7 fsync(${LOG}) = -1 EIO (Input/output error)`,
      ...frame(0, 'neither', 9),
      `7 fsync(${LOG}) = 0`,
    );

    assert.deepEqual([...rows], []);
  });

  it('is the one after the log was rewritten if an earlier sync failed', () => {
    const whole = '.'.repeat(PAGE + 1);
    const rows = synced(
      ...frame(0, EDIT, 9),
      `7 fsync(${LOG}) = -1 EIO (Input/output error)`,
      `7 fsync(${LOG}) = 0`,
      `7 pwrite64(${LOG}, «${whole}», ${String(whole.length)}, 0) = ${String(whole.length)}`,
      `7 fsync(${LOG}) = 0`,
    );

    assert.deepEqual([...rows], [[EDIT, 6]]);
  });

  it('is not one that another thread began before the row was written', () => {
    const rows = synced(
      `8 fsync(${LOG} <unfinished ...>`,
      ...frame(0, EDIT, 9),
      '8 <... fsync resumed>) = 0',
      `7 fsync(${LOG} <unfinished ...>`,
      '7 <... fsync resumed>) = 0',
    );

    assert.deepEqual([...rows], [[EDIT, 6]]);
  });
});

describe('an acknowledgement in a trace', () => {
  const read = (...lines: string[]): SystemCall[] => readTrace(writtenTrace(...lines));

  it('begins at the first byte of the 202, before its receipts', () => {
    const answers = answersInTrace(
      read(
        '7 read(9<socket:[1]>, «POST /v1/inventory», 65536) = 18',
        '7 write(9<socket:[1]>, «HTTP/1.1 202 Accepted», 21) = 21',
        '7 write(8<socket:[2]>, «POST /portal», 12) = 12',
        `7 writev(9<socket:[1]>, [{iov_base=«${BODY.slice(0, 30)}», iov_len=30}, {iov_base=«${BODY.slice(30)}», iov_len=90}], 2) = ${String(BODY.length)}`,
      ),
    );

    assert.deepEqual(answers, [{ position: 2, edits: [{ edit_id: EDIT, id: 'boat-1', seq: 7 }] }]);
  });

  it('is neither a refusal, nor a text of a peer or of the log', () => {
    const answers = answersInTrace(
      read(
        '7 write(9<socket:[1]>, «HTTP/1.1 503 Service Unavailable», 32) = 32',
        '7 read(8<socket:[2]>, «HTTP/1.1 202 Accepted», 65536) = 21',
        '7 write(1<pipe:[3]>, «HTTP/1.1 202 Accepted», 21) = 21',
      ),
    );

    assert.deepEqual(answers, []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FATES, SimulatedDisk, type DiskEvent, type Fate } from './disk.js';
import { diskEvents } from './disk-events.js';
import { seededRandom } from './random.js';
import { readTrace } from './trace.js';
import { writtenTrace } from './written-trace.js';

const PATH = '/data/a.sqlite';
const CREATED = [`7 openat(AT_FDCWD</>, «${PATH}», O_RDWR|O_CREAT, 0644) = 21<${PATH}>`, '7 fsync(23</data>) = 0'];

function eventsOf(...lines: string[]): DiskEvent[] {
  return diskEvents(readTrace(writtenTrace(...lines)), { path: PATH, names: new Set() });
}

/** All contents that the file may have after a power cut; "gone" if it has no name. */
function outcomes(lines: readonly string[], fates: readonly Fate[] = FATES): string[] {
  const disk = new SimulatedDisk();
  for (const event of eventsOf(...lines)) disk.apply(event);
  const random = seededRandom(1);
  const seen = Array.from({ length: 300 }, () => disk.cut(random.pick(fates), random).get('a.sqlite'));
  return [...new Set(seen.map((bytes) => bytes?.toString().replaceAll('\0', '0') ?? 'gone'))].sort();
}

describe('a disk whose power fails', () => {
  it('keeps synced data, whatever else happens', () => {
    const found = outcomes([...CREATED, `7 pwrite64(21<${PATH}>, «old», 3, 0) = 3`, `7 fsync(21<${PATH}>) = 0`]);

    assert.deepEqual(found, ['old']);
  });

  it('may lose any unsynced write, or leave zeros in its place', () => {
    const found = outcomes([
      ...CREATED,
      `7 pwrite64(21<${PATH}>, «old», 3, 0) = 3`,
      `7 fsync(21<${PATH}>) = 0`,
      `7 pwrite64(21<${PATH}>, «new», 3, 0) = 3`,
      `7 pwrite64(21<${PATH}>, «more», 4, 3) = 4`,
    ]);

    assert.deepEqual(found, ['new', 'new0000', 'newmore', 'old', 'old0000', 'oldmore']);
  });

  it('may tear a write at a sector', () => {
    const page = 'A'.repeat(512) + 'B'.repeat(512);
    const found = outcomes([...CREATED, `7 pwrite64(21<${PATH}>, «${page}», 1024, 0) = 1024`], ['some sectors']);

    assert.ok(found.includes('A'.repeat(512)));
    assert.ok(found.includes('0'.repeat(512) + 'B'.repeat(512)));
  });

  it('ignores a sync that began before the write, or that was interrupted by a kill', () => {
    const found = outcomes(
      [
        ...CREATED,
        `8 fsync(21<${PATH}> <unfinished ...>`,
        `7 pwrite64(21<${PATH}>, «new», 3, 0) = 3`,
        '8 <... fsync resumed>) = 0',
        `7 fdatasync(21<${PATH}> <unfinished ...>`,
        '7 +++ killed by SIGKILL +++',
      ],
      ['nothing'],
    );

    assert.deepEqual(found, ['']);
  });

  it('has dropped writes of a failed sync, even if a later sync succeeds', () => {
    const found = outcomes([
      ...CREATED,
      `7 pwrite64(21<${PATH}>, «lost», 4, 0) = 4`,
      `7 fsync(21<${PATH}>) = -1 EIO (Input/output error)`,
      `7 fsync(21<${PATH}>) = 0`,
    ]);

    assert.deepEqual(found, ['']);
  });

  it('may lose a new file or restore a deleted one until its folder is synced', () => {
    const [create = '', sync = ''] = CREATED;
    const write = [`7 pwrite64(21<${PATH}>, «old», 3, 0) = 3`, `7 fsync(21<${PATH}>) = 0`];
    const unlink = `7 unlink(«${PATH}») = 0`;

    assert.deepEqual(outcomes([create, ...write]), ['gone', 'old']);
    assert.deepEqual(outcomes([create, ...write, sync, unlink]), ['gone', 'old']);
    assert.deepEqual(outcomes([create, ...write, sync, unlink, sync]), ['gone']);
  });

  it('may have truncated a file before the sync, or not', () => {
    const found = outcomes([
      ...CREATED,
      `7 pwrite64(21<${PATH}>, «content», 7, 0) = 7`,
      `7 fsync(21<${PATH}>) = 0`,
      `7 ftruncate(21<${PATH}>, 2) = 0`,
    ]);

    assert.deepEqual(found, ['co', 'content']);
  });

  it('ignores the index of the log and files without a name', () => {
    const events = eventsOf(
      `7 openat(AT_FDCWD</>, «${PATH}-shm», O_RDWR|O_CREAT, 0644) = 24<${PATH}-shm>`,
      `7 pwrite64(24<${PATH}-shm>, «x», 1, 0) = 1`,
      `7 pwrite64(21<${PATH}>(deleted), «x», 1, 0) = 1`,
      '7 pwrite64(25</data/other>, «x», 1, 0) = 1',
    );

    assert.deepEqual(events, []);
  });

  it('rejects a trace with a change that it does not support', () => {
    assert.throws(() => eventsOf(`7 writev(21<${PATH}>, [{iov_base=«x», iov_len=1}], 1) = 1`), /not simulated/);
    assert.throws(() => eventsOf(`7 pwrite64(21<${PATH}>, «x», 1, 0 <unfinished ...>`), /cut short/);
  });
});

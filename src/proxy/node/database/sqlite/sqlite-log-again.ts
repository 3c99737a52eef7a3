import { closeSync, fsyncSync, openSync, readSync, realpathSync, statSync, writeSync } from 'node:fs';

const BLOCK_BYTES = 256 * 1024;

/**
 * Writes the write-ahead log that an earlier process left once more, byte by byte the same, and syncs it.
 *
 * That process may have died after a sync had failed. Linux gives up what a failed sync could not write: it stays readable,
 * and later syncs succeed without it. SQLite would take such a transaction for a good one and write the next behind it,
 * and a power cut would take both (fsync(2), "Errors"; PostgreSQL ends the process for this reason). Only a new write
 * brings the bytes to the disk.
 *
 * Call it under the exclusive lock of the database, before the first transaction.
 *
 * @param database path of the database, which is there
 * @param write default: that of `node:fs`
 * @throws {Error} of `node:fs`, or with the code that SQLite has for a disk that takes nothing more
 */
export function writeLogAgain(database: string, write: typeof writeBlock = writeBlock): void {
  // SQLite writes its log beside the file itself, whatever links lead there.
  const path = `${realpathSync(database)}-wal`;
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const file = openSync(path, 'r+');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    let at = 0;
    for (let read = readSync(file, block, 0, block.length, at); read > 0;) {
      const written = write(file, block, read, at);
      if (written === 0) throw Object.assign(new Error('a write took nothing'), { code: 'SQLITE_FULL' });
      at += written;
      read = readSync(file, block, 0, block.length, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** @returns bytes that were taken, which may be fewer than there were (pwrite(2)) */
function writeBlock(file: number, block: Uint8Array, length: number, at: number): number {
  return writeSync(file, block, 0, length, at);
}

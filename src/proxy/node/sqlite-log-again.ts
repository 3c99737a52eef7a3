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
 * @throws {Error} of `node:fs`
 */
export function writeLogAgain(database: string): void {
  // SQLite writes its log beside the file itself, whatever links lead there.
  const path = `${realpathSync(database)}-wal`;
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const file = openSync(path, 'r+');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    let at = 0;
    for (let read = readSync(file, block, 0, block.length, at); read > 0;) {
      at += writeSync(file, block, 0, read, at);
      read = readSync(file, block, 0, block.length, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

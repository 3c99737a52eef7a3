import { closeSync, fsyncSync, openSync, readSync, realpathSync, statSync, writeSync } from 'node:fs';

const BLOCK_BYTES = 256 * 1024;

/**
 * Rewrites the write-ahead log of an earlier process with the same bytes, and syncs it.
 *
 * That process may have died after a failed sync. Linux drops the pages that a failed sync could not write: they stay
 * readable, and later syncs succeed without writing them. SQLite would treat such a transaction as durable and write the
 * next one after it, and a power cut would lose both (fsync(2), "Errors"; PostgreSQL ends the process for this reason).
 * Only writing the bytes again brings them to the disk.
 *
 * It has to be called under the exclusive lock of the database, before the first transaction.
 *
 * @param database path of an existing database
 * @param write default: that of `node:fs`
 * @throws {Error} of `node:fs`, or with SQLite's code for a full disk
 */
export function writeLogAgain(database: string, write: typeof writeBlock = writeBlock): void {
  // SQLite writes its log beside the file itself, wherever a symbolic link to it is.
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

/** @returns the number of written bytes, which may be fewer than requested (pwrite(2)) */
function writeBlock(file: number, block: Uint8Array, length: number, at: number): number {
  return writeSync(file, block, 0, length, at);
}

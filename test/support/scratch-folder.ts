import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file system in memory on Linux. */
const MEMORY = '/dev/shm';
/** Some containers have only 64 MiB there, which the databases of two concurrent test files exceed. */
const ROOM_BYTES = 1024 ** 3;

let root: string | undefined;

/**
 * Creates an empty folder. It is deleted when the process of the test file exits, so nothing has to be closed before.
 *
 * The folder is in memory if there is enough space: each test has a database of its own, and would mostly wait for the
 * disk. Durability on a disk is a subject of the fault campaign and of the tests of SQLite files, which use one.
 */
export function scratchFolder(): string {
  root ??= makeRoot();
  return mkdtempSync(join(root, 'case-'));
}

function makeRoot(): string {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'inventory-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    // The folder does not exist, as on other systems than Linux, or this process may not write to it.
    return false;
  }
}

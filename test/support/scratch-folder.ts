import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files in memory, as Linux has them. */
const MEMORY = '/dev/shm';
/** Some containers have 64 MiB there. The databases of two test files at once need more. */
const ROOM_BYTES = 1024 ** 3;

let root: string | undefined;

/**
 * A new empty folder. It goes when the process of the test file goes, so nothing has to be closed before.
 *
 * In memory where there is room: each test has a database of its own, and would mostly wait for the disk that keeps it.
 * What a disk keeps of a commit is for the fault campaign and for the tests of the files of SQLite, which lie on one.
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
    // Not on Linux, or not for us.
    return false;
  }
}

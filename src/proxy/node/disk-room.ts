import { realpath, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Less than this on the disk of the database, and no more is taken in: a full disk must not stop what was accepted. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

/** Whether the disk that holds this file, and not a link to it, has room for more. */
export async function hasDiskRoom(path: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(await realpath(path)));
  return bavail * bsize > LEAST_FREE_BYTES;
}

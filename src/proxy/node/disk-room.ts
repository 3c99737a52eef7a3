import { realpath, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageFailed } from '../outbox.js';

/** Less than this on the disk of the database, and no more is taken in: a full disk must not stop what was accepted. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

/**
 * Whether the disk that holds this file, and not a link to it, has room for more.
 *
 * @throws {StorageFailed} where it is gone: what the process that has it open still writes is gone, too, when that ends
 */
export async function hasDiskRoom(path: string): Promise<boolean> {
  const file = await realpath(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new StorageFailed(
      `${path} is gone while the proxy has it open, which takes nothing more in; let it deliver what waits, then restart it`,
    );
  });
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize > LEAST_FREE_BYTES;
}

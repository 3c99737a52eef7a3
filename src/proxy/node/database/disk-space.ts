import { realpathSync, statSync } from 'node:fs';
import { realpath, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageFailed } from '../../outbox/outbox.js';

/** Less than this on the disk of the database, and no more is taken in: a full disk must not stop what was accepted. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** SQLite writes both beside each other, whatever links lead there. */
const SUFFIXES = ['', '-wal'] as const;

/** The same for one file under any name, and another for one that takes its place. */
const AS_NUMBERS = { bigint: true, throwIfNoEntry: false } as const;

/**
 * Looks after the disk of a database that this process has open. Call it right after the opening: it has to know the files.
 *
 * @returns whether the disk that holds the file, and not a link to it, has room for more. Rejects with {@link StorageFailed}
 *   where the file or its log is gone, or another one has taken its place, as after a backup was put back: what the process
 *   still writes is gone, too, when it ends
 */
export function diskRoomOf(path: string): () => Promise<boolean> {
  const opened = SUFFIXES.map((suffix) => statSync(`${realpathSync(path)}${suffix}`, AS_NUMBERS));

  return async () => {
    try {
      const file = await realpath(path);
      for (const [index, suffix] of SUFFIXES.entries()) {
        const known = opened[index];
        if (known === undefined) continue;
        const { dev, ino } = await stat(`${file}${suffix}`, { bigint: true });
        if (dev !== known.dev || ino !== known.ino) throw notOurs(path, suffix);
      }
      const { bavail, bsize } = await statfs(dirname(file));
      return bavail * bsize > MIN_FREE_BYTES;
    } catch (error) {
      if (error instanceof StorageFailed) throw error;
      const { code = 'unknown', path: where = path } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw notOurs(path, where.endsWith('-wal') ? '-wal' : '');
      throw new StorageFailed(
        `${path} cannot be reached any more (${code}); no more is taken in. Check the owner and mode of its folders, and its disk`,
        { cause: error },
      );
    }
  };
}

function notOurs(path: string, suffix: (typeof SUFFIXES)[number]): StorageFailed {
  return new StorageFailed(
    `${path}${suffix} is gone, or another file, while the proxy has it open, which takes nothing more in; let it deliver what waits, then restart it`,
  );
}

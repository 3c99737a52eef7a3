import { realpathSync, statSync } from 'node:fs';
import { realpath, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StorageFailed } from '../../outbox/outbox.js';

/**
 * With less free space on the disk of the database, no more edits are accepted: a full disk must not stop those that were
 * accepted.
 */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

/** SQLite writes the log beside the file itself, wherever a symbolic link to it is. */
const SUFFIXES = ['', '-wal'] as const;

/** Device and inode identify a file under any name, and differ for a file that replaces it. */
const AS_NUMBERS = { bigint: true, throwIfNoEntry: false } as const;

/**
 * Watches the disk of a database that this process has open. It has to be called right after opening, because it records
 * which files are open.
 *
 * @returns a function that resolves to whether the disk of the file has more than `MIN_FREE_BYTES` free. It rejects with
 *   {@link StorageFailed} if the file or its log is missing or was replaced, for example by a restored backup: everything
 *   that this process still writes would be lost when it ends
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

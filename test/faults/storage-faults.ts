import type { Random } from './random.js';
import { DISK_AND_SOCKETS } from './strace.js';

/** One way in which storage fails, as strace makes it fail. */
export interface StorageFault {
  readonly name: string;
  readonly calls: readonly string[];
  readonly outcome: string;
  /** What the names of the files end with that it is about; absent: it is traced with all that happens. */
  readonly files?: readonly string[];
  /** The first call that may fail, of a life: below this. */
  readonly within: number;
}

export const STORAGE_FAULTS: readonly StorageFault[] = [
  { name: 'EIO on a write', calls: ['pwrite64'], outcome: 'error=EIO', within: 400 },
  { name: 'ENOSPC on a write', calls: ['pwrite64'], outcome: 'error=ENOSPC', within: 400 },
  { name: 'writes that take nothing', calls: ['pwrite64'], outcome: 'retval=0', within: 400 },
  { name: 'EIO on a sync', calls: ['fsync', 'fdatasync'], outcome: 'error=EIO', within: 30 },
  {
    name: 'EIO in a checkpoint',
    calls: ['pwrite64', 'ftruncate', 'fsync', 'fdatasync'],
    outcome: 'error=EIO',
    files: [''],
    within: 20,
  },
  { name: 'EIO on a read', calls: ['pread64', 'read'], outcome: 'error=EIO', files: ['', '-wal'], within: 20 },
  { name: 'EMFILE on an open', calls: ['openat'], outcome: 'error=EMFILE', files: ['', '-wal', '-journal'], within: 6 },
];

/** Which calls of a life fail: one now and then, some in a row, or all from one on. */
export function whenItFails(within: number, random: Random): string {
  const first = String(1 + random.below(within));
  return random.pick([
    `${first}+${String(1 + random.below(within))}`,
    `${first}..${String(Number(first) + random.below(5))}`,
    `${first}+`,
  ]);
}

/** The calls to trace: those that fail, and where files do not narrow it down, all that the order of things shows in. */
export function tracedFor({ calls, files }: StorageFault): readonly string[] {
  return files === undefined ? DISK_AND_SOCKETS : calls;
}

import type { Random } from './random.js';
import { DISK_AND_SOCKETS } from './strace.js';

/** One kind of storage fault, which strace injects. */
export interface StorageFault {
  readonly name: string;
  readonly calls: readonly string[];
  readonly outcome: string;
  /** The name endings of the affected files. Without it, all calls are traced. */
  readonly files?: readonly string[];
  /** The first failing call of a run is below this number. */
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

/** The calls of a run that fail: single ones, some in a row, or all from one on. */
export function whenItFails(within: number, random: Random): string {
  const first = String(1 + random.below(within));
  return random.pick([
    `${first}+${String(1 + random.below(within))}`,
    `${first}..${String(Number(first) + random.below(5))}`,
    `${first}+`,
  ]);
}

/** The calls to trace: those that fail, and, without a restriction to files, all that show the order of events. */
export function tracedFor({ calls, files }: StorageFault): readonly string[] {
  return files === undefined ? DISK_AND_SOCKETS : calls;
}

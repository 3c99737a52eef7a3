import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** All calls that change a file or that a peer can observe. */
export const DISK_AND_SOCKETS = [
  ...['openat', 'open', 'creat', 'close', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat'],
  ...['write', 'writev', 'pwrite64', 'pwritev', 'pwritev2', 'sendto', 'sendmsg', 'read', 'readv', 'recvfrom'],
  ...['ftruncate', 'truncate', 'fallocate', 'fsync', 'fdatasync', 'sync_file_range', 'copy_file_range'],
];

export interface StraceOptions {
  readonly output: string;
  readonly calls: readonly string[];
  /** Only calls with these paths are traced. */
  readonly paths?: readonly string[];
  /** Injections such as `pwrite64:error=EIO:when=3`. */
  readonly inject?: readonly string[];
}

/** The command line before a traced command. It appends to `output`, which `readTrace` parses. */
export function strace({ output, calls, paths = [], inject = [] }: StraceOptions): string[] {
  return [
    ...['strace', '-f', '-y', '-xx', '-s', '1000000', '-A', '-o', output],
    // This is faster, but strace 6.1 then injects no signals.
    ...(inject.some((fault) => fault.includes(':signal=')) ? [] : ['--seccomp-bpf']),
    ...['-e', `trace=${calls.join(',')}`],
    ...paths.flatMap((path) => ['-P', path]),
    ...inject.flatMap((fault) => ['-e', `inject=${fault}`]),
  ];
}

/** @returns a sentence with the reason if strace cannot be used */
export function straceIsMissing(): string | undefined {
  const { status } = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=none', 'true']);
  return status === 0
    ? undefined
    : 'not run: it needs strace 5.3 or newer, allowed to trace its own children (apt-get install strace)';
}

/** The process that strace traces. If strace itself is killed, the end of the trace is lost. */
export function tracedBy(pid: number): number {
  const [child = ''] = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8').split(' ');
  return Number(child);
}

import { existsSync, readFileSync } from 'node:fs';

/** The peak memory of a process in MiB, on Linux. It is 0 on other systems. */
export function peakMemoryMiB(pid: number): number {
  const status = `/proc/${String(pid)}/status`;
  const peak = existsSync(status) ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return Math.round(Number(peak ?? 0) / 1024);
}

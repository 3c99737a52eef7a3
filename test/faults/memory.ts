import { existsSync, readFileSync } from 'node:fs';

/** Most memory that a process ever had, in MiB (Linux; 0 where the system does not tell). */
export function peakMemoryMiB(pid: number): number {
  const status = `/proc/${String(pid)}/status`;
  const peak = existsSync(status) ? /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return Math.round(Number(peak ?? 0) / 1024);
}

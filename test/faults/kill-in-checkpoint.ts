import { statSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

interface Watch {
  readonly path: string;
  /** 1 while the main thread is in a commit. */
  readonly inCommit: Int32Array;
  readonly log: number;
  readonly point: string;
  readonly nth: number;
}

/** A thread of the proxy that polls for a running checkpoint (see `kill-inside.ts`). */
const { path, inCommit, log, point, nth } = workerData as Watch;
const timeOf = (): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;

let left = nth;
for (let before = timeOf(), now = before; ; before = now) {
  now = timeOf();
  if (now === before || Atomics.load(inCommit, 0) === 0) continue;
  left -= 1;
  if (left > 0) continue;
  writeSync(log, `${point}\n`);
  // Checked again as late as possible, because the checkpoint must not be over.
  if (Atomics.load(inCommit, 0) === 1) process.kill(process.pid, 'SIGKILL');
  writeSync(log, 'missed\n');
  left = 1;
}

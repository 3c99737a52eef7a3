import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadOrder, LoadReport } from './load.js';

const ROOT = join(import.meta.dirname, '../..');

export interface Running {
  readonly port: number;
  readonly pid: number;
  end(): Promise<void>;
}

/** Starts a command of the built program, as an operator does. */
export async function startCommand(word: string, environment: Readonly<Record<string, string>>): Promise<Running> {
  const words = [join(ROOT, 'dist/proxy/node/cli/bin.js'), word];
  const child = spawn(process.execPath, words, {
    env: { PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let printed = '';
    // The output is read to the end, because a process that logs much would wait for its reader.
    child.stdout.on('data', (chunk: Buffer) => {
      if (printed.length < 100_000) printed += chunk.toString();
      const found = /http:[/][/][\d.]+:(\d+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => {
      reject(new Error(`${word} did not start: ${printed}`));
    });
  });
  return running(child, port);
}

/** Starts a server of test/peers. */
export async function startPeer(file: string, environment: Readonly<Record<string, string>> = {}): Promise<Running> {
  const child = fork(join(ROOT, 'test/peers', file), { env: environment, execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return running(child, port);
}

export interface LoadMaker {
  make(order: LoadOrder): Promise<LoadReport>;
  end(): Promise<void>;
}

/** Starts the load process. `make` throws if a response is not 202, because the figure would be meaningless. */
export function startLoadMaker(): LoadMaker {
  const child = fork(join(ROOT, 'test/bench/load.ts'), { execArgv: ['--import', 'tsx'] });
  return {
    async make(order) {
      child.send(order);
      const [report] = (await once(child, 'message')) as [LoadReport];
      if (report.failures.length > 0) throw new Error(`not all was taken: ${report.failures.join(', ')}`);
      return report;
    },
    end: () => ended(child),
  };
}

function running(child: ChildProcess, port: number): Running {
  return { port, pid: child.pid ?? 0, end: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from '../../src/proxy/node/cli/cli.js';
import type { Environment } from '../../src/proxy/node/config/env-reader.js';

const BIN = resolve('dist/proxy/node/cli/bin.js');

export interface EndedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The output to standard output, followed by that to standard error. */
  readonly printed: string;
}

/** Runs a `vendor-inventory` command that ends by itself, in the process of the test. */
export async function runCommand(args: readonly string[], environment: Environment = {}): Promise<EndedCommand> {
  const printed = { stdout: '', stderr: '' };
  const code = await run(args, environment, {
    print: (text) => void (printed.stdout += text),
    printError: (text) => void (printed.stderr += text),
    closed: new AbortController().signal,
  });
  return { code, ...printed, printed: printed.stdout + printed.stderr };
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments for Node itself. */
  readonly node?: readonly string[];
  /** File descriptor that receives standard output; the test does not see the output then. */
  readonly stdout?: number;
}

/**
 * Runs `vendor-inventory` as an operator does: the built program in a process and an environment of its own. It is for
 * behaviour that only a process has: signals, its streams, and that it exits by itself.
 */
export class Command {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor(t: TestContext, args: readonly string[], { environment = {}, node = [], stdout }: CommandOptions = {}) {
    if (!existsSync(BIN)) throw new Error('There is no built program: npm run build');
    this.#child = spawn(process.execPath, [...node, BIN, ...args], {
      env: { ...environment },
      stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.#closed = once(this.#child, 'close');
    t.after(() => this.#child.kill('SIGKILL'));
  }

  /** @returns the exit code, once all output has arrived */
  async exitCode(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  /** Closes standard output, as `head` does once it has read enough. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Resolves to the first match in standard output. Rejects if the command ends without one. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) return match;
      const { exitCode, signalCode } = this.#child;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`it ended without printing ${pattern}: ${this.stderr}`);
      await Promise.race([once(this.#child.stdout ?? this.#child, 'data'), this.#closed]);
    }
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';

const BIN = resolve('dist/proxy/node/cli/bin.js');

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Words for Node itself. */
  readonly node?: readonly string[];
  /** File descriptor for what it says on standard output, which nobody hears then. */
  readonly stdout?: number;
}

/** `vendor-inventory` as an operator runs it: the built program in a process and an environment of its own. */
export class Command {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor(t: TestContext, words: readonly string[], { environment = {}, node = [], stdout }: CommandOptions = {}) {
    if (!existsSync(BIN)) throw new Error('There is no built program: npm run build');
    this.#child = spawn(process.execPath, [...node, BIN, ...words], {
      env: { ...environment },
      stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.#closed = once(this.#child, 'close');
    t.after(() => this.#child.kill('SIGKILL'));
  }

  /** @returns the exit code, once all that was said has been heard */
  async exitCode(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  /** As `head` does once it has seen enough. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Resolves to the first match in what it says on standard output; rejects when it ends without. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) return match;
      const { exitCode, signalCode } = this.#child;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`it ended without saying ${pattern}: ${this.stderr}`);
      await Promise.race([once(this.#child.stdout ?? this.#child, 'data'), this.#closed]);
    }
  }
}

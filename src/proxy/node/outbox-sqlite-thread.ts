import { extname } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { systemClock } from '../clock.js';
import { StorageFailed, type Outbox } from '../outbox.js';
import { openSqliteOutbox, type SqliteOutbox } from './outbox-sqlite.js';
import { KeptEndedSessions, type EndedRow } from './sqlite-ended-sessions.js';
import {
  errorOf,
  failureOf,
  PLAIN_CALLS,
  type Call,
  type PlainCall,
  type Question,
  type Saying,
  type StorageThreadData,
  type Word,
} from './storage-calls.js';

/** Calls that leave together: the store begins with them while this thread reads the next requests. */
const MOST_TOGETHER = 8;

/** V8 takes four times as much if nobody says otherwise, which speeds up nothing here: few objects of the store live on. */
const YOUNG_MIB = 12;

type Asked = (...words: readonly string[]) => unknown;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly asked: Asked | undefined;
  readonly itemsAreIn: (() => void) | undefined;
}

/**
 * The same outbox as {@link openSqliteOutbox} gives, on a thread of its own: while it writes, syncs and checkpoints, this
 * one answers whoever asks for anything else, and reads the next batches.
 *
 * For a process that is the proxy's alone: where the thread ends by an error, so does the process, as it would by an error
 * of its own. A process that may start no thread gets the outbox of this one.
 *
 * @throws {StorageFailed} when the file cannot be used
 */
export async function openSqliteOutboxOnThread(path: string): Promise<SqliteOutbox> {
  const thread = startThread(path);
  if (thread === undefined) return openSqliteOutbox(path);
  const endings = await thread.opened;
  const plain = PLAIN_CALLS.map((name) => [name, (...words: unknown[]) => thread.call(name, words)] as const);
  return {
    ...(Object.fromEntries(plain) as unknown as Pick<Outbox, PlainCall>),
    decide({ isAnothers, ...decision }) {
      const asked = isAnothers as Asked | undefined;
      return thread.call('decide', [decision, asked !== undefined], { asked }) as ReturnType<Outbox['decide']>;
    },
    moveLanes: (laneOf, now, itemsAreIn) =>
      thread.call('moveLanes', [now], { asked: laneOf as Asked, itemsAreIn }) as Promise<void>,
    subscribe: (listener) => thread.subscribe(listener),
    endedSessions: (clock = systemClock) =>
      new KeptEndedSessions(
        { all: () => endings, write: (row, now) => thread.call('end', [row, now]) as Promise<void> },
        clock,
      ),
    close: () => thread.close(),
  };
}

/** `undefined`: Node's permission model, or a limit on tasks, does not allow one. The proxy does its work without. */
function startThread(path: string): StorageThread | undefined {
  try {
    return new StorageThread(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_ACCESS_DENIED' || code === 'ERR_WORKER_INIT_FAILED') return undefined;
    throw error;
  }
}

class StorageThread {
  readonly opened: Promise<readonly EndedRow[]>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<Parameters<Outbox['subscribe']>[0]>();
  #calls: Call[] = [];
  #last = 0;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(path: string) {
    const { port1: mine, port2: questions } = new MessageChannel();
    const isAnswered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: StorageThreadData = { path, questions, isAnswered };
    // The tests run what is built, and the sources.
    const file = new URL(`storage-thread${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(file, {
      workerData,
      transferList: [questions],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    mine.on('message', (question: Question) => {
      this.#answer(question, mine, isAnswered);
    });
    // It is there as long as the worker is.
    mine.unref();
    this.opened = new Promise((resolve, reject) => {
      let isOpen = false;
      this.#worker.on('message', (sayings: readonly Saying[]) => {
        for (const saying of sayings) {
          if (saying.kind === 'refused') {
            reject(errorOf(saying.failure));
          } else if (saying.kind === 'open') {
            isOpen = true;
            resolve(saying.endings);
          } else this.#hear(saying);
        }
      });
      this.#worker.on('error', (error) => {
        reject(error);
        if (isOpen) throw error;
      });
      this.#worker.on('exit', () => {
        this.#isClosed = true;
        for (const { reject: refuse } of this.#waiting.values()) refuse(closed());
        this.#waiting.clear();
      });
    });
  }

  call(
    name: Call['name'],
    words: readonly unknown[],
    { asked, itemsAreIn }: Partial<Pick<Waiting, 'asked' | 'itemsAreIn'>> = {},
  ): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      if (this.#calls.length === 0) setImmediate(() => this.#post());
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject, asked, itemsAreIn });
      this.#calls.push({ id: this.#last, name, words });
      if (this.#calls.length >= MOST_TOGETHER) this.#post();
    });
  }

  subscribe(listener: Parameters<Outbox['subscribe']>[0]): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#listeners.clear();
    const closing = this.call('close', []);
    this.#isClosed = true;
    await closing;
    await this.#worker.terminate();
  }

  #post(): void {
    if (this.#calls.length === 0) return;
    const calls = this.#calls;
    this.#calls = [];
    this.#worker.postMessage(calls);
  }

  #hear(saying: Exclude<Saying, { kind: 'open' | 'refused' }>): void {
    if (saying.kind === 'changed') {
      for (const listener of this.#listeners) listener(saying.vendor, saying.elsewhere);
      return;
    }
    const waiting = this.#waiting.get(saying.id);
    if (saying.kind === 'items_are_in') {
      waiting?.itemsAreIn?.();
      return;
    }
    this.#waiting.delete(saying.id);
    if (saying.kind === 'done') waiting?.resolve(saying.value);
    else waiting?.reject(errorOf(saying.failure));
  }

  #answer({ id, words }: Question, port: MessagePort, isAnswered: Int32Array): void {
    port.postMessage(this.#wordOn(id, words));
    Atomics.store(isAnswered, 0, 1);
    Atomics.notify(isAnswered, 0);
  }

  /** Whoever waits for it waits for ever where there is none. */
  #wordOn(id: number, words: readonly string[]): Word {
    try {
      return { value: this.#waiting.get(id)?.asked?.(...words) };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  }
}

function closed(): StorageFailed {
  return new StorageFailed('the outbox is closed');
}

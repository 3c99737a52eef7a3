import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Decision } from '../outbox.js';
import { openSqliteOutbox, type SqliteOutbox } from './outbox-sqlite.js';
import type { EndedRow, EndingsBook } from './sqlite-ended-sessions.js';
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

// The thread that `openSqliteOutboxOnThread` starts.

const { path, questions, isAnswered } = workerData as StorageThreadData;

type Serve = (call: Call) => unknown;

let sayings: Saying[] = [];

/** What is said in one turn leaves together, and each change once: to tell another thread costs more than what is told. */
function say(saying: Saying): void {
  if (saying.kind === 'changed' && sayings.some((other) => isSame(other, saying))) return;
  if (sayings.push(saying) > 1) return;
  process.nextTick(() => {
    parentPort?.postMessage(sayings);
    sayings = [];
  });
}

function isSame(other: Saying, { vendor, elsewhere }: Extract<Saying, { kind: 'changed' }>): boolean {
  return other.kind === 'changed' && other.vendor === vendor && other.elsewhere === elsewhere;
}

/** Waits here, and nothing else happens meanwhile: it may be asked in the middle of a transaction. */
function ask(question: Question): unknown {
  Atomics.store(isAnswered, 0, 0);
  questions.postMessage(question);
  Atomics.wait(isAnswered, 0, 0);
  const { message: word } = receiveMessageOnPort(questions) as { readonly message: Word };
  if ('failure' in word) throw errorOf(word.failure);
  return word.value;
}

function servicesOf(store: SqliteOutbox, endings: EndingsBook): Readonly<Record<Call['name'], Serve>> {
  const plain = PLAIN_CALLS.map((name) => {
    const method = store[name] as (...words: readonly unknown[]) => unknown;
    return [name, ({ words }: Call) => method(...words)] as const;
  });
  return {
    ...(Object.fromEntries(plain) as Record<PlainCall, Serve>),
    decide({ id, words: [decision, isAsked] }) {
      const isAnothers = (...words: readonly string[]): boolean => ask({ id, words }) === true;
      return store.decide({ ...(decision as Decision), ...(isAsked === true && { isAnothers }) });
    },
    moveLanes({ id, words: [now] }) {
      const known = new Map<string, string>();
      const laneOf = (vendor: string): string => {
        const lane = known.get(vendor) ?? (ask({ id, words: [vendor] }) as string);
        known.set(vendor, lane);
        return lane;
      };
      return store.moveLanes(laneOf, now as number, () => {
        say({ kind: 'items_are_in', id });
      });
    },
    end: ({ words: [row, now] }) => endings.write(row as EndedRow, now as number),
    close: () => store.close(),
  };
}

async function serve(services: Readonly<Record<Call['name'], Serve>>, call: Call): Promise<void> {
  try {
    say({ kind: 'done', id: call.id, value: await services[call.name](call) });
  } catch (error) {
    say({ kind: 'failed', id: call.id, failure: failureOf(error) });
  }
}

try {
  const store = openSqliteOutbox(path);
  const { book: endings } = store.endedSessions();
  const services = servicesOf(store, endings);
  store.subscribe((vendor, elsewhere) => {
    say({ kind: 'changed', vendor, elsewhere });
  });
  parentPort?.on('message', (calls: readonly Call[]) => {
    for (const call of calls) void serve(services, call);
  });
  say({ kind: 'open', endings: endings.all() });
} catch (error) {
  say({ kind: 'refused', failure: failureOf(error) });
}

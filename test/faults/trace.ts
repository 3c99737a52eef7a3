/**
 * What strace wrote, as calls. strace holds a thread at the entrance and at the exit of each call until it has written
 * the line, so the order of lines is an order of events: a call whose exit stands before another's entrance had returned
 * before the other began.
 *
 * Read are traces of `-f -o FILE -y -xx`: every string and path in hexadecimal, so that no content can look like syntax.
 */
export interface SystemCall {
  readonly name: string;
  /** Its arguments, as strace wrote them. */
  readonly words: string;
  /** `undefined`: the process was killed inside. -1: it failed, with `error`. */
  readonly result: number | undefined;
  readonly error?: string;
  /** Failed because strace was told to let it. */
  readonly isInjected: boolean;
  /** Lines of its entrance and of its exit; a call that was killed has no exit. */
  readonly began: number;
  readonly ended: number;
}

interface Descriptor {
  readonly path: string;
  /** Its file has no name any more. */
  readonly isDeleted: boolean;
}

interface Entrance {
  readonly text: string;
  readonly line: number;
}

const UNFINISHED = ' <unfinished ...>';
const NAMED_CALL = /^(\w+)\(/;
const RESUMED = /^<\.\.\. \w+ resumed>/;
const OUTCOME =
  /\)\s+= (-?\d+|0x[0-9a-f]+|\?)(?: ?<[^>]*>(?:\(deleted\))?)?(?: (E\w+) \([^)]*\)| \((errno \d+)\))?(?: \(INJECTED\))?$/;

/**
 * @param from the number of the first line
 * @returns the calls in the order in which they began
 */
export function readTrace(trace: Buffer, from = 1): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, Entrance>();
  let line = from - 1;
  for (const text of linesOf(trace)) {
    line += 1;
    const space = text.indexOf(' ');
    const thread = text.slice(0, space);
    const event = text.slice(space).trimStart();
    // A signal; or a call of a thread that is killed, where strace has not seen its entrance.
    if (event.startsWith('---') || event.startsWith('<... ??? resumed>') || event.startsWith('???(')) continue;
    if (event.startsWith('+++')) {
      const cut = open.get(thread);
      if (cut !== undefined) calls.push(callOf(`${cut.text}) = ?`, cut.line, Infinity));
      open.delete(thread);
    } else if (event.endsWith(UNFINISHED)) {
      open.set(thread, { text: event.slice(0, -UNFINISHED.length), line });
    } else if (RESUMED.test(event)) {
      const entrance = open.get(thread);
      if (entrance === undefined) throw new Error(`line ${String(line)} resumes what never began`);
      open.delete(thread);
      calls.push(callOf(entrance.text + event.replace(RESUMED, ''), entrance.line, line));
    } else {
      calls.push(callOf(event, line, line));
    }
  }
  for (const { text, line: began } of open.values()) calls.push(callOf(`${text}) = ?`, began, Infinity));
  return calls.sort((one, other) => one.began - other.began);
}

/** The open file or socket that a call is about, by its first argument. */
export function descriptorOf({ words }: SystemCall): Descriptor | undefined {
  const [, path, deleted] = /^\d+<([^>]*)>(\(deleted\))?/.exec(words) ?? [];
  return path === undefined ? undefined : { path: unescape(path).toString(), isDeleted: deleted !== undefined };
}

/** The path in a call that names its file, as `openat` and `unlink`. */
export function pathOf({ words }: SystemCall): string | undefined {
  const text = /"([^"]*)"/.exec(words)?.[1];
  return text === undefined ? undefined : unescape(text).toString();
}

/** What a call carried, of all its buffers, as far as it was taken or given. */
export function bytesOf({ words, result = 0 }: SystemCall): Buffer {
  const parts = [...words.matchAll(/"([^"]*)"(\.\.\.)?/g)].map(([, text = '', cut]) => {
    if (cut !== undefined) throw new Error('strace has cut a string: it needs a longer -s');
    return unescape(text);
  });
  return Buffer.concat(parts).subarray(0, Math.max(result, 0));
}

/** The last argument, as an offset or a length. */
export function lastNumberOf({ words }: SystemCall): number {
  return Number(/(\d+)$/.exec(words)?.[1]);
}

function callOf(text: string, began: number, ended: number): SystemCall {
  const [start, name] = NAMED_CALL.exec(text) ?? [];
  const outcome = OUTCOME.exec(text);
  if (start === undefined || name === undefined || outcome === null) {
    throw new Error(`line ${String(began)} is no call: ${text.slice(0, 100)} ... ${text.slice(-100)}`);
  }
  const [, result, error = outcome[3]] = outcome;
  return {
    name,
    words: text.slice(start.length, outcome.index),
    result: result === '?' ? undefined : Number(result),
    ...(error !== undefined && { error }),
    isInjected: text.endsWith('(INJECTED)'),
    began,
    ended: result === '?' ? Infinity : ended,
  };
}

function* linesOf(trace: Buffer): Generator<string> {
  for (let from = 0; from < trace.length;) {
    const end = trace.indexOf(10, from);
    const to = end === -1 ? trace.length : end;
    yield trace.toString('latin1', from, to);
    from = to + 1;
  }
}

function unescape(text: string): Buffer {
  return text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex') : Buffer.from(text, 'latin1');
}

/**
 * Parses the output of strace into calls. strace stops a thread at the entry and at the exit of each call until it has
 * written the line, so the order of lines is an order of events: a call whose exit comes before the entry of another
 * one had returned before that began.
 *
 * It parses traces of `-f -o FILE -y -xx`, with every string and path in hexadecimal, so that no content can look like
 * syntax.
 */
export interface SystemCall {
  readonly name: string;
  /** Its arguments, as strace wrote them. */
  readonly words: string;
  /** `undefined` if the process was killed during the call, -1 if it failed with `error`. */
  readonly result: number | undefined;
  readonly error?: string;
  /** Whether strace injected the failure. */
  readonly isInjected: boolean;
  /** The line numbers of its entry and exit. An interrupted call has no exit. */
  readonly began: number;
  readonly ended: number;
}

interface Descriptor {
  readonly path: string;
  /** Whether its file was deleted. */
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
    // A signal, or a call of a killed thread whose entry strace has not recorded.
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

/** The open file or socket in the first argument of a call. */
export function descriptorOf({ words }: SystemCall): Descriptor | undefined {
  const [, path, deleted] = /^\d+<([^>]*)>(\(deleted\))?/.exec(words) ?? [];
  return path === undefined ? undefined : { path: unescape(path).toString(), isDeleted: deleted !== undefined };
}

/** The path in a call that has one, such as `openat` and `unlink`. */
export function pathOf({ words }: SystemCall): string | undefined {
  const text = /"([^"]*)"/.exec(words)?.[1];
  return text === undefined ? undefined : unescape(text).toString();
}

/** The bytes of all buffers that a call has read or written. */
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

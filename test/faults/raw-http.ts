import { connect } from 'node:net';

/** One response, parsed byte by byte. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Exchange {
  readonly answers: readonly RawAnswer[];
  /** All received bytes as Latin-1. */
  readonly text: string;
  /** Why the received bytes are no sequence of well-formed responses. */
  readonly fault?: string;
  /** Whether the server closed the connection after the client had ended its side. */
  readonly ended: boolean;
}

const SILENCE_MS = 120;
/** The client disconnects after this time. */
const TIMEOUT_MS = 60_000;

/**
 * Sends exactly these bytes and reads the responses. It never throws, because a lost connection is a valid result.
 *
 * @param from the local address @param silence the client ends its side after this many milliseconds without a byte
 */
export function exchange(
  port: number,
  bytes: string | Uint8Array,
  from: string,
  silence = SILENCE_MS,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const heard: Buffer[] = [];
    let ended = true;
    const quiet = setTimeout(() => socket.end(), silence);
    const limit = setTimeout(() => {
      ended = false;
      socket.destroy();
    }, TIMEOUT_MS + silence);
    socket.on('data', (chunk) => {
      heard.push(chunk);
      quiet.refresh();
    });
    socket.on('connect', () => quiet.refresh());
    // A server may reset a connection with unread bytes.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(quiet);
      clearTimeout(limit);
      resolve({ ...readAnswers(Buffer.concat(heard).toString('latin1')), ended });
    });
    socket.write(bytes);
  });
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)$/;

/** Parses strictly by RFC 9112: other bytes are an error. The last response may be truncated. */
function readAnswers(text: string): Omit<Exchange, 'ended'> {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return { answers, text, fault: 'headers without an end' };
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(STATUS_LINE.exec(first)?.[1] ?? NaN);
    if (Number.isNaN(status)) return { answers, text, fault: `no status line: ${JSON.stringify(first.slice(0, 80))}` };
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [, name = '', value = ''] = FIELD.exec(line) ?? [];
      if (name === '') return { answers, text, fault: `no header: ${JSON.stringify(line.slice(0, 80))}` };
      headers.set(name.toLowerCase(), value);
    }
    rest = rest.slice(end + 4);
    const { body, left } = readBody(status, headers, rest);
    rest = left;
    if (status >= 200) answers.push({ status, headers, body });
  }
  return { answers, text };
}

function readBody(
  status: number,
  headers: ReadonlyMap<string, string>,
  rest: string,
): { readonly body: string; readonly left: string } {
  if (status < 200 || status === 204 || status === 304) return { body: '', left: rest };
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const length = headers.get('content-length');
  if (length === undefined) return { body: rest, left: '' };
  return { body: rest.slice(0, Number(length)), left: rest.slice(Number(length)) };
}

function readChunks(rest: string): { readonly body: string; readonly left: string } {
  let body = '';
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    const size = line === -1 ? NaN : Number.parseInt(rest.slice(at, line), 16);
    if (Number.isNaN(size)) return { body, left: '' };
    body += rest.slice(line + 2, line + 2 + size);
    at = line + 4 + size;
    if (size === 0) return { body, left: rest.slice(at) };
  }
}

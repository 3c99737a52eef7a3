import type { Random } from './random.js';

/** A valid request, in parts that can be changed one by one. */
export interface RequestParts {
  method: string;
  path: string;
  version: string;
  headers: [name: string, value: string][];
  body: string | Buffer;
  /** The Content-Length: the number of bytes, unless a mutation changes it. */
  length?: string | null;
}

export interface Bad {
  /** The description in the report. */
  readonly kind: string;
  readonly bytes: Buffer;
  /** Whether a strict server may still accept it as a valid batch. */
  readonly mayStore: boolean;
}

interface Mutation {
  readonly kind: string;
  readonly mayStore?: boolean;
  /** @returns the bytes of a request that cannot be described by parts */
  break(parts: RequestParts, random: Random, canary: string): string | Buffer | undefined;
}

const CRITICAL = ['Authorization', 'Origin', 'Content-Type', 'X-Requested-With', 'Idempotency-Key'] as const;
const ONCE = ['Authorization', 'Origin', 'Content-Type', 'Content-Length'] as const;
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'] as const;

function setHeader(parts: RequestParts, name: string, value: string): undefined {
  parts.headers = parts.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  parts.headers.push([name, value]);
}

function json(parts: RequestParts): { inventory: Record<string, unknown>[] } & Record<string, unknown> {
  return JSON.parse(parts.body.toString()) as ReturnType<typeof json>;
}

/** A mutation of the batch before it is serialised. */
function batch(
  kind: string,
  change: (edit: Record<string, unknown>, random: Random, canary: string) => void,
): Mutation {
  return {
    kind,
    break(parts, random, canary) {
      const body = json(parts);
      const [edit = {}] = body.inventory;
      change(edit, random, canary);
      parts.body = JSON.stringify(body);
    },
  };
}

function body(kind: string, make: (parts: RequestParts, random: Random, canary: string) => string | Buffer): Mutation {
  return {
    kind,
    break(parts, random, canary) {
      parts.body = make(parts, random, canary);
    },
  };
}

function header(kind: string, name: string, values: (random: Random, canary: string) => string): Mutation {
  return { kind, break: (parts, random, canary) => setHeader(parts, name, values(random, canary)) };
}

/** Bytes after a valid head, in place of the body and its length. */
function framed(kind: string, lines: (parts: RequestParts) => string, mayStore = false): Mutation {
  return {
    kind,
    mayStore,
    break(parts) {
      parts.length = null;
      return `${headOf(parts)}${lines(parts)}`;
    },
  };
}

const random = (count: number, { below }: Random): Buffer =>
  Buffer.from(Array.from({ length: count }, () => below(256)));

const MUTATIONS: readonly Mutation[] = [
  { kind: 'random bytes', break: (_, chance) => random(1 + chance.below(2000), chance) },
  { kind: 'random text', break: (_, chance, canary) => `${canary} ${random(200, chance).toString('base64')}\r\n\r\n` },
  {
    kind: 'a TLS greeting',
    break: () => Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, ...Array<number>(500).fill(7)]),
  },
  { kind: 'an HTTP/2 preface', break: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  {
    kind: 'another method',
    break(parts, chance, canary) {
      parts.method = chance.pick([
        'GET',
        'PUT',
        'DELETE',
        'PATCH',
        'TRACE',
        'OPTIONS',
        'HEAD',
        'post',
        'PROPFIND',
        canary,
      ]);
    },
  },
  { kind: 'CONNECT', break: () => 'CONNECT portal.example.com:443 HTTP/1.1\r\nHost: portal.example.com\r\n\r\n' },
  {
    kind: 'another path',
    break(parts, chance, canary) {
      parts.path = chance.pick([
        `/${canary}`,
        `/v1/${canary}`,
        '*',
        '/v1',
        '/v1/inventory/',
        '/V1/INVENTORY',
        '/v1/inventory%00',
        '/v1/inventory;x',
        `/v1/edits/${canary}/retry`,
        '/v1/edits//retry',
        '/v1/edits/%2e%2e/discard',
        '/sandbox/journal',
        '/edits',
        '',
        'v1/inventory',
        '/%',
        '/v1/%ff%fe',
        `/${'a'.repeat(chance.below(20_000))}`,
      ]);
    },
  },
  {
    kind: 'a path that may be equivalent',
    mayStore: true,
    break(parts, chance) {
      parts.path = chance.pick([
        '//v1/inventory',
        '/v1/../v1/inventory',
        '/v1/./inventory',
        '/v1/inventory?x=1',
        '/v1/inventory#x',
        '/v1%2finventory',
        'http://other.example.com/v1/inventory',
        '/%76%31/inventory',
        '\\v1\\inventory',
        'https://a:b@c/v1/inventory',
      ]);
    },
  },
  {
    kind: 'an invalid query',
    break(parts, chance, canary) {
      parts.method = 'GET';
      parts.body = '';
      const what = chance.pick([
        'inventory?limit=',
        'inventory?cursor=',
        'inventory?since=',
        'receipts?ids=',
        'history?item=',
        'history?cursor=',
        'session?',
      ]);
      const value = chance.pick([
        canary,
        '-1',
        '1e9',
        '%00',
        '%ff',
        'NaN',
        '9'.repeat(40),
        ','.repeat(600),
        '__proto__',
        '%F0%9F%9A%80',
        "'%20OR%201=1--",
        '\u00e9',
      ]);
      parts.path = `/v1/${what}${value}`;
    },
  },
  {
    kind: 'another version',
    mayStore: true,
    break(parts, chance) {
      parts.version = chance.pick([
        'HTTP/1.0',
        'HTTP/0.9',
        'HTTP/2.0',
        'HTTP/9.9',
        'HTTP/1.1.1',
        'http/1.1',
        'ICE/1.0',
        '',
      ]);
    },
  },
  {
    kind: 'a missing header',
    break(parts, chance) {
      const gone = chance.pick(CRITICAL);
      parts.headers = parts.headers.filter(([name]) => name !== gone);
    },
  },
  {
    kind: 'a repeated header',
    break(parts, chance) {
      const twice = chance.pick(ONCE);
      const value = parts.headers.find(([name]) => name === twice)?.[1] ?? '7';
      parts.headers.push([twice, value]);
      // Two equal lengths count as one (RFC 9112 section 6.3). These always differ from the true one.
    },
  },
  // The proxy does not read this header, and the server uses the first one.
  { kind: 'two Host headers', mayStore: true, break: (parts, _, canary) => void parts.headers.push(['Host', canary]) },
  {
    ...header('another host', 'Host', (chance) =>
      chance.pick(['', ' ', 'a b', 'a/b', '[::1', 'a:99999', '@', '\u00e9', '..', 'a,b']),
    ),
    mayStore: true,
  },
  header('another origin', 'Origin', (chance, canary) =>
    chance.pick([
      `https://${canary}.example.com`,
      'null',
      '',
      '*',
      'https://admin.example.com.evil.test',
      'https://admin.example.com:444',
      'http://admin.example.com',
    ]),
  ),
  header('another type', 'Content-Type', (chance) =>
    chance.pick([
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'text/plain; application/json',
      '',
      'application/problem+json',
    ]),
  ),
  header('another token', 'Authorization', (chance, canary) =>
    chance.pick([
      `Bearer ${canary}`,
      `Basic ${canary}`,
      'Bearer',
      '',
      'Bearer a.b.c',
      `Bearer ${'a'.repeat(15_000)}`,
      'Bearer eyJhbGciOiJub25lIn0.e30.',
      'Bearer \u00ff',
    ]),
  ),
  header('another key', 'Idempotency-Key', (chance) => chance.pick(['', 'x'.repeat(201), 'a b', '\u00e9', '\t'])),
  header('Fetch Metadata of another site', 'Sec-Fetch-Site', () => 'none'),
  {
    kind: 'a header that is too long',
    break: (parts, chance) => setHeader(parts, 'X-Long', 'x'.repeat(17_000 + chance.below(100_000))),
  },
  {
    kind: 'many headers',
    mayStore: true,
    break: (parts, chance) =>
      void parts.headers.push(...Array.from({ length: chance.below(3000) }, (): [string, string] => ['a', ''])),
  },
  {
    kind: 'odd header lines',
    break(parts, chance, canary) {
      const line = chance.pick([
        `X-Fold: a\r\n ${canary}`,
        `X-Bad : ${canary}`,
        canary,
        `: ${canary}`,
        `X\u0000: a`,
        `X-Nul: a\u0000b`,
        `X-Cr: a\rb`,
        `X-\u00e9: a`,
        ` X-Lead: a`,
        `X(y): a`,
        `X-Bell: \u0007`,
      ]);
      return `${headOf(parts).slice(0, -2)}${line}\r\n\r\n${parts.body.toString()}`;
    },
    mayStore: true,
  },
  {
    kind: 'bare line feeds',
    mayStore: true,
    break: (parts) => `${headOf(parts).replaceAll('\r\n', '\n')}${parts.body.toString()}`,
  },
  {
    kind: 'forged forwarding headers',
    mayStore: true,
    break: (parts, _, canary) =>
      void parts.headers.push(
        ['X-Forwarded-For', canary],
        ['X-Forwarded-Host', canary],
        ['Forwarded', `for=${canary}`],
        ['X-HTTP-Method-Override', 'DELETE'],
      ),
  },
  framed(
    'Content-Length and then chunked',
    (parts) =>
      `Content-Length: ${String(parts.body.length)}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled(parts)}`,
  ),
  framed(
    'chunked and then Content-Length',
    (parts) => `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${chunk(parts)}${smuggled(parts)}`,
  ),
  framed(
    'an unknown Transfer-Encoding',
    (parts) =>
      `Transfer-Encoding: xchunked\r\nContent-Length: ${String(parts.body.length)}\r\n\r\n${parts.body.toString()}`,
  ),
  framed(
    'two Transfer-Encoding headers',
    (parts) => `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunk(parts)}`,
  ),
  framed('chunked with a space', (parts) => `Transfer-Encoding : chunked\r\n\r\n${chunk(parts)}`),
  framed(
    'two Content-Length headers',
    (parts) => `Content-Length: ${String(parts.body.length)}\r\nContent-Length: 3\r\n\r\n${parts.body.toString()}`,
  ),
  framed(
    'a bad chunk size',
    (parts) => `Transfer-Encoding: chunked\r\n\r\nzz\r\n${parts.body.toString()}\r\n0\r\n\r\n`,
  ),
  framed('an endless chunk size', () => `Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n`),
  framed(
    'a chunk size that is too small',
    (parts) => `Transfer-Encoding: chunked\r\n\r\n2\r\n${parts.body.toString()}\r\n0\r\n\r\n`,
  ),
  framed('no last chunk', (parts) => `Transfer-Encoding: chunked\r\n\r\n${chunk(parts).slice(0, -5)}`),
  framed('valid chunks', (parts) => `Transfer-Encoding: chunked\r\n\r\n${chunk(parts)}`, true),
  ...['-1', '+5', '0x10', '1e3', '5,5', 'abc', '', '99999999999999999999', '300000'].map((length) =>
    framed(`a Content-Length of ${length}`, (parts) => `Content-Length: ${length}\r\n\r\n${parts.body.toString()}`),
  ),
  {
    kind: 'a Content-Length that is too large',
    break: (parts, chance) => void (parts.length = String(parts.body.length + 1 + chance.below(100))),
  },
  {
    kind: 'a Content-Length that is too small',
    break: (parts, chance) => void (parts.length = String(1 + chance.below(parts.body.length - 1))),
  },
  header('an expectation', 'Expect', () => 'the-unexpected'),
  {
    kind: 'an upgrade',
    mayStore: true,
    break: (parts) =>
      void parts.headers.push(['Connection', 'Upgrade'], ['Upgrade', 'websocket'], ['Sec-WebSocket-Key', 'x']),
  },
  {
    kind: 'half of a request',
    break: (parts, chance) => {
      const whole = bytesOf(parts);
      return whole.subarray(0, 1 + chance.below(whole.length - 1));
    },
  },
  {
    kind: 'a flipped byte',
    mayStore: true,
    break: (parts, chance) => {
      const whole = bytesOf(parts);
      const at = chance.below(whole.length);
      whole[at] = chance.below(256);
      return whole;
    },
  },
  body('truncated JSON', (parts, chance) => parts.body.toString().slice(0, chance.below(parts.body.length))),
  body('random bytes as the body', (_, chance) => random(chance.below(2000), chance)),
  body('JSON of another shape', (_, chance, canary) =>
    chance.pick([
      'null',
      '[]',
      '1',
      '"x"',
      '{}',
      '{"inventory":{}}',
      '{"inventory":[]}',
      '{"inventory":null}',
      '{"inventory":[null]}',
      '{"inventory":[[]]}',
      `{"inventory":"${canary}"}`,
      '{"inventory":[{}]}',
      '\u0000',
      '1e99999',
      `${canary}`,
    ]),
  ),
  body('a batch under another name', (parts, chance) => {
    const name = chance.pick(NAMES);
    return `{"${name}":${JSON.stringify(json(parts).inventory)}}`;
  }),
  body('an unknown field', (parts, chance) =>
    parts.body.toString().replace('{"inventory"', `{"${chance.pick(NAMES)}":{"x":1},"inventory"`),
  ),
  body('an unknown field in an edit', (parts, chance) =>
    parts.body.toString().replace('{"id"', `{"${chance.pick(NAMES)}":{"x":1},"id"`),
  ),
  body('deeply nested JSON', (_, chance) => {
    const deep = 1 + chance.below(100_000);
    return '['.repeat(deep) + ']'.repeat(chance.below(deep));
  }),
  body('a deeply nested batch', (_, chance) => '{"inventory":['.repeat(1 + chance.below(10_000))),
  body('a very long string', (_, __, canary) => `{"inventory":[{"id":"${canary}${'x'.repeat(1024 * 1024)}"}]}`),
  body('invalid UTF-8', (parts) =>
    Buffer.concat([Buffer.from(parts.body.toString().slice(0, -5)), Buffer.from([0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80])]),
  ),
  body('compressed bytes', () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3])),
  body('too many items', (parts) => {
    const [edit] = json(parts).inventory;
    return JSON.stringify({
      inventory: Array.from({ length: 501 }, (_, at) => ({
        ...edit,
        id: `many-${String(at)}`,
        edit_id: `m-${String(at)}`,
      })),
    });
  }),
  body('a repeated item', (parts) => {
    const [edit] = json(parts).inventory;
    return JSON.stringify({ inventory: [edit, { ...edit, edit_id: 'another' }] });
  }),
  body('a repeated edit id', (parts) => {
    const [edit] = json(parts).inventory;
    return JSON.stringify({ inventory: [edit, { ...edit, id: 'another' }] });
  }),
  batch(
    'an invalid id',
    (edit, chance) =>
      void (edit['id'] = chance.pick(['', 'x'.repeat(201), 'a\u0000b', 'a\nb', 5, null, {}, [], '\u007f', true])),
  ),
  batch(
    'an invalid edit id',
    (edit, chance, canary) =>
      void (edit['edit_id'] = chance.pick([
        '',
        'x'.repeat(65),
        `${canary}/../`,
        'a b',
        5,
        null,
        {},
        '\u00e9',
        '\ud800',
      ])),
  ),
  batch('an invalid value', (edit, chance) => void (edit['available'] = chance.pick([0, 1, 'true', null, [], {}]))),
  batch(
    'an invalid time',
    (edit, chance, canary) =>
      void (edit['updated_at'] = chance.pick([
        '',
        canary,
        '2026-13-01T00:00:00Z',
        '2026-02-30T00:00:00Z',
        '2026-01-01',
        0,
        1e300,
        null,
        '+275760-09-13T00:00:00Z',
        '2026-01-01T25:00:00Z',
      ])),
  ),
  { ...batch('a lone surrogate', (edit) => void (edit['label'] = 'a\ud800b')), mayStore: true },
  {
    ...batch(
      'an early or a late time',
      (edit, chance) =>
        void (edit['updated_at'] = chance.pick([
          '0000-01-01T00:00:00.000Z',
          '9999-12-31T23:59:59.999Z',
          '1970-01-01T00:00:00Z',
        ])),
    ),
    mayStore: true,
  },
  { ...body('a byte order mark', (parts) => `\ufeff${parts.body.toString()}`), mayStore: true },
  {
    ...body('a repeated name', (parts) =>
      parts.body.toString().replace('"available"', '"available":false,"available"'),
    ),
    mayStore: true,
  },
];

export const MUTATION_COUNT = MUTATIONS.length;

/** @param at the number of the mutation */
export function malformed(good: RequestParts, at: number, chance: Random, canary: string): Bad {
  const mutation = MUTATIONS[at % MUTATIONS.length]!;
  const parts = structuredCloneOf(good);
  const bytes = mutation.break(parts, chance, canary) ?? bytesOf(parts);
  return {
    kind: mutation.kind,
    mayStore: mutation.mayStore === true,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes,
  };
}

function structuredCloneOf(parts: RequestParts): RequestParts {
  return { ...parts, headers: parts.headers.map(([name, value]) => [name, value]) };
}

export function bytesOf(parts: RequestParts): Buffer {
  return Buffer.concat([Buffer.from(headOf(parts)), Buffer.from(parts.body)]);
}

function headOf({ method, path, version, headers, body: content, length }: RequestParts): string {
  const sum = String(Buffer.byteLength(content));
  const framing: [string, string][] = length === null ? [] : [['Content-Length', length ?? sum]];
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  // Without a length, the mutation adds its own headers.
  return `${method} ${path} ${version}\r\n${lines.join('')}${length === null ? '' : '\r\n'}`;
}

function chunk({ body: content }: RequestParts): string {
  return `${Buffer.byteLength(content).toString(16)}\r\n${content.toString()}\r\n0\r\n\r\n`;
}

/** A complete request in a body, which a server must never read as a second request. */
function smuggled(parts: RequestParts): string {
  const text = parts.body.toString().replaceAll('"fuzz-', '"smuggled-');
  return `${headOf({ ...parts, length: String(Buffer.byteLength(text)) })}${text}`;
}

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { gone, POISON, respond, type FaultKind } from './fault-kind.js';
import type { PortalCall } from './portal-of-record.js';

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
const PAGE = '<!doctype html><title>Log in</title><script>alert(1)</script>';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const MIB = 1024 * 1024;

/** Complete success responses, each with an unusual detail that must not matter. */
const ODD_YES: Readonly<Record<string, { status?: number; headers?: Headers; body?: Buffer }>> = {
  'bad UTF-8': { body: Buffer.from([0x7b, 0xff, 0xfe, 0xc0, 0xaf, 0x7d]) },
  'JSON nested a million deep': { body: Buffer.from('['.repeat(MIB - 10)) },
  'objects nested eighty thousand deep': {
    body: Buffer.from(`${'{"results":'.repeat(80_000)}[]${'}'.repeat(80_000)}`),
  },
  '204': { status: 204, body: Buffer.alloc(0), headers: new Headers() },
  'an empty body': { body: Buffer.alloc(0) },
  'invalid results': {
    status: 201,
    body: Buffer.from('{"results":[null,1,"x",{"id":5},{"id":"boat-1"},{"status":"ok"}],"__proto__":{"results":1}}'),
  },
};

const CLOCKS = [
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Mon, 31 Feb 2026 25:61:61 GMT',
  'yesterday',
  '-1',
  '',
];

let bombs: Readonly<Record<'gzip' | 'br', Buffer>> | undefined;

/** Malformed bodies of a response. */
export const BODY_KINDS: readonly FaultKind[] = [
  { name: 'an HTML page with 200', strike: (call) => respond(call, 200, HTML, PAGE) },
  {
    name: 'an HTML page with 403 for everything',
    always: true,
    least: 25,
    strike: (call) => respond(call, 403, HTML, PAGE),
  },
  {
    name: '207 with results',
    outcome: 'yes',
    poison: POISON,
    async strike(call) {
      const { inventory } = JSON.parse((await call.body()).toString()) as { inventory: { id: string }[] };
      const good = inventory.filter(({ id }) => !POISON.has(id));
      if (good.length > 0) await call.answer(JSON.stringify({ inventory: good }));
      const results = inventory.map(({ id }) => ({ id, status: POISON.has(id) ? 422 : 200 }));
      await respond(call, 207, JSON_TYPE, JSON.stringify({ results }));
      await call.noteComplete();
      return true;
    },
  },
  { name: '207 without results', strike: (call) => respond(call, 207, JSON_TYPE, '{"some":"where"}') },
  {
    name: 'a refusal of an unknown item',
    strike: (call) => respond(call, 200, JSON_TYPE, '{"results":[{"id":5,"status":500}]}'),
  },
  ...Object.entries(ODD_YES).map(([name, instead]): FaultKind => ({
    name,
    outcome: 'yes',
    async strike(call) {
      await call.serve(instead);
      return true;
    },
  })),
  {
    name: 'a wrong clock',
    outcome: 'yes',
    async strike(call, { random }) {
      const off = (random.next() - 0.5) * 4 * 86_400_000;
      const date = random.pick([...CLOCKS, new Date(Date.now() + off).toUTCString()]);
      await call.serve({ headers: new Headers({ ...JSON_TYPE, Date: date }) });
      return true;
    },
  },
  {
    name: 'secrets in an error page',
    on: 'both',
    outcome: 'unknown',
    async strike(call, { random, clientSecret }) {
      return respond(call, random.pick([500, 503, 302, 200]), HTML, await reflection(call, clientSecret));
    },
  },
  {
    name: 'secrets in a refusal',
    poison: POISON,
    async strike(call, { clientSecret }) {
      const text = await reflection(call, clientSecret);
      const code = call.request.headers.authorization ?? clientSecret;
      const body = JSON.stringify({ type: code, title: text, detail: clientSecret, error: code });
      return respond(call, 422, { ...JSON_TYPE, 'X-Secret': clientSecret, 'Set-Cookie': `s=${clientSecret}` }, body);
    },
  },
  { name: 'a gzip bomb', on: 'both', outcome: 'unknown', strike: (call) => bomb(call, 'gzip') },
  { name: 'a Brotli bomb', on: 'both', outcome: 'unknown', strike: (call) => bomb(call, 'br') },
  { name: 'a body that is not gzip despite its Content-Encoding', outcome: 'unknown', strike: notGzip },
  { name: 'an endless stream', on: 'both', outcome: 'unknown', strike: endless },
];

async function reflection({ request, body }: PortalCall, secret: string): Promise<string> {
  return `${request.rawHeaders.join(' ')} ${secret} ${(await body()).toString()}`;
}

/** A gibibyte of spaces in a megabyte: each member of a gzip stream is inflated in turn. */
function makeBombs(): Readonly<Record<'gzip' | 'br', Buffer>> {
  const member = gzipSync(Buffer.alloc(16 * MIB, ' '));
  return {
    gzip: Buffer.concat(Array.from({ length: 64 }, () => member)),
    br: brotliCompressSync(Buffer.alloc(512 * MIB), { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }),
  };
}

async function bomb(call: PortalCall, encoding: 'gzip' | 'br'): Promise<true> {
  bombs ??= makeBombs();
  return respond(call, 200, { ...JSON_TYPE, 'Content-Encoding': encoding }, bombs[encoding]);
}

async function notGzip(call: PortalCall): Promise<true> {
  await call.answer();
  return respond(call, 200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 'no gzip at all');
}

async function endless({ request, response, body }: PortalCall): Promise<true> {
  await body();
  response.writeHead(200, JSON_TYPE);
  const piece = Buffer.alloc(64 * 1024, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
  await gone({ request });
  return true;
}

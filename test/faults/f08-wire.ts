import { setTimeout as wait } from 'node:timers/promises';
import { gone, sendRaw, type FaultKind } from './fault-kind.js';
import type { PortalCall } from './portal-of-record.js';

const GOOD_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Bytes in response to a call that the portal has applied. None of them is a complete response. */
const CUT_ANSWERS: Readonly<Record<string, string>> = {
  'half a status line': 'HTTP/1.1 20',
  'half the headers': `${GOOD_HEAD}Content-Le`,
  'half a body': `${GOOD_HEAD}Content-Length: 100\r\n\r\n{"status":"ok"`,
  'half a body in chunks': `${GOOD_HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n{"status"`,
  'no last chunk': `${GOOD_HEAD}Transfer-Encoding: chunked\r\n\r\nf\r\n{"status":"ok"}\r\n`,
  'a bad chunk size': `${GOOD_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{"status":"ok"}\r\n0\r\n\r\n`,
  'two lengths': `${GOOD_HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a negative length': `${GOOD_HEAD}Content-Length: -2\r\n\r\n{}`,
  'a protocol switch': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n',
  'no HTTP': 'SSH-2.0-OpenSSH_9.9\r\n',
  'random bytes': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'a header of 200 kB': `${GOOD_HEAD}X-Long: ${'x'.repeat(200_000)}\r\nContent-Length: 2\r\n\r\n{}`,
  '1,000 headers': `${GOOD_HEAD}${'X-Many: 0123456789012345678901234567890123456789\r\n'.repeat(1000)}Content-Length: 2\r\n\r\n{}`,
};

/** A complete 2xx response, though an unusual one. */
const STRANGE_ANSWERS: Readonly<Record<string, string>> = {
  'a body that ends with the connection': 'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{"status":"ok"}',
  'more bytes than Content-Length': `${GOOD_HEAD}Content-Length: 2\r\n\r\n{}{"status":"ok"}HTTP/1.1 500 No\r\n\r\n`,
  // It announces the end of the connection, because the next call could otherwise come on a connection that is closing.
  '1xx before the response': `${'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(20)}${GOOD_HEAD}Connection: close\r\nContent-Length: 2\r\n\r\n{}`,
};

/** Faults of the connection. */
export const WIRE_KINDS: readonly FaultKind[] = [
  {
    name: 'reset before the call is applied',
    on: 'both',
    outcome: 'unknown',
    async strike({ request, body }) {
      await body();
      request.socket.resetAndDestroy();
      return true;
    },
  },
  {
    name: 'reset in the middle of the request',
    on: 'both',
    outcome: 'unknown',
    isDeaf: true,
    async strike({ request }) {
      await wait(1);
      request.socket.resetAndDestroy();
      return true;
    },
  },
  acted('reset after the call was applied', ({ request }) => {
    request.socket.resetAndDestroy();
  }),
  acted('connection closed after the call was applied', ({ request }) => {
    request.socket.end();
  }),
  ...Object.entries(CUT_ANSWERS).map(([name, bytes]) => acted(name, (call) => sendRaw(call, bytes, true))),
  ...Object.entries(STRANGE_ANSWERS).map(([name, bytes]): FaultKind => ({
    name,
    outcome: 'yes',
    async strike(call) {
      const { status } = await call.answer();
      // Only success responses are changed; refusals are sent as they are.
      if (status !== 200) return endWith(call, status);
      if (await sendRaw(call, bytes, true)) await call.noteComplete();
      await gone(call);
      return true;
    },
  })),
  {
    ...acted('a slow drip', async (call) => {
      await sendRaw(call, `${GOOD_HEAD}Content-Length: 1000\r\n\r\n`, false);
      while (!call.request.socket.destroyed) {
        await sendRaw(call, ' ', false);
        await wait(20);
      }
    }),
    isSlow: true,
  },
  {
    ...acted('fewer bytes than Content-Length', (call) => sendRaw(call, CUT_ANSWERS['half a body'] ?? '', false)),
    isSlow: true,
  },
  { ...acted('no response after the call was applied', () => undefined), isSlow: true },
  {
    name: 'no response',
    on: 'both',
    outcome: 'unknown',
    isSlow: true,
    async strike(call) {
      await gone(call);
      return true;
    },
  },
  {
    name: 'calls that arrive late',
    outcome: 'unknown',
    isSlow: true,
    isReordering: true,
    async strike(call, { callMs, random }) {
      await call.body();
      // Later than the timeout of the proxy, but before the proxy assumes that no call can still arrive.
      await wait(callMs * (1.05 + 0.7 * random.next()));
      await call.answer();
      call.request.socket.destroy();
      return true;
    },
  },
  {
    name: 'calls that arrive twice',
    outcome: 'yes',
    async strike(call) {
      await call.answer();
      await call.serve();
      return true;
    },
  },
];

function acted(name: string, then: (call: PortalCall) => unknown): FaultKind {
  return {
    name,
    outcome: 'unknown',
    async strike(call) {
      await call.answer();
      await then(call);
      await gone(call);
      return true;
    },
  };
}

async function endWith(call: PortalCall, status: number): Promise<true> {
  await sendRaw(call, `HTTP/1.1 ${String(status)} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, true);
  return true;
}

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { colleagueFlips, colleagueGoesFirst, phoneComesBack } from './colleague.js';
import { roleOf, tokenFor, type Issuer } from './people.js';

export interface HostOptions extends Issuer {
  readonly portal: string;
  /** The proxy's process, which the page's panel may kill and start again. */
  readonly proxyProcess: { kill(): Promise<unknown>; start(): Promise<void> };
}

const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/': ['../page/index.html', 'text/html; charset=utf-8'],
  '/page.css': ['../page/page.css', 'text/css; charset=utf-8'],
  ...Object.fromEntries(
    ['page', 'view', 'event-log', 'trouble', 'journal', 'on-page'].map((name) => [
      `/${name}.js`,
      [`../../dist/demo/${name}.js`, 'text/javascript; charset=utf-8'] as const,
    ]),
  ),
};

/**
 * The routes of the sandbox portal that the page's panel may use. The page itself sends requests to its own host and the
 * proxy only.
 */
const PANEL: Readonly<Record<string, string>> = {
  '/demo/journal': '/sandbox/journal',
  '/demo/faults': '/sandbox/faults',
  '/demo/expire-tokens': '/sandbox/expire-tokens',
};

const signIn = z.strictObject({ signed_in: z.boolean() });
const proxyState = z.strictObject({ running: z.boolean() });
const deed = z.strictObject({ deed: z.enum(['flip', 'conflict', 'first']) });

const DEEDS = { flip: colleagueFlips, conflict: phoneComesBack, first: colleagueGoesFirst };

/** In milliseconds: longer than the time-out of the page. */
const SLOW_MS = 60_000;

/**
 * The demo's admin page and its backend: the part that an integrator writes. The elements need only one route of it, `POST
 * /inventory-session`, which responds with a token for the person who is signed in here.
 */
export function createHost(options: HostOptions): (request: Request) => Promise<Response> {
  let signedIn = true;
  let proxyRuns = true;

  async function session(request: Request): Promise<Response> {
    // Only the host's own pages may request a token.
    if (!isOwn(request)) return answer(403, { error: 'same-origin only' });
    const query = new URL(request.url).searchParams;
    const state = query.get('state');
    if (state === 'broken') return answer(503, { error: 'broken, as asked for' });
    if (state === 'signed-out') return answer(401, { error: 'signed out, as asked for' });
    if (state === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS).unref());
    if (!signedIn) return answer(401, { error: 'signed out' });
    return answer(200, { token: await tokenFor(roleOf(query.get('as')), options) });
  }

  /** The states that the panel switches at the host itself. */
  const switches: Readonly<Record<string, Switch>> = {
    '/demo/sign-in': {
      read: () => ({ signed_in: signedIn }),
      write: (body) => {
        signedIn = signIn.parse(body).signed_in;
      },
    },
    '/demo/proxy': {
      read: () => ({ running: proxyRuns }),
      write: async (body) => {
        const { running } = proxyState.parse(body);
        if (running === proxyRuns) return;
        proxyRuns = running;
        await (running ? options.proxyProcess.start() : options.proxyProcess.kill());
      },
    },
    '/demo/colleague': {
      read: () => ({}),
      write: (body) => DEEDS[deed.parse(body).deed](options),
    },
  };

  async function useSwitch(request: Request, { read, write }: Switch): Promise<Response> {
    if (request.method === 'GET') return answer(200, read());
    if (!isOwn(request)) return answer(403, {});
    try {
      await write(await request.json());
      return answer(200, read());
    } catch (error) {
      return answer(422, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  async function panel(request: Request, target: string, search: string): Promise<Response> {
    if (request.method !== 'GET' && !isOwn(request)) return answer(403, {});
    try {
      const upstream = await fetch(options.portal + target + search, {
        method: request.method,
        headers: { 'Content-Type': 'application/json' },
        ...(request.method !== 'GET' && { body: await request.text() }),
      });
      return new Response(await upstream.text(), {
        status: upstream.status,
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      });
    } catch {
      return answer(502, { error: 'the sandbox portal does not answer' });
    }
  }

  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const post = request.method === 'POST';
    if (pathname === '/inventory-session') return post ? session(request) : answer(405, {});
    const own = Object.hasOwn(switches, pathname) ? switches[pathname] : undefined;
    if (own !== undefined) return useSwitch(request, own);
    const target = Object.hasOwn(PANEL, pathname) ? PANEL[pathname] : undefined;
    if (target !== undefined) return panel(request, target, search);
    const file = Object.hasOwn(FILES, pathname) ? FILES[pathname] : undefined;
    if (file === undefined || post) return answer(404, { error: 'no such page' });
    const text = await readFile(new URL(file[0], import.meta.url), 'utf8');
    return new Response(text.replaceAll('https://inventory.example.com', options.proxy), {
      headers: { 'Content-Type': file[1], 'Cache-Control': 'no-store', ...policy(options.proxy) },
    });
  };
}

interface Switch {
  readonly read: () => object;
  /** @throws if the body is invalid, or the change failed */
  readonly write: (body: unknown) => void | Promise<void>;
}

function isOwn(request: Request): boolean {
  return request.headers.get('Sec-Fetch-Site') === 'same-origin';
}

/** The content security policy that a host page needs. Of the proxy, it allows the script and requests. */
function policy(proxy: string): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self' ${proxy}`,
      `connect-src 'self' ${proxy}`,
      "style-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  });
}

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { signEmbedToken } from '../../src/proxy/session-token.js';

export interface HostOptions {
  /** Where browsers reach this host. */
  readonly origin: string;
  readonly proxy: string;
  readonly portal: string;
  /** The secret that the proxy reads from `SESSION_SECRET_FILE`. */
  readonly sessionSecret: string;
}

const FILES: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/': ['../page/index.html', 'text/html; charset=utf-8'],
  '/page.css': ['../page/page.css', 'text/css; charset=utf-8'],
  '/page.js': ['../../dist/demo/page.js', 'text/javascript; charset=utf-8'],
};

/** What the page's panel may ask of the sandbox portal. The page itself talks to its own host and to the proxy only. */
const PANEL: Readonly<Record<string, string>> = {
  '/demo/journal': '/sandbox/journal',
  '/demo/items': '/sandbox/items',
  '/demo/faults': '/sandbox/faults',
  '/demo/expire-tokens': '/sandbox/expire-tokens',
};

const signIn = z.strictObject({ signed_in: z.boolean() });

/**
 * The demo's admin page and its backend: the part that an integrator writes. All that the elements need of it is one
 * route, `POST /inventory-session`, which answers with a token for the person who is signed in here.
 */
export function createHost(options: HostOptions): (request: Request) => Promise<Response> {
  let signedIn = true;

  async function session(request: Request): Promise<Response> {
    // In a real host: whoever the host's own session cookie says. Only the host's own pages may ask.
    if (request.headers.get('Sec-Fetch-Site') !== 'same-origin') return answer(403, { error: 'same-origin only' });
    if (!signedIn) return answer(401, { error: 'signed out' });
    const token = await signEmbedToken(options.sessionSecret, {
      issuer: options.origin,
      audience: options.proxy,
      origin: options.origin,
      subject: 'demo-person',
      vendor: 'demo-vendor',
      permissions: ['view', 'edit'],
    });
    return answer(200, { token });
  }

  async function panel(request: Request, target: string, search: string): Promise<Response> {
    if (request.method !== 'GET' && request.headers.get('Sec-Fetch-Site') !== 'same-origin') return answer(403, {});
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
    if (pathname === '/demo/sign-in' && !post) return answer(200, { signed_in: signedIn });
    if (pathname === '/demo/sign-in') {
      const asked = signIn.safeParse(await request.json().catch(() => undefined));
      if (!asked.success || request.headers.get('Sec-Fetch-Site') !== 'same-origin') return answer(422, {});
      signedIn = asked.data.signed_in;
      return answer(200, { signed_in: signedIn });
    }
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

/** The policy that a host page needs: the proxy may give a script and be talked to, and that is all. */
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

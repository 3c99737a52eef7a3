import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Permission } from '../../src/contract/widget.js';
import { systemClock } from '../../src/proxy/runtime/clock.js';
import { authenticateByEmbedToken } from '../../src/proxy/access/embed-token.js';
import { createInventoryProxy } from '../../src/proxy/proxy.js';
import type { ProxyOptions } from '../../src/proxy/options.js';
import { noLog } from '../../src/proxy/runtime/log.js';
import { listen } from '../../src/proxy/node/server/http-server.js';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { readWidgetFiles } from '../../src/proxy/node/server/widget-files.js';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { Secret } from '../../src/proxy/runtime/secret.js';
import { signEmbedToken } from '../../src/proxy/access/sign-embed-token.js';
import { createSandboxPortal } from '../../src/sandbox/sandbox-portal.js';
import { scratchFolder } from '../support/scratch-folder.js';

/**
 * The names of the host page and of the proxy. A browser resolves `*.localhost` to this machine, treats it as a secure
 * context, and counts each name right below `localhost` as a site.
 */
export const ADMIN = 'admin.shop';
export const PROXY = 'inventory.shop';
/** Of the same site as the two above, and of another origin. */
export const SIBLING = 'sibling.shop';
/**
 * An admin page of an intranet over plain http, which is no secure context. The browser needs a resolver rule for it.
 */
export const INTRANET = 'admin.intranet';
/** A page of another site. */
export const EVIL = 'evil';

export interface SitePage {
  readonly body: string;
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the response to a POST has the body, too. */
  readonly isPosted?: boolean;
}

export interface Person {
  readonly subject: string;
  readonly vendor: string;
  readonly permissions?: readonly Permission[];
}

export interface ReceivedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly status: number;
}

/** The proxy at a real socket, the sandbox portal behind it, and web sites with pages that a test sets. */
export interface Sites {
  readonly proxyUrl: string;
  readonly portalUrl: string;
  readonly outbox: Outbox;
  /** Secrets that no page may receive. */
  readonly secrets: readonly string[];
  /** The secret with which the host signs its tokens. */
  readonly sessionSecret: string;
  /** All requests to the proxy, in order. */
  readonly received: readonly ReceivedRequest[];
  /** The person who is signed in at the host, if there is one. */
  person: Person | undefined;
  proxyIsDown: boolean;
  origin(name: string): string;
  put(name: string, path: string, page: SitePage): void;
  close(): Promise<void>;
}

/** The names contain letters beyond f, so that no random hexadecimal id contains one by chance. */
export const ADA: Person = { subject: 'person-ada', vendor: 'boat-tours' };

const LOCAL = { host: '127.0.0.1', port: 0 };
const CLIENT_ID = 'guest-house';

export async function openSites(options: Partial<ProxyOptions> = {}): Promise<Sites> {
  const [clientSecret, sessionSecret] = [randomBytes(24).toString('base64url'), randomBytes(32).toString('base64url')];
  const pages = new Map<string, SitePage>();
  const received: ReceivedRequest[] = [];
  const sandbox = createSandboxPortal({ clientId: CLIENT_ID, clientSecret });
  const portal = await listen((request) => sandbox.fetch(request), LOCAL);

  async function answerPage(request: Request): Promise<Response> {
    const { host, pathname } = new URL(request.url);
    const admin = [ADMIN, INTRANET].map((name) => sites.origin(name)).find((origin) => new URL(origin).host === host);
    if (admin !== undefined && pathname === '/inventory-session') return session(request, admin);
    const page = pages.get(host + pathname);
    if (page === undefined) return new Response('no such page', { status: 404 });
    const headers = { 'Content-Type': page.type ?? 'text/html; charset=utf-8', ...page.headers };
    return new Response(request.method === 'GET' || page.isPosted === true ? page.body : null, {
      status: page.status ?? 200,
      headers,
    });
  }

  async function session(request: Request, origin: string): Promise<Response> {
    const { person } = sites;
    // Requests of a page without a secure context have no Fetch Metadata.
    const site = request.headers.get('Sec-Fetch-Site') ?? 'same-origin';
    if (request.method !== 'POST' || site !== 'same-origin' || person === undefined) {
      return Response.json({}, { status: 403 });
    }
    const claims = { issuer: sites.origin(ADMIN), audience: sites.proxyUrl, origin };
    const token = await signEmbedToken(sessionSecret, { permissions: ['view', 'edit'], ...claims, ...person });
    return Response.json({ token });
  }

  async function answerProxy(request: Request): Promise<Response> {
    const { host, pathname, search } = new URL(request.url);
    if (pages.has(host + pathname)) return answerPage(request);
    const response = sites.proxyIsDown ? new Response(null, { status: 503 }) : await proxy.fetch(request);
    received.push({
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      status: response.status,
    });
    return response;
  }

  const host = await listen(answerPage, LOCAL);
  const server = await listen(answerProxy, LOCAL);
  const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
  const sites: Sites = {
    proxyUrl: `http://${PROXY}.localhost:${String(server.port)}`,
    portalUrl: `http://127.0.0.1:${String(portal.port)}`,
    outbox,
    sessionSecret,
    secrets: [clientSecret, sessionSecret, 'sandbox-token-'],
    received,
    person: ADA,
    proxyIsDown: false,
    origin: (name) =>
      name === PROXY ? sites.proxyUrl : `http://${name}${name === INTRANET ? '' : '.localhost'}:${String(host.port)}`,
    put: (name, path, page) => void pages.set(new URL(sites.origin(name)).host + path, page),
    async close() {
      await Promise.all([host.close(), server.close(), proxy.stop()]);
      await Promise.all([portal.close(), outbox.close()]);
    },
  };
  const proxy = createInventoryProxy({
    portal: {
      baseUrl: sites.portalUrl,
      credentials: [{ clientId: CLIENT_ID, clientSecret: new Secret(clientSecret) }],
    },
    outbox,
    authenticate: authenticateByEmbedToken({
      key: { kind: 'secret', secret: new Secret(sessionSecret) },
      issuer: sites.origin(ADMIN),
      audience: sites.proxyUrl,
      publicOrigin: sites.proxyUrl,
      clock: systemClock,
      log: options.log ?? noLog,
    }),
    allowedOrigins: [sites.origin(ADMIN), sites.origin(INTRANET)],
    publicUrl: sites.proxyUrl,
    files: await readWidgetFiles('dist/widget'),
    ...options,
  });
  proxy.start();
  return sites;
}

/**
 * A host page as in README.md, with this content security policy.
 *
 * @param otherProxy another server that the markup may name as the proxy
 */
export function hostPage(sites: Sites, body: string, policy = '', otherProxy = ''): SitePage {
  const list = otherProxy === '' ? '' : ` data-proxies="${otherProxy}"`;
  return {
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Host</title>
<script type="module" src="${sites.proxyUrl}/widget.js"${list}></script></head><body>${body}</body></html>`,
    ...(policy !== '' && { headers: { 'Content-Security-Policy': policy } }),
  };
}

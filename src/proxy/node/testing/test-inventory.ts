import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { corsHeaders, preflightResponse, type CsrfGuardOptions } from '../../http/csrf-guard.js';
import { authenticateByEmbedToken } from '../../access/embed-token.js';
import { type EmbedTokenClaims, signEmbedToken } from '../../access/sign-embed-token.js';
import { createInventoryProxy } from '../../proxy.js';
import type { ProxyOptions } from '../../options.js';
import { portalProfile, type PortalProfile } from '../../portal/profile.js';
import { noLog, type Log } from '../../runtime/log.js';
import { Secret } from '../../runtime/secret.js';
import { createSandboxPortal } from '../../../sandbox/sandbox-portal.js';
import type { JournalEntry, JournalPage } from '../../../sandbox/journal.js';
import type { Faults } from '../../../sandbox/faults.js';
import type { Variants } from '../../../sandbox/variants.js';
import { openMemoryOutbox } from '../database/sqlite/outbox-sqlite.js';
import { nodeClock, nodeDigest } from '../node-defaults.js';
import { listen } from '../server/http-server.js';
import { readWidgetFiles } from '../server/widget-files.js';

/**
 * The complete backend of the elements, for tests of a host page: the real proxy on SQLite in memory with the sandbox
 * portal behind it. Nothing leaves the process, no port is opened unless it is served, and closing it leaves nothing
 * behind.
 */
export interface TestInventory {
  /** URL of the proxy, for the attribute `proxy`. */
  readonly url: string;
  /**
   * Answers all requests below `url` as the proxy does, including those for the elements' script. `POST /inventory-session`
   * responds like a host's session route, with a token for the person of the fixtures.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Signs an embed token as a host's backend would; it is valid for ten minutes. */
  readonly token: (claims?: Partial<EmbedTokenClaims>) => Promise<string>;
  /** The portal, for a test to inspect it and to switch on faults. */
  readonly portal: TestPortal;
  /**
   * Resolves when the portal has accepted or rejected every change.
   *
   * @throws {Error} if one still waits after ten seconds. That includes changes that are rejected by a portal which has
   *   never accepted one: the proxy then suspects its profile and not the item
   */
  readonly settled: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface TestPortal {
  /** Every request that the portal received, oldest first. */
  readonly journal: () => Promise<readonly JournalEntry[]>;
  /** The items as the portal has them now, by id. */
  readonly items: () => Promise<ReadonlyMap<string, boolean>>;
  /** Switches on faults, for example `{ down: true }` or `{ refuse_items: ['kayak'] }`; `{}` switches off all of them. */
  readonly misbehave: (faults: TestFaults) => Promise<void>;
}

/** The faults that `GET /sandbox/faults` lists. */
export type TestFaults = Partial<Omit<Faults, 'refuse_items'>> & { readonly refuse_items?: readonly string[] };

export interface TestInventoryOptions {
  /** Origins of the pages under test; tokens of the fixtures are for the first. Default: `https://admin.example.com`. */
  readonly origins?: readonly string[];
  /** Default: `https://inventory.example.com`. A served inventory has its own URL. */
  readonly url?: string;
  /** How the portal decides the points that its document leaves open; `GET /sandbox/habits` of the sandbox lists them. */
  readonly habits?: Partial<Variants>;
  /** The proxy's profile for this portal. */
  readonly profile?: Partial<PortalProfile>;
  /** Folder of the elements' script. Default: that of this package. */
  readonly widgetDirectory?: string;
  readonly log?: Log;
}

/** A person, a vendor and five items to test with. */
export const FIXTURES = {
  person: { vendor: 'guest-house', subject: 'person-1', permissions: ['view', 'edit', 'bulk', 'history', 'resolve'] },
  items: [
    { id: 'kayak-tour-1', label: 'Kayak tour, one person', group: 'Boats', available: true },
    { id: 'kayak-tour-2', label: 'Kayak tour, two people', group: 'Boats', available: false },
    { id: 'room-sea', label: 'Room with a view of the sea', group: 'Guest house', available: true },
    { id: 'room-garden', label: 'Room to the garden', group: 'Guest house' },
    { id: 'pottery-course', label: 'Pottery course', group: 'Workshop', available: true },
  ],
} as const satisfies { person: Partial<EmbedTokenClaims>; items: readonly object[] };

const PORTAL_URL = 'https://portal.sandbox.example.com';
const CLIENT = { clientId: 'test-client', clientSecret: 'test-client-secret' };
const SETTLE_LIMIT_MS = 10_000;
const POLL_MS = 10;

/** Creates the backend as one function, for tests without a network. */
export async function createTestInventory(options: TestInventoryOptions = {}): Promise<TestInventory> {
  const { origins = ['https://admin.example.com'], url = 'https://inventory.example.com', log = noLog } = options;
  const sandbox = createSandboxPortal(CLIENT);
  const secret = randomBytes(32).toString('base64url');
  const outbox = openMemoryOutbox();
  const session = { issuer: origins[0] ?? url, audience: url };
  const portalFetch = ((input, init) => sandbox.fetch(new Request(input, init))) satisfies typeof fetch;
  const proxy = createInventoryProxy({
    portal: {
      baseUrl: PORTAL_URL,
      credentials: [{ clientId: CLIENT.clientId, clientSecret: new Secret(CLIENT.clientSecret) }],
    },
    // A high rate limit, so that tests do not wait for it.
    profile: portalProfile.parse({ limits: { calls_per_second: 1000 }, ...options.profile }),
    outbox,
    endedSessions: outbox.endedSessions(),
    authenticate: authenticateByEmbedToken({
      ...session,
      key: { kind: 'secret', secret: new Secret(secret) },
      publicOrigin: new URL(url).origin,
      clock: nodeClock,
      digest: nodeDigest,
      log,
    }),
    // Responses explain rejected sessions to the author of a test.
    debugSessions: true,
    allowedOrigins: origins,
    publicUrl: url,
    fetch: portalFetch,
    files: await readWidgetFiles(options.widgetDirectory),
    clock: nodeClock,
    digest: nodeDigest,
    log,
  } satisfies ProxyOptions);
  const portal = createTestPortal(portalFetch);
  if (options.habits !== undefined) await portal.behave(options.habits);
  proxy.start();

  const token = (claims: Partial<EmbedTokenClaims> = {}): Promise<string> =>
    signEmbedToken(secret, { ...session, ...FIXTURES.person, origin: session.issuer, ...claims });
  const guard: CsrfGuardOptions = { allowedOrigins: new Set(origins), publicOrigin: new URL(url).origin };

  return {
    url,
    token,
    portal,
    fetch: (request) =>
      new URL(request.url).pathname === '/inventory-session'
        ? answerSession(request, guard, token)
        : proxy.fetch(request),
    async settled() {
      const end = performance.now() + SETTLE_LIMIT_MS;
      while ((await outbox.count()).oldestWaiting !== undefined) {
        if (performance.now() > end) throw new Error('a change still waits for the portal after ten seconds');
        await sleep(POLL_MS);
      }
    },
    async close() {
      await proxy.stop();
      await outbox.close();
    },
  };
}

/** Serves the backend on a port of this machine, for tests in a real browser. */
export async function serveTestInventory(options: Omit<TestInventoryOptions, 'url'> = {}): Promise<TestInventory> {
  // The URL is known only when the server listens.
  const served: { inventory?: TestInventory } = {};
  const server = await listen(
    async (request) => (await served.inventory?.fetch(request)) ?? new Response(null, { status: 503 }),
    { host: '127.0.0.1', port: 0 },
  );
  const created = await createTestInventory({ ...options, url: `http://localhost:${String(server.port)}` });
  served.inventory = created;
  return {
    ...created,
    async close() {
      await server.close();
      await created.close();
    },
  };
}

/** The part of Playwright's `Route` that is needed here. */
export interface PlaywrightRoute {
  request(): {
    url(): string;
    method(): string;
    allHeaders(): Promise<Record<string, string>>;
    postData(): string | null;
  };
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
}

/**
 * Answers the requests of a page in Playwright to the proxy, without a port. Playwright cannot answer with a stream, so
 * there are no live hints, and the page polls for changes.
 *
 * @example
 * await page.route(`${inventory.url}/**`, playwrightRoute(inventory));
 */
export function playwrightRoute({ fetch }: TestInventory): (route: PlaywrightRoute) => Promise<void> {
  return async (route) => {
    const request = route.request();
    if (new URL(request.url()).pathname.endsWith('/v1/events')) {
      await route.fulfill({ status: 204, headers: {}, body: Buffer.alloc(0) });
      return;
    }
    const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'));
    const answer = await fetch(
      new Request(request.url(), { method: request.method(), headers, body: request.postData() }),
    );
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  };
}

/**
 * Responds like a host's own session route, also to a page of another origin, because a test's page may be served from
 * anywhere.
 */
async function answerSession(
  request: Request,
  guard: CsrfGuardOptions,
  token: TestInventory['token'],
): Promise<Response> {
  const headers = { ...corsHeaders(request, guard), 'Cache-Control': 'no-store' };
  if (request.method === 'OPTIONS') {
    const answer = preflightResponse(request, guard);
    for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
    return answer;
  }
  if (request.method !== 'POST') return new Response(null, { status: 405, headers });
  const origin = request.headers.get('Origin');
  return Response.json({ token: await token(origin === null ? {} : { origin }) }, { headers });
}

function createTestPortal(fetch: (input: string, init?: RequestInit) => Promise<Response>): TestPortal & {
  behave(habits: Partial<Variants>): Promise<void>;
} {
  async function put(path: string, body: object): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(PORTAL_URL + path, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new TypeError(await answer.text());
  }

  return {
    async journal() {
      const answer = await fetch(`${PORTAL_URL}/sandbox/journal`);
      return ((await answer.json()) as JournalPage).entries;
    },
    async items() {
      const answer = await fetch(`${PORTAL_URL}/sandbox/items`);
      const { items } = (await answer.json()) as { items: readonly SandboxItem[] };
      return new Map(items.map(({ id, by_arrival }) => [id, by_arrival.available]));
    },
    misbehave: (faults) => put('/sandbox/faults', faults),
    behave: (habits) => put('/sandbox/habits', habits),
  };
}

interface SandboxItem {
  readonly id: string;
  readonly by_arrival: { readonly available: boolean };
}

import { failureCode, HTTPS_ONLY, Refusal, SECURITY_HEADERS, problemAnswer } from './answers.js';
import { systemClock, type Clock } from './clock.js';
import { createDelivery } from './delivery.js';
import { EndedSessionsInMemory, type EndedSessions } from './ended-sessions.js';
import { webDigest, type Digest } from './digest.js';
import { corsHeaders, PREFLIGHT_HEADERS, refuseForgery, type GuardOptions } from './guard.js';
import { createHighWater, HIGH_WATER_EDITS } from './high-water.js';
import { startHousekeeping } from './housekeeping.js';
import type { ItemsSource } from './items-source.js';
import { silent, type Log } from './log.js';
import { unmeasured, type Metrics } from './metrics.js';
import type { Outbox } from './outbox.js';
import type { PortalCalls } from './portal-client.js';
import { PortalClock } from './portal-clock.js';
import { PortalLanes, type PortalAccount } from './portal-lanes.js';
import { createOperatorHandler } from './operator-handler.js';
import { portalProfile, type PortalProfile } from './profile.js';
import { publicRoute, type PublicFiles } from './public-routes.js';
import { proveSession } from './prove-session.js';
import type { Authenticate } from './session.js';
import { createStampWatch } from './stamp-watch.js';
import { steadyNow } from './steady-clock.js';
import type { RouteContext } from './route.js';
import { findRoute, ROUTES } from './routes.js';
import type { TokenSubject } from './token-seal.js';
import type { TokenStore } from './token-store.js';
import { watchWorkElsewhere } from './work-elsewhere.js';
import { DEFAULT_WRITE_LIMITS, WriteBudgets, type WriteLimits } from './write-budgets.js';

/**
 * The proxy as one web-standard handler: `Request` in, `Response` out. Every server that speaks fetch mounts the same
 * one, and the tests call it the same way.
 *
 * A request to `/v1` passes origin, forgery and session checks before anybody looks for a route. The public routes are a
 * table of their own: GET, no state, no session.
 */
export interface ProxyOptions {
  readonly portal: PortalAccount;
  readonly profile?: PortalProfile;
  readonly outbox: Outbox;
  /** Where several proxies share one portal token for each credential; without it this one has its own. */
  readonly shareToken?: (subject: TokenSubject) => TokenStore;
  /** The host's own hook, or `authenticateByEmbedToken`. Is asked before anything of the body is read. */
  readonly authenticate: Authenticate;
  /** Origins of the host pages, as in `https://admin.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Where browsers reach this proxy, as in `https://inventory.example.com`. */
  readonly publicUrl: string;
  /** Path below which the proxy is mounted, default none. */
  readonly basePath?: string;
  /** Edits that may wait before no more are taken in. */
  readonly mostWaiting?: number;
  /** Whether the disk has room for more. */
  readonly hasRoom?: () => Promise<boolean>;
  readonly itemsSource?: ItemsSource;
  /** How long settled edits are kept, default 400. */
  readonly historyDays?: number;
  readonly limits?: { readonly maxBodyBytes?: number; readonly maxEdits?: number };
  /** Where sign-outs are remembered. Default: in this process. */
  readonly endedSessions?: EndedSessions;
  readonly writeLimits?: Partial<WriteLimits>;
  /** The drop-in's files; without them the proxy serves no script. */
  readonly files?: PublicFiles;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  readonly digest?: Digest;
  readonly random?: () => number;
  readonly log?: Log;
  readonly metrics?: Metrics;
}

export interface InventoryProxy {
  /** @param from the client's address, where the server knows it: only to count refused requests by */
  fetch(request: Request, from?: { readonly address?: string | undefined }): Promise<Response>;
  /** The operator's view over all vendors. Asks for no session: serve it where only the operator comes in. */
  operate(request: Request): Promise<Response>;
  /** Starts delivery. */
  start(): void;
  /** Delivers with other credentials or another profile from the next call on. */
  reload(portal: PortalAccount, profile: PortalProfile): void;
  /** Stops delivery once the call in flight is settled. The outbox is its owner's to close. */
  stop(): Promise<void>;
}

export const DEFAULT_HISTORY_DAYS = 400;
export const DEFAULT_LIMITS = { maxBodyBytes: 256 * 1024, maxEdits: 500 } as const;

export function createInventoryProxy(options: ProxyOptions): InventoryProxy {
  const { outbox, authenticate } = options;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silent;
  const metrics = options.metrics ?? unmeasured;
  const random = options.random ?? Math.random;
  const profile = options.profile ?? portalProfile.parse({});
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const historyDays = options.historyDays ?? DEFAULT_HISTORY_DAYS;
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const publicUrl = new URL(options.publicUrl);
  const guard: GuardOptions = { allowedOrigins: new Set(options.allowedOrigins), publicOrigin: publicUrl.origin };
  const everywhere = publicUrl.protocol === 'https:' ? { ...SECURITY_HEADERS, ...HTTPS_ONLY } : SECURITY_HEADERS;
  const portalClock = new PortalClock();
  const now = steadyNow(clock);
  let portal = lanesOf(options.portal, profile);

  function lanesOf(account: PortalAccount, settings: PortalProfile): PortalLanes {
    const calls: PortalCalls = {
      baseUrl: account.baseUrl,
      profile: settings,
      fetch: options.fetch ?? fetch,
      clock,
      portalClock,
    };
    return new PortalLanes(account, calls, random, options.shareToken, options.digest);
  }

  const delivery = createDelivery({
    outbox,
    portalOf: (lane) => portal.portalOf(lane),
    limits: () => portal.limits,
    callMs: () => portal.callMs,
    clock,
    now,
    random,
    log,
  });
  const mayAccept = createHighWater({
    outbox,
    mostWaiting: options.mostWaiting ?? HIGH_WATER_EDITS,
    hasRoom: options.hasRoom ?? (() => Promise.resolve(true)),
    clock,
  });
  const endedSessions = options.endedSessions ?? new EndedSessionsInMemory(clock);
  const budgets = new WriteBudgets({ ...DEFAULT_WRITE_LIMITS, ...options.writeLimits }, clock);
  const ending = new AbortController();
  const context: RouteContext = {
    outbox,
    endedSessions,
    budgets,
    limits,
    clock,
    digest: options.digest ?? webDigest,
    metrics,
    laneOf: (vendor) => portal.laneOf(vendor),
    stamping: () => ({ portalOffset: portalClock.offset, stampUnit: portal.stampUnit }),
    watchStamps: createStampWatch(() => portal.stampTolerance, log),
    wake: () => {
      delivery.wake();
    },
    mayAccept,
    itemsSource: options.itemsSource,
    ending: ending.signal,
  };

  let stopHousekeeping: (() => void) | undefined;
  let stopWatching: (() => void) | undefined;

  async function answerApi(request: Request, path: string, address?: string): Promise<Response> {
    const forged = refuseForgery(request, guard);
    if (forged !== undefined) throw new Refusal(forged);
    budgets.checkAddress(address);
    const session = await proveSession(authenticate, request, { clock, log });
    if (session === undefined || endedSessions.has(session.tokenId ?? '')) {
      budgets.noteRefused(address);
      throw new Refusal('session_required');
    }
    const found = findRoute(ROUTES, request.method, path);
    if (found.kind === 'unknown') throw new Refusal('route_unknown');
    if (found.kind === 'method') throw new Refusal('method_not_allowed', undefined, { Allow: found.allow });
    return found.route.answer(request, session, context, found.segment);
  }

  async function answer(request: Request, path: string, requestId: string, address?: string): Promise<Response> {
    try {
      if (!isApi(path)) {
        return await publicRoute(request, path, {
          files: options.files,
          ready: async () => {
            await outbox.nextDue();
            return { portal: delivery.lastOutcome };
          },
        });
      }
      return await answerApi(request, path, address);
    } catch (error) {
      if (error instanceof Refusal) return problemAnswer(error, requestId);
      const code = failureCode(error);
      log('error', 'request failed', { request_id: requestId, code, error: String(error) });
      return problemAnswer(new Refusal(code), requestId);
    }
  }

  return {
    async fetch(request, { address } = {}) {
      const started = clock.monotonic();
      const requestId = crypto.randomUUID();
      const { pathname } = new URL(request.url);
      const inside = pathname.startsWith(`${basePath}/`) || basePath === '';
      const path = inside ? pathname.slice(basePath.length) : '/';
      const preflight = isApi(path) && request.method === 'OPTIONS';
      const response = preflight ? preflightAnswer(request, guard) : await answer(request, path, requestId, address);
      for (const [name, value] of Object.entries({ ...everywhere, 'X-Request-Id': requestId })) {
        response.headers.set(name, value);
      }
      if (isApi(path)) {
        response.headers.set('Cross-Origin-Resource-Policy', 'same-origin');
        for (const [name, value] of Object.entries(corsHeaders(request, guard))) response.headers.set(name, value);
      }
      log('debug', 'request', {
        request_id: requestId,
        method: request.method,
        status: response.status,
        milliseconds: Math.round(clock.monotonic() - started),
      });
      return response;
    },
    operate: createOperatorHandler(context),
    start() {
      delivery.start();
      stopWatching ??= watchWorkElsewhere(outbox, clock, () => {
        delivery.wake();
      });
      stopHousekeeping ??= startHousekeeping({ outbox, historyDays, clock, now, log });
    },
    reload(account, settings) {
      const before = portal;
      portal = lanesOf(account, settings);
      if (portal.differsFrom(before)) void delivery.tryAnew(2 * before.callMs);
      else delivery.wake();
    },
    stop() {
      ending.abort();
      stopHousekeeping?.();
      stopWatching?.();
      return delivery.stop();
    },
  };
}

function isApi(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

/** A preflight carries no session; it tells listed origins what they may send, and others nothing. */
function preflightAnswer(request: Request, guard: GuardOptions): Response {
  const listed = 'Access-Control-Allow-Origin' in corsHeaders(request, guard);
  return new Response(null, { status: 204, headers: listed ? PREFLIGHT_HEADERS : {} });
}

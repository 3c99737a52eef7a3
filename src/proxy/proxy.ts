import { PERSON_HEADER, personNamed } from '../contract/person.js';
import {
  ConcurrencyLimit,
  BODY_LIMITS,
  DEFAULT_MAX_CONCURRENT_BATCHES,
  KeyedSemaphore,
  STREAM_LIMITS,
} from './http/concurrency-limit.js';
import { startAgeAlarm } from './outbox/waiting-alarm.js';
import { createAnswering, type Asked } from './answering.js';
import { ApiError, type ApiResponse } from './http/problem-response.js';
import { createSteadyClock, systemClock } from './runtime/clock.js';
import { gzipped } from './content-coding.js';
import { createDelivery, watchRemoteWork } from './delivery/delivery.js';
import { RevocationListInMemory } from './access/ended-sessions.js';
import { webDigest } from './runtime/hash.js';
import {
  DEFAULT_HISTORY_DAYS,
  DEFAULT_LIMITS,
  validateAccount,
  validateOptions,
  type InventoryProxy,
  type ProxyOptions,
} from './options.js';
import { checkCsrf, type CsrfGuardOptions } from './http/csrf-guard.js';
import { createBackpressure, DEFAULT_HIGH_WATER_MARK } from './http/backpressure.js';
import { startHousekeeping } from './outbox/retention.js';
import { PersistedPortalClock } from './portal/clock-offset.js';
import { noLog } from './runtime/log.js';
import { noMetrics } from './runtime/metrics.js';
import type { PortalClientOptions } from './portal/portal-client.js';
import { catalogOwner } from './access/permissions.js';
import { PortalCredentials, type PortalAccount } from './portal/credentials.js';
import { createOperatorHandler } from './routes/operator-routes.js';
import { portalProfile, type PortalProfile } from './portal/profile.js';
import { handlePublic, readiness } from './routes/public-routes.js';
import { authenticateRequest } from './access/authenticate.js';
import type { RouteContext } from './http/route-context.js';
import { storageStatus } from './delivery/status.js';
import { DEFAULT_WRITE_LIMITS, RateLimits } from './http/rate-limit.js';

/**
 * The proxy as one web-standard handler: `Request` in, `Response` out. Every server that speaks fetch mounts the same
 * one, and the tests call it the same way.
 *
 * A request to `/v1` passes origin, forgery and session checks before it learns whether there is such a route. The public
 * routes are a table of their own: GET, no state, no session.
 *
 * @throws {TypeError} with one line for each option that cannot be meant
 */
export function createInventoryProxy(options: ProxyOptions): InventoryProxy {
  validateOptions(options);
  const { outbox, authenticate, historyDays = DEFAULT_HISTORY_DAYS } = options;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? noLog;
  const metrics = options.metrics ?? noMetrics;
  const random = options.random ?? Math.random;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const publicUrl = new URL(options.publicUrl);
  const guard: CsrfGuardOptions = { allowedOrigins: new Set(options.allowedOrigins), publicOrigin: publicUrl.origin };
  const kept = new PersistedPortalClock({ outbox, clock, log });
  const portalClock = kept.clock;
  const now = createSteadyClock(clock);
  let portal = lanesOf(options.portal, options.profile);

  /** @param settings as a host wrote them, perhaps: what they leave out is as usual */
  function lanesOf(account: PortalAccount, settings: PortalProfile | undefined): PortalCredentials {
    const calls: PortalClientOptions = {
      baseUrl: account.baseUrl,
      profile: portalProfile.parse(settings ?? {}),
      fetch: options.fetch ?? fetch,
      clock,
      portalClock,
      metrics,
    };
    return new PortalCredentials(account, calls, random, options.shareToken, options.digest);
  }

  const delivery = createDelivery({
    outbox,
    connectionFor: (lane) => portal.connectionFor(lane),
    activeCredentials: () => portal.activeCredentials(),
    laneOf: (vendor) => portal.laneOf(vendor),
    limits: () => portal.limits,
    callMs: () => portal.callTimeoutMs,
    clock,
    now,
    random,
    log,
    metrics,
    maxTimestamp: () => clock.wall() + portalClock.offset + portal.timestampTolerance,
    catalogOwner: ({ vendor, id }) => catalogOwner(vendor, context)(id),
  });
  const mayAccept = createBackpressure({
    outbox,
    maxWaiting: options.maxWaiting ?? DEFAULT_HIGH_WATER_MARK.maxWaiting,
    maxWaitingBytes: options.maxWaitingBytes ?? DEFAULT_HIGH_WATER_MARK.maxWaitingBytes,
    hasDiskSpace: options.hasDiskSpace ?? (() => Promise.resolve(true)),
    clock,
    log,
  });
  const endedSessions = options.endedSessions ?? new RevocationListInMemory(clock);
  const budgets = new RateLimits({ ...DEFAULT_WRITE_LIMITS, ...options.writeLimits }, clock);
  const ending = new AbortController();
  const context: RouteContext = {
    outbox,
    revocationList: endedSessions,
    rateLimits: budgets,
    batchLimit: new ConcurrencyLimit(options.maxConcurrentBatches ?? DEFAULT_MAX_CONCURRENT_BATCHES),
    bodySemaphore: new KeyedSemaphore(BODY_LIMITS),
    streamSemaphore: new KeyedSemaphore(STREAM_LIMITS),
    limits,
    clock,
    digest: options.digest ?? webDigest,
    log,
    metrics,
    laneOf: (vendor) => portal.laneOf(vendor),
    timestampSettings: async () => ({ portalOffset: await kept.offset(), stampUnit: portal.timestampUnit }),
    isIsolated: (vendor) => portal.isIsolated(vendor),
    whenItemsAreAssigned: () => delivery.whenItemsAreAssigned(),
    wake: (lane) => {
      // Right where another process delivers. Once, for whoever forgot it.
      if (stopHousekeeping === undefined && !isSaidIdle)
        log('warn', 'start() was not called: this proxy delivers nothing');
      isSaidIdle = true;
      delivery.wake(lane);
    },
    acceptsMore: mayAccept,
    itemCatalog: options.itemCatalog,
    stopSignal: ending.signal,
  };

  let isSaidIdle = false;
  let stopHousekeeping: (() => void) | undefined;
  let stopWatching: (() => void) | undefined;
  let stopAgeAlarm: (() => void) | undefined;

  async function answerApi(request: Request, asked: Asked): Promise<ApiResponse> {
    const { found, requestId, address } = asked;
    const forged = checkCsrf(request, guard);
    if (forged !== undefined) throw forged;
    budgets.checkAddress(address);
    const proving = authenticateRequest(authenticate, request, { requestId, clock, log });
    const session = await proving.catch(budgets.recordUnknownKey(address));
    if (session === undefined || endedSessions.has(session.tokenId ?? '')) {
      budgets.recordUnauthenticated(address);
      throw new ApiError('session_required');
    }
    const named = request.headers.get(PERSON_HEADER);
    if (named !== null && named !== personNamed(session)) throw new ApiError('session_changed');
    if (found.kind === 'unknown') throw new ApiError('route_unknown');
    if (found.kind === 'method') throw new ApiError('method_not_allowed', undefined, { Allow: found.allow });
    const answer = await found.route.handle(request, session, context, found.segment);
    return request.method === 'GET' ? gzipped(request, answer) : answer;
  }

  function answerPublic(request: Request, path: string): Promise<ApiResponse> {
    return handlePublic(request, path, { files: options.files, checkReadiness: () => readiness(outbox, delivery) });
  }

  return {
    fetch: createAnswering({ basePath, publicUrl, guard, clock, log, metrics, answerApi, answerPublic }),
    operate: createOperatorHandler(context),
    async status() {
      const storage = await storageStatus(outbox, clock.wall());
      return {
        delivering: delivery.alive,
        portalOffset: portalClock.offset,
        ...(storage !== undefined && { storage }),
      };
    },
    start() {
      kept.start();
      delivery.start();
      stopWatching ??= watchRemoteWork(outbox, clock, () => {
        delivery.wake();
      });
      stopAgeAlarm ??= startAgeAlarm({ outbox, clock, log });
      stopHousekeeping ??= startHousekeeping({ outbox, historyDays, clock, now, log });
    },
    reload(account, settings) {
      const before = portal;
      portal = lanesOf(validateAccount(account), settings);
      if (portal.differsFrom(before)) void delivery.retryHeld(2 * before.callTimeoutMs);
      else delivery.wake();
    },
    stop() {
      ending.abort();
      stopHousekeeping?.();
      stopWatching?.();
      stopAgeAlarm?.();
      return delivery.stop();
    },
  };
}

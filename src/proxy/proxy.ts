import {
  ConcurrencyLimit,
  BODY_LIMITS,
  DEFAULT_MAX_CONCURRENT_BATCHES,
  KeyedSemaphore,
  MAX_RUNNING_READS,
  READ_LIMITS,
  STREAM_LIMITS,
  TurnQueue,
} from './http/concurrency-limit.js';
import { createApp } from './app.js';
import { startAgeAlarm } from './outbox/waiting-alarm.js';
import { isLoopback } from './runtime/address-rules.js';
import { createSteadyClock, systemClock } from './runtime/clock.js';
import { createDelivery, DEFAULT_LANES, watchRemoteWork } from './delivery/delivery.js';
import { RevokedNames, SignOuts } from './access/ended-sessions.js';
import { webDigest } from './runtime/hash.js';
import {
  DEFAULT_HISTORY_DAYS,
  DEFAULT_LIMITS,
  validateAccount,
  validateOptions,
  type InventoryProxy,
  type ProxyOptions,
} from './options.js';
import type { CsrfGuardOptions } from './http/csrf-guard.js';
import { createBackpressure, DEFAULT_HIGH_WATER_MARK } from './http/backpressure.js';
import { startHousekeeping } from './outbox/retention.js';
import { startScheduleRunner, type ScheduleRunner } from './outbox/schedule-runner.js';
import { PersistedPortalClock } from './portal/clock-offset.js';
import { noLog } from './runtime/log.js';
import { noMetrics } from './runtime/metrics.js';
import type { PortalClientOptions } from './portal/portal-client.js';
import { catalogOwner, isOwnedByOther } from './access/permissions.js';
import { PortalCredentials, type PortalAccount } from './portal/credentials.js';
import { createOperatorHandler } from './routes/operator-routes.js';
import { portalProfile, type PortalProfile } from './portal/profile.js';
import { VendorFeeds } from './routes/vendor-feeds.js';
import { readiness } from './routes/public-routes.js';
import { listOwnership, recordLists } from './http/list-ownership.js';
import type { RouteContext } from './http/route-context.js';
import { newEditId } from './outbox/commands.js';
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
      log,
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
    maxLanes: options.maxLanes ?? DEFAULT_LANES,
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
  const budgets = new RateLimits({ ...DEFAULT_WRITE_LIMITS, ...options.writeLimits }, clock);
  const ending = new AbortController();
  const context: RouteContext = {
    outbox,
    signOuts: new SignOuts(options.endedSessions ?? new RevokedNames({ clock }), clock),
    rateLimits: budgets,
    batchLimit: new ConcurrencyLimit(options.maxConcurrentBatches ?? DEFAULT_MAX_CONCURRENT_BATCHES),
    bodySemaphore: new KeyedSemaphore(BODY_LIMITS),
    readTurns: new TurnQueue(MAX_RUNNING_READS),
    readSemaphore: new KeyedSemaphore(READ_LIMITS),
    streamSemaphore: new KeyedSemaphore(STREAM_LIMITS),
    limits,
    clock,
    feeds: new VendorFeeds(outbox, clock),
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
    wakeSchedules: () => runner?.wake(),
    itemCatalog: options.itemCatalog,
    stopSignal: ending.signal,
  };

  if (options.itemCatalog !== undefined) recordLists(options.itemCatalog, context);

  let isSaidIdle = false;
  let stopHousekeeping: (() => void) | undefined;
  let stopWatching: (() => void) | undefined;
  let runner: ScheduleRunner | undefined;
  let stopAgeAlarm: (() => void) | undefined;

  const app = createApp({
    basePath,
    publicUrl,
    guard,
    authenticate,
    debugSessions: options.debugSessions ?? isLoopback(publicUrl.hostname),
    api: context,
    open: { files: options.files, checkReadiness: () => readiness(outbox, delivery) },
  });

  return {
    async fetch(request, { address } = {}) {
      expectRequest(request);
      return app.fetch(request, { address });
    },
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
        runner?.wake();
      });
      runner ??= startScheduleRunner({
        schedules: outbox.schedules,
        clock,
        log,
        laneOf: context.laneOf,
        timestampSettings: context.timestampSettings,
        newId: newEditId,
        isAnothers: (vendor, id) => isOwnedByOther(vendor, context)(id),
        listsOf: (vendor) => listOwnership(vendor, context),
        onEdits: context.wake,
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
      runner?.stop();
      stopAgeAlarm?.();
      return delivery.stop();
    },
  };
}

/** The requests of node:http, Express and Fastify have headers, too, and would wait for their answer for ever. */
function expectRequest(given: { readonly headers: Partial<Headers> }): void {
  if (typeof given.headers.get === 'function') return;
  throw new TypeError('proxy.fetch takes a Request of the Fetch standard: mount nodeListener(proxy) in its place');
}

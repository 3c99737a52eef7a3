import {
  ConcurrencyLimit,
  BODY_LIMITS,
  CALENDAR_LIMITS,
  DEFAULT_MAX_CONCURRENT_BATCHES,
  KeyedSemaphore,
  MAX_RUNNING_READS,
  READ_LIMITS,
  STREAM_LIMITS,
  ConcurrencyQueue,
} from './http/concurrency-limit.js';
import { createApp } from './app.js';
import { startAgeAlarm } from './outbox/waiting-alarm.js';
import { isLoopback } from './runtime/address-rules.js';
import { createMonotonicClock, systemClock, type Clock } from './runtime/clock.js';
import { createDelivery, DEFAULT_LANES, watchRemoteWork, type Delivery } from './delivery/delivery.js';
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
import { startFeedRunner } from './outbox/schedules/feed-runner.js';
import { startScheduleRunner } from './outbox/schedules/schedule-runner.js';
import type { ScheduleCommand } from './outbox/schedules.js';
import { PersistedPortalClock } from './portal/clock-offset.js';
import { noLog, type Log } from './runtime/log.js';
import { noMetrics, type Metrics } from './runtime/metrics.js';
import type { PortalClientOptions } from './portal/portal-client.js';
import { catalogOwner, isOwnedByOther } from './access/permissions.js';
import { PortalCredentials, type PortalAccount } from './portal/credentials.js';
import { createOperatorHandler } from './routes/operator-routes.js';
import { ListReader } from './listing/list-reader.js';
import { portalProfile, type PortalProfile } from './portal/profile.js';
import { VendorFeeds } from './routes/vendor-feeds.js';
import { readiness } from './routes/public-routes.js';
import { listOwnership, recordLists } from './http/list-ownership.js';
import type { RouteContext } from './http/route-context.js';
import { newEditId } from './outbox/commands.js';
import { storageStatus } from './delivery/status.js';
import { DEFAULT_WRITE_LIMITS, RateLimits } from './http/rate-limit.js';

/**
 * Creates the proxy as one handler of the Fetch standard, from a `Request` to a `Response`. Every server mounts this handler,
 * and the tests call it too.
 *
 * @throws {TypeError} with one line for each invalid option
 */
export function createInventoryProxy(options: ProxyOptions): InventoryProxy {
  validateOptions(options);
  const { outbox, authenticate, itemCatalog } = options;
  const services = createServices(options);
  const portal = new ConfiguredPortal(options, services);
  const delivery = createProxyDelivery(options, services, portal);
  const stopping = new AbortController();
  let jobs: Jobs | undefined;
  const feeds = new VendorFeeds(outbox, services.clock);
  const lists = new ListReader({
    ...services,
    lists: outbox.portalLists,
    portal: () => portal.current,
    delivery,
    streaming: () => feeds.vendors,
  });
  const context = createRouteContext(options, services, portal, {
    delivery,
    feeds,
    lists,
    stopSignal: stopping.signal,
    jobs: () => jobs,
  });
  if (itemCatalog !== undefined) recordLists(itemCatalog, context);
  const publicUrl = new URL(options.publicUrl);
  const guard: CsrfGuardOptions = { allowedOrigins: new Set(options.allowedOrigins), publicOrigin: publicUrl.origin };
  const app = createApp({
    basePath: (options.basePath ?? '').replace(/\/+$/, ''),
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
      const storage = await storageStatus(outbox, services.clock.wall());
      return {
        delivering: delivery.alive,
        portalOffset: services.portalClock.clock.offset,
        ...(storage !== undefined && { storage }),
      };
    },
    start() {
      services.portalClock.start();
      delivery.start();
      lists.start();
      jobs ??= startJobs(options, services, delivery, context);
    },
    reload(account, settings) {
      const before = portal.current;
      portal.reload(validateAccount(account), settings);
      if (portal.current.differsFrom(before)) void delivery.retryHeld(2 * before.callTimeoutMs);
      else delivery.wake();
      lists.wake();
    },
    async stop() {
      stopping.abort();
      jobs?.stop();
      await Promise.all([delivery.stop(), lists.stop()]);
    },
  };
}

/** The services that all parts of the proxy share. */
interface Services {
  readonly clock: Clock;
  /** Milliseconds since the epoch, which advance with the monotonic clock. */
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly random: () => number;
  readonly portalClock: PersistedPortalClock;
}

function createServices({
  outbox,
  clock = systemClock,
  log = noLog,
  metrics = noMetrics,
  random = Math.random,
}: ProxyOptions): Services {
  const portalClock = new PersistedPortalClock({ outbox, clock, log });
  return { clock, now: createMonotonicClock(clock), log, metrics, random, portalClock };
}

/** The portal under the present settings. */
class ConfiguredPortal {
  readonly #create: (account: PortalAccount, profile: PortalProfile | undefined) => PortalCredentials;
  #current: PortalCredentials;

  constructor(options: ProxyOptions, { clock, log, metrics, random, portalClock }: Services) {
    this.#create = (account, profile) => {
      const calls: PortalClientOptions = {
        baseUrl: account.baseUrl,
        // A host may write the profile by hand, so missing fields get their defaults.
        profile: portalProfile.parse(profile ?? {}),
        fetch: options.fetch ?? fetch,
        clock,
        portalClock: portalClock.clock,
        metrics,
        log,
      };
      return new PortalCredentials(account, calls, random, options.shareToken, options.digest);
    };
    this.#current = this.#create(options.portal, options.profile);
  }

  get current(): PortalCredentials {
    return this.#current;
  }

  reload(account: PortalAccount, profile: PortalProfile): void {
    this.#current = this.#create(account, profile);
  }
}

function createProxyDelivery(options: ProxyOptions, services: Services, portal: ConfiguredPortal): Delivery {
  const { clock, portalClock } = services;
  const isIsolated = (vendor: string): boolean => portal.current.isIsolated(vendor);
  return createDelivery({
    ...services,
    outbox: options.outbox,
    connectionFor: (lane) => portal.current.connectionFor(lane),
    activeCredentials: () => portal.current.activeCredentials(),
    laneOf: (vendor) => portal.current.laneOf(vendor),
    limits: () => portal.current.limits,
    callMs: () => portal.current.callTimeoutMs,
    maxLanes: options.maxLanes ?? DEFAULT_LANES,
    maxTimestamp: () => clock.wall() + portalClock.clock.offset + portal.current.timestampTolerance,
    catalogOwner: ({ vendor, id }) => catalogOwner(vendor, { itemCatalog: options.itemCatalog, isIsolated })(id),
  });
}

interface Running {
  readonly delivery: Delivery;
  readonly feeds: VendorFeeds;
  readonly lists: ListReader;
  readonly stopSignal: AbortSignal;
  /** `undefined` before the proxy is started. */
  readonly jobs: () => Jobs | undefined;
}

function createRouteContext(
  options: ProxyOptions,
  { clock, log, metrics, portalClock }: Services,
  portal: ConfiguredPortal,
  { delivery, feeds, lists, stopSignal, jobs }: Running,
): RouteContext {
  const { outbox, itemCatalog } = options;
  let isWarned = false;
  return {
    outbox,
    itemCatalog,
    signOuts: new SignOuts(options.endedSessions ?? new RevokedNames({ clock }), clock),
    rateLimits: new RateLimits({ ...DEFAULT_WRITE_LIMITS, ...options.writeLimits }, clock),
    batchLimit: new ConcurrencyLimit(options.maxConcurrentBatches ?? DEFAULT_MAX_CONCURRENT_BATCHES),
    bodySemaphore: new KeyedSemaphore(BODY_LIMITS),
    readQueue: new ConcurrencyQueue(MAX_RUNNING_READS),
    readSemaphore: new KeyedSemaphore(READ_LIMITS),
    streamSemaphore: new KeyedSemaphore(STREAM_LIMITS),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    clock,
    feeds,
    portalLists: lists,
    calendars: options.calendars,
    calendarReads: new KeyedSemaphore(CALENDAR_LIMITS),
    digest: options.digest ?? webDigest,
    log,
    metrics,
    laneOf: (vendor) => portal.current.laneOf(vendor),
    isIsolated: (vendor) => portal.current.isIsolated(vendor),
    timestampSettings: async () => ({
      portalOffset: await portalClock.offset(),
      timestampUnit: portal.current.timestampUnit,
    }),
    whenItemsAreAssigned: () => delivery.whenItemsAreAssigned(),
    wake(lane) {
      // Another process may deliver, so this is a warning, once.
      if (jobs() === undefined && !isWarned) log('warn', 'start() was not called: this proxy delivers nothing');
      isWarned = true;
      delivery.wake(lane);
    },
    wakeSchedules: () => jobs()?.wakeSchedules(),
    acceptsMore: createBackpressure({
      outbox,
      maxWaiting: options.maxWaiting ?? DEFAULT_HIGH_WATER_MARK.maxWaiting,
      maxWaitingBytes: options.maxWaitingBytes ?? DEFAULT_HIGH_WATER_MARK.maxWaitingBytes,
      hasDiskSpace: options.hasDiskSpace ?? (() => Promise.resolve(true)),
      clock,
      log,
    }),
    stopSignal,
  };
}

/** Periodic work besides the delivery. */
interface Jobs {
  wakeSchedules(): void;
  stop(): void;
}

function startJobs(
  { outbox, calendars, historyDays = DEFAULT_HISTORY_DAYS }: ProxyOptions,
  { clock, now, log, metrics }: Services,
  delivery: Delivery,
  context: RouteContext,
): Jobs {
  const commandFor = async (vendor: string): Promise<ScheduleCommand> => ({
    lane: context.laneOf(vendor),
    now: clock.wall(),
    ...(await context.timestampSettings()),
    newId: newEditId,
    hasOtherOwner: isOwnedByOther(vendor, context),
    lists: listOwnership(vendor, context),
  });
  const onEdits = context.wake;
  const schedules = startScheduleRunner({ schedules: outbox.schedules, clock, log, commandFor, onEdits });
  const feeds =
    calendars &&
    startFeedRunner({
      feeds: outbox.calendarFeeds,
      source: calendars,
      clock,
      log,
      metrics,
      commandFor,
      onEdits,
      onSchedules: schedules.wake,
    });
  const stops = [
    watchRemoteWork(outbox, clock, () => {
      delivery.wake();
      schedules.wake();
      feeds?.wake();
    }),
    startAgeAlarm({ outbox, clock, log }),
    startHousekeeping({ outbox, historyDays, clock, now, log }),
    schedules.stop,
    ...(feeds ? [feeds.stop] : []),
  ];
  return {
    wakeSchedules() {
      schedules.wake();
      feeds?.wake();
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}

/** A request of node:http, Express or Fastify has headers too, but would never get a response. */
function expectRequest(given: { readonly headers: Partial<Headers> }): void {
  if (typeof given.headers.get === 'function') return;
  throw new TypeError('proxy.fetch takes a Request of the Fetch standard: mount nodeListener(proxy) in its place');
}

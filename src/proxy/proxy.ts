import { PERSON_HEADER, personNamed } from '../contract/widget.js';
import { Admission, BODIES, MOST_AT_ONCE, Places, STREAMS } from './http/concurrency-limit.js';
import { startAgeAlarm } from './outbox/waiting-alarm.js';
import { type Asked, createAnswering } from './answering.js';
import { type Answer, Refusal } from './http/problem-response.js';
import { steadyNow, systemClock } from './runtime/clock.js';
import { gzipped } from './content-coding.js';
import { createDelivery, watchWorkElsewhere } from './delivery/delivery.js';
import { EndedSessionsInMemory } from './access/ended-sessions.js';
import { webDigest } from './runtime/hash.js';
import {
  DEFAULT_HISTORY_DAYS,
  DEFAULT_LIMITS,
  expectAccount,
  expectOptions,
  type InventoryProxy,
  type ProxyOptions,
} from './options.js';
import { type GuardOptions, refuseForgery } from './http/csrf-guard.js';
import { createHighWater, HIGH_WATER } from './http/backpressure.js';
import { startHousekeeping } from './outbox/retention.js';
import { KeptPortalClock } from './portal/clock-offset.js';
import { silent } from './runtime/log.js';
import { unmeasured } from './runtime/metrics.js';
import type { PortalCalls } from './portal/portal-client.js';
import { listedOwner } from './access/permissions.js';
import { type PortalAccount, PortalLanes } from './portal/credentials.js';
import { createOperatorHandler } from './routes/operator-routes.js';
import { portalProfile, type PortalProfile } from './portal/profile.js';
import { publicRoute, readiness } from './routes/public-routes.js';
import { proveSession } from './access/authenticate.js';
import type { RouteContext } from './http/route-context.js';
import { storageStatus } from './delivery/status.js';
import { DEFAULT_WRITE_LIMITS, WriteBudgets } from './http/rate-limit.js';

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
  expectOptions(options);
  const { outbox, authenticate, historyDays = DEFAULT_HISTORY_DAYS } = options;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silent;
  const metrics = options.metrics ?? unmeasured;
  const random = options.random ?? Math.random;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const publicUrl = new URL(options.publicUrl);
  const guard: GuardOptions = { allowedOrigins: new Set(options.allowedOrigins), publicOrigin: publicUrl.origin };
  const kept = new KeptPortalClock({ outbox, clock, log });
  const portalClock = kept.clock;
  const now = steadyNow(clock);
  let portal = lanesOf(options.portal, options.profile);

  /** @param settings as a host wrote them, perhaps: what they leave out is as usual */
  function lanesOf(account: PortalAccount, settings: PortalProfile | undefined): PortalLanes {
    const calls: PortalCalls = {
      baseUrl: account.baseUrl,
      profile: portalProfile.parse(settings ?? {}),
      fetch: options.fetch ?? fetch,
      clock,
      portalClock,
      metrics,
    };
    return new PortalLanes(account, calls, random, options.shareToken, options.digest);
  }

  const delivery = createDelivery({
    outbox,
    portalOf: (lane) => portal.portalOf(lane),
    presentPortal: () => portal.present(),
    laneOf: (vendor) => portal.laneOf(vendor),
    limits: () => portal.limits,
    callMs: () => portal.callMs,
    clock,
    now,
    random,
    log,
    metrics,
    latestStamp: () => clock.wall() + portalClock.offset + portal.stampTolerance,
    listedOwner: ({ vendor, id }) => listedOwner(vendor, context)(id),
  });
  const mayAccept = createHighWater({
    outbox,
    mostWaiting: options.mostWaiting ?? HIGH_WATER.mostWaiting,
    mostWaitingBytes: options.mostWaitingBytes ?? HIGH_WATER.mostWaitingBytes,
    hasRoom: options.hasRoom ?? (() => Promise.resolve(true)),
    clock,
    log,
  });
  const endedSessions = options.endedSessions ?? new EndedSessionsInMemory(clock);
  const budgets = new WriteBudgets({ ...DEFAULT_WRITE_LIMITS, ...options.writeLimits }, clock);
  const ending = new AbortController();
  const context: RouteContext = {
    outbox,
    endedSessions,
    budgets,
    admission: new Admission(options.mostAtOnce ?? MOST_AT_ONCE),
    bodies: new Places(BODIES),
    streams: new Places(STREAMS),
    limits,
    clock,
    digest: options.digest ?? webDigest,
    log,
    metrics,
    laneOf: (vendor) => portal.laneOf(vendor),
    stamping: async () => ({ portalOffset: await kept.offset(), stampUnit: portal.stampUnit }),
    separates: (vendor) => portal.separates(vendor),
    itemsAreIn: () => delivery.itemsAreIn(),
    wake: (lane) => {
      // Right where another process delivers. Once, for whoever forgot it.
      if (stopHousekeeping === undefined && !isSaidIdle)
        log('warn', 'start() was not called: this proxy delivers nothing');
      isSaidIdle = true;
      delivery.wake(lane);
    },
    mayAccept,
    itemsSource: options.itemsSource,
    ending: ending.signal,
  };

  let isSaidIdle = false;
  let stopHousekeeping: (() => void) | undefined;
  let stopWatching: (() => void) | undefined;
  let stopAgeAlarm: (() => void) | undefined;

  async function answerApi(request: Request, asked: Asked): Promise<Answer> {
    const { found, requestId, address } = asked;
    const forged = refuseForgery(request, guard);
    if (forged !== undefined) throw forged;
    budgets.checkAddress(address);
    const proving = proveSession(authenticate, request, { requestId, clock, log });
    const session = await proving.catch(budgets.noteUnknown(address));
    if (session === undefined || endedSessions.has(session.tokenId ?? '')) {
      budgets.noteRefused(address);
      throw new Refusal('session_required');
    }
    const named = request.headers.get(PERSON_HEADER);
    if (named !== null && named !== personNamed(session)) throw new Refusal('session_changed');
    if (found.kind === 'unknown') throw new Refusal('route_unknown');
    if (found.kind === 'method') throw new Refusal('method_not_allowed', undefined, { Allow: found.allow });
    const answer = await found.route.answer(request, session, context, found.segment);
    return request.method === 'GET' ? gzipped(request, answer) : answer;
  }

  function answerPublic(request: Request, path: string): Promise<Answer> {
    return publicRoute(request, path, { files: options.files, ready: () => readiness(outbox, delivery) });
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
      kept.begin();
      delivery.start();
      stopWatching ??= watchWorkElsewhere(outbox, clock, () => {
        delivery.wake();
      });
      stopAgeAlarm ??= startAgeAlarm({ outbox, clock, log });
      stopHousekeeping ??= startHousekeeping({ outbox, historyDays, clock, now, log });
    },
    reload(account, settings) {
      const before = portal;
      portal = lanesOf(expectAccount(account), settings);
      if (portal.differsFrom(before)) void delivery.tryAnew(2 * before.callMs);
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

import { type LaneWanted, type Lease, LeaseLost, type Outbox, type PresentPortal } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import type { Clock } from '../runtime/clock.js';
import { MAX_RETRY_AFTER_MS } from '../portal/retry-after.js';
import { Worker, type WorkerOptions } from './worker.js';

/**
 * Gets accepted edits to the portal: leases a lane that has due work, works it off, gives it back, again.
 *
 * It is the only layer that retries, and it never gives up: an edit ends delivered, parked for a person, discarded by one,
 * or replaced by a newer one of the same item. Acceptance never waits for it. It deliberately keeps nothing: what it knows
 * of an edit or a lane is in the outbox, so that any process may go on where another was killed.
 */
export interface Delivery {
  start(): void;
  /** New work may be there. @param lane where it is, for whoever knows; who works there finds it without a call */
  wake(lane?: string): void;
  /**
   * A setting has changed, so what was held because of it is tried at once. Waits of less than `leastMs` stay, and all
   * that are for a call that may still land.
   */
  retryHeld(leastMs: number): Promise<void>;
  /**
   * Resolves when each item is in the lane that it has under the present settings. Before that a new edit could take an id
   * from who had it.
   *
   * @throws {StorageFailed}
   */
  whenItemsAreAssigned(): Promise<void>;
  /** Resolves when the calls in flight are settled. */
  stop(): Promise<void>;
  /** How the portal took the last call; `undefined` before the first. */
  readonly lastOutcome: UpdateOutcome['kind'] | undefined;
  /** Started, not told to stop, and lately seen at the outbox. */
  readonly alive: boolean;
}

/** What the worker of a lane asks of its surroundings is partly delivery's to say. */
type Surroundings = Omit<WorkerOptions, 'moveLanes' | 'stopping' | 'pause' | 'onOutcome' | 'isCrowded'>;

export interface DeliveryOptions extends Surroundings {
  /** Under the present settings. */
  readonly activeCredentials: () => Promise<PresentPortal>;
  /** Longest that one call to the portal may take. */
  readonly callMs: () => number;
  /** Lanes that this process delivers at once. */
  readonly maxLanes: number;
}

/** Lanes that are delivered at once, where no setting says so. */
export const DEFAULT_LANES = 8;
const IDLE_MS = 60_000;
/** Whoever rests for a minute at most and was not seen for two is stuck, or is refused by its storage. */
const STUCK_AFTER_MS = 2 * IDLE_MS;
/** Another process on the same storage, whose clock is ahead, may write waits that last for as long as it is ahead. */
const CAP_DELAYS_INTERVAL_MS = 5 * 60_000;
const STORAGE_PAUSE_MS = 1_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { outbox, laneOf, limits, maxLanes, clock, log, now } = options;
  const sleepers = new Set<() => void>();
  const runs = new Set<Promise<void>>();
  const runningLanes = new Set<string>();
  let running: Promise<void> | undefined;
  let stopping = false;
  let woken = false;
  let wakeSleeper: (() => void) | undefined;
  let lastOutcome: UpdateOutcome['kind'] | undefined;
  let seenAt = -Infinity;
  /** One after the other: what one of them has worked out another would undo. */
  let moving: Promise<void> = Promise.resolve();
  let itemsAreIn: Promise<void> = Promise.resolve();
  /** The lanes are those of the present settings, or are about to be. */
  let areMoved = false;
  /** No wait may be longer; shorter than usual while the storage has not heard yet that settings have changed. */
  let longestMs = MAX_RETRY_AFTER_MS;

  const worker = new Worker({
    ...options,
    moveLanes,
    stopping: () => stopping,
    pause: (milliseconds) => (stopping ? Promise.resolve() : new Promise((resolve) => sleep(milliseconds, resolve))),
    onOutcome: ({ kind }) => (lastOutcome = kind),
    isCrowded: () => runs.size >= maxLanes,
  });

  /** @returns what ends the sleep early */
  function sleep(milliseconds: number, awake: () => void): () => void {
    const cancel = clock.after(milliseconds, done);
    function done(): void {
      cancel();
      sleepers.delete(done);
      awake();
    }
    sleepers.add(done);
    return done;
  }

  function rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      wakeSleeper = sleep(milliseconds, resolve);
    });
  }

  /** From the moment of this call on nobody's edit is accepted before the items are in. */
  function moveLanes(): Promise<void> {
    let itemsMoved: (() => void) | undefined;
    const items = new Promise<void>((resolve) => (itemsMoved = resolve));
    const moved = moving.then(() => outbox.moveLanes(laneOf, clock.wall(), itemsMoved));
    areMoved = true;
    // Until it has worked nothing is accepted.
    moving = moved.catch(() => {
      areMoved = false;
      wake();
    });
    itemsAreIn = Promise.race([items, moved]);
    // Whoever moved hears of it, and whoever waits.
    itemsAreIn.catch(() => undefined);
    return moved;
  }

  async function capDelays(milliseconds: number): Promise<void> {
    worker.rateLimiter.capDelays(now(), milliseconds);
    try {
      await outbox.limitWaits(now(), milliseconds);
    } catch (error) {
      longestMs = Math.min(longestMs, milliseconds);
      throw error;
    }
  }

  async function run(): Promise<void> {
    let limitAt = -Infinity;
    let isHeldRetried = false;
    while (!stopping) {
      woken = false;
      try {
        if (!areMoved) await moveLanes();
        // What held a lane before this start may have been mended by it.
        if (!isHeldRetried) await outbox.tryOthers(now(), await options.activeCredentials());
        isHeldRetried = true;
        if (clock.monotonic() >= limitAt || longestMs < MAX_RETRY_AFTER_MS) {
          const wanted = longestMs;
          longestMs = MAX_RETRY_AFTER_MS;
          await capDelays(wanted);
          limitAt = clock.monotonic() + CAP_DELAYS_INTERVAL_MS;
        }
        await outbox.confirmAccepted(now(), Math.floor(clock.wall()));
        const free = maxLanes - runs.size;
        const leases = free > 0 ? await outbox.leaseLanes(leaseWanted(), free) : [];
        seenAt = clock.monotonic();
        for (const lease of leases) startRun(lease);
        if (leases.length > 0) continue;
        const due = await outbox.nextDue();
        const wait = due === undefined ? IDLE_MS : Math.min(Math.max(due - now(), 0), IDLE_MS);
        if (!woken && !stopping) await rest(runs.size < maxLanes ? wait : IDLE_MS);
      } catch (error) {
        log('error', 'delivery cannot use the outbox', { error: String(error) });
        if (!stopping) await rest(STORAGE_PAUSE_MS);
      }
    }
    await Promise.all(runs);
  }

  /**
   * A call may be a token request, an update, another token request and the update again, and the next part of a batch that
   * is split waits for its turn. So do all lanes of its caller: were there no time for all, the first would go on for ever.
   */
  function leaseWanted(): LaneWanted {
    const [callMs, { isShared, inFlight, callsPerSecond }] = [options.callMs(), limits()];
    const queue = (isShared ? maxLanes : 1) * inFlight;
    return { leaseMs: 6 * callMs + (2 * queue * 1000) / callsPerSecond, unsureMs: 2 * callMs, now: now() };
  }

  function startRun(lease: Lease): void {
    const visit = worker
      .work(lease)
      .catch((error: unknown) => abandon(lease, error))
      .finally(() => {
        runs.delete(visit);
        runningLanes.delete(lease.lane);
        wake();
      });
    runs.add(visit);
    runningLanes.add(lease.lane);
  }

  /** What was sent and could not be settled has an unknown outcome, as after a crash: the next lease finds it open. */
  async function abandon(lease: Lease, error: unknown): Promise<void> {
    if (error instanceof LeaseLost) {
      log('warn', 'delivery lost a lane to another process', { error: String(error) });
      return;
    }
    log('error', 'delivery cannot use the outbox', { error: String(error) });
    for (let tries = 0; ; tries += 1) {
      await new Promise<void>((resolve) => sleep(stopping ? 0 : STORAGE_PAUSE_MS, resolve));
      try {
        await outbox.releaseLane(lease, worker.stateOf(lease));
        worker.logHold(lease);
        return;
      } catch (again) {
        if (stopping || again instanceof LeaseLost) return;
        if (tries === 0) log('warn', 'a lane stays closed until the storage works again', { error: String(again) });
      }
    }
  }

  function wake(lane?: string): void {
    // Whoever is there looks again before they go; and when they are gone, we do.
    if (lane !== undefined && runningLanes.has(lane)) return;
    woken = true;
    wakeSleeper?.();
  }

  return {
    get lastOutcome() {
      return lastOutcome;
    },
    get alive() {
      return running !== undefined && !stopping && clock.monotonic() - seenAt < STUCK_AFTER_MS;
    },
    start() {
      if (running === undefined) seenAt = clock.monotonic();
      running ??= run();
    },
    wake,
    whenItemsAreAssigned: () => itemsAreIn,
    async retryHeld(leastMs) {
      try {
        await Promise.all([moveLanes(), capDelays(Math.max(leastMs, 2 * options.callMs()))]);
      } catch (error) {
        log('error', 'delivery cannot use the outbox', { error: String(error) });
      }
      wake();
    },
    async stop() {
      stopping = true;
      for (const awake of [...sleepers]) awake();
      await running;
    },
  };
}

/** Under load every commit of every process is heard: one look for all of them. */
const DEBOUNCE_MS = 200;

/**
 * Wakes delivery when another process changed the outbox: it may have accepted or decided what nobody delivers, as an
 * operator's command does, or a proxy that was killed since. @returns what ends it
 */
export function watchRemoteWork(outbox: Outbox, clock: Clock, wake: () => void): () => void {
  let cancel: (() => void) | undefined;
  const leave = outbox.subscribe((_, elsewhere) => {
    if (elsewhere !== true) return;
    cancel ??= clock.after(DEBOUNCE_MS, () => {
      cancel = undefined;
      wake();
    });
  });
  return () => {
    leave();
    cancel?.();
  };
}

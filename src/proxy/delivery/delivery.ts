import { type LaneWanted, type Lease, LeaseLost, type Outbox, type PresentPortal } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import type { Clock } from '../runtime/clock.js';
import { MAX_RETRY_AFTER_MS } from '../portal/retry-after.js';
import { Worker, type WorkerOptions } from './worker.js';

/**
 * Delivers accepted edits to the portal. It leases the lanes that have due work, lets one worker run in each of them, and
 * releases them. A lane is the delivery queue of one credential, or of one vendor where each vendor has its own.
 *
 * It is the only layer that retries, and it never gives up: an edit ends delivered, refused until a person decides, discarded by
 * a person, or replaced by a newer edit of the same item. Acceptance never waits for delivery. The state of an edit and of a lane
 * is in the outbox and not here, so that any process can go on where another was killed.
 */
export interface Delivery {
  start(): void;
  /** Looks for new work. @param lane the lane of the work, if it is known: a worker that runs there finds it without a look */
  wake(lane?: string): void;
  /**
   * Retries held lanes at once, after a change of settings. Waits of less than `leastMs` stay, and so do waits for a call that
   * may still arrive.
   */
  retryHeld(leastMs: number): Promise<void>;
  /**
   * Resolves when each item is in the lane that it has under the present settings. Before that, a new edit could take an id
   * from the vendor that has it.
   *
   * @throws {StorageFailed}
   */
  whenItemsAreAssigned(): Promise<void>;
  /**
   * Takes a call to the portal for something other than edits, which go first: none while a worker runs in the lane.
   *
   * @param caller the client at the portal
   * @returns 0 where it is taken, else milliseconds until to ask again
   */
  takeSpareCall(lane: string, caller: string): Promise<number>;
  /** The portal asks this client to wait for so long. */
  closeFor(caller: string, milliseconds: number): void;
  /** Resolves when the calls in flight are settled. */
  stop(): Promise<void>;
  /** The outcome of the last call; `undefined` before the first call. */
  readonly lastOutcome: UpdateOutcome['kind'] | undefined;
  /** Whether delivery was started, was not stopped, and has used the outbox lately. */
  readonly alive: boolean;
}

/** The options of a worker without those that delivery supplies. */
type Surroundings = Omit<WorkerOptions, 'moveLanes' | 'stopping' | 'pause' | 'onOutcome' | 'isCrowded'>;

export interface DeliveryOptions extends Surroundings {
  /** Under the present settings. */
  readonly activeCredentials: () => Promise<PresentPortal>;
  /** Longest that one call to the portal may take. */
  readonly callMs: () => number;
  /** Lanes that this process delivers at once. */
  readonly maxLanes: number;
}

/** Default number of lanes that are delivered at once. */
export const DEFAULT_LANES = 8;
const IDLE_MS = 60_000;
/** The loop rests for a minute at most. If it has not used the outbox for two, it is stuck, or the storage fails. */
const STUCK_AFTER_MS = 2 * IDLE_MS;
/** Another process on the same storage whose clock is ahead may write waits that are too long by as much. */
const CAP_DELAYS_INTERVAL_MS = 5 * 60_000;
const STORAGE_PAUSE_MS = 1_000;
/** Until a call that no edit waits for asks again whether the lane is free. */
const BUSY_LANE_MS = 1_000;

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
  /** Moves run one after the other, since each would undo the result of the other. */
  let moving: Promise<void> = Promise.resolve();
  let itemsAreIn: Promise<void> = Promise.resolve();
  /** Whether the lanes are those of the present settings, or a move to them is running. */
  let areMoved = false;
  /** The longest wait. It is shorter than usual until the storage has applied a change of settings. */
  let longestMs = MAX_RETRY_AFTER_MS;

  const worker = new Worker({
    ...options,
    moveLanes,
    stopping: () => stopping,
    pause: (milliseconds) => (stopping ? Promise.resolve() : new Promise((resolve) => sleep(milliseconds, resolve))),
    onOutcome: ({ kind }) => (lastOutcome = kind),
    isCrowded: () => runs.size >= maxLanes,
  });

  /** @returns a function that ends the sleep early */
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

  /** From this call on, no edit is accepted until the items are in their lanes. */
  function moveLanes(): Promise<void> {
    let itemsMoved: (() => void) | undefined;
    const items = new Promise<void>((resolve) => (itemsMoved = resolve));
    const moved = moving.then(() => outbox.moveLanes(laneOf, clock.wall(), itemsMoved));
    areMoved = true;
    // Nothing is accepted until a move succeeds.
    moving = moved.catch(() => {
      areMoved = false;
      wake();
    });
    itemsAreIn = Promise.race([items, moved]);
    // The caller and those who wait for the promise handle the error.
    itemsAreIn.catch(() => undefined);
    return moved;
  }

  async function capDelays(milliseconds: number): Promise<void> {
    worker.rateLimiter.capDelays(now(), milliseconds);
    try {
      await outbox.capDelays(now(), milliseconds);
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
        // The settings of this start may have repaired the fault that held a lane.
        if (!isHeldRetried) await outbox.retryHeld(now(), await options.activeCredentials());
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
        const due = await outbox.nextDueAt();
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
   * A call may consist of a token request, an update, another token request and the update again, and the next part of a split
   * batch waits for the rate limiter, as all lanes of its client do. The lease has to last for all of that.
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

  /** If an outcome could not be stored, it is unknown, as after a crash: the next holder of the lane finds the attempt open. */
  async function abandon(lease: Lease, error: unknown): Promise<void> {
    if (error instanceof LeaseLost) {
      log('warn', 'delivery lost a lane to another process', { error: String(error) });
      return;
    }
    log('error', 'delivery cannot use the outbox', { error: String(error) });
    for (let tries = 0; ; tries += 1) {
      await new Promise<void>((resolve) => sleep(stopping ? 0 : STORAGE_PAUSE_MS, resolve));
      try {
        await outbox.releaseLease(lease, worker.stateOf(lease));
        worker.logHold(lease);
        return;
      } catch (again) {
        if (stopping || again instanceof LeaseLost) return;
        if (tries === 0) log('warn', 'a lane stays closed until the storage works again', { error: String(again) });
      }
    }
  }

  function wake(lane?: string): void {
    // The worker of this lane checks for new work before it ends, and this loop checks after it, so no wake-up is lost.
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
    takeSpareCall: (lane, caller) =>
      runningLanes.has(lane) ? Promise.resolve(BUSY_LANE_MS) : worker.rateLimiter.takeSpare(caller),
    closeFor(caller, milliseconds) {
      worker.rateLimiter.close(caller, now() + milliseconds);
    },
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

/** Under load there is a notification for every commit of every process: one look serves all of them. */
const DEBOUNCE_MS = 200;

/**
 * Wakes delivery when another process changed the outbox. That process may not deliver, as an operator's command, or may have
 * been killed since. @returns a function that ends it
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

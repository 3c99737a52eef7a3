import { type LeaseRequest, type Lease, LeaseLost, type Outbox, type PresentPortal } from '../outbox/outbox.js';
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
  /** Looks for new work. @param lane the lane of the work, if known: a worker that runs there finds the work itself */
  wake(lane?: string): void;
  /**
   * Retries held lanes at once after a change of settings. Waits shorter than `minMs` stay, and so do waits for a
   * call that may still arrive.
   */
  retryHeld(minMs: number): Promise<void>;
  /**
   * Resolves when each item is in its lane under the present settings. Before that, a new edit could take an id from
   * the vendor that owns it.
   *
   * @throws {StorageFailed}
   */
  whenItemsAreAssigned(): Promise<void>;
  /**
   * Takes a call to the portal for something other than edits. Edits go first: no call is taken while a worker runs in
   * the lane.
   *
   * @param client the client at the portal
   * @returns 0 if the call is taken, else milliseconds until the next try
   */
  takeIdleCall(lane: string, client: string): Promise<number>;
  /** The portal asks this client to wait for so long. */
  closeFor(client: string, milliseconds: number): void;
  /** Resolves when the calls in flight are settled. */
  stop(): Promise<void>;
  /** The outcome of the last call; `undefined` before the first call. */
  readonly lastOutcome: UpdateOutcome['kind'] | undefined;
  /** Whether delivery was started, was not stopped, and has used the outbox lately. */
  readonly alive: boolean;
}

/** The options of a worker without those that delivery supplies. */
type WorkerDependencies = Omit<WorkerOptions, 'moveLanes' | 'stopping' | 'pause' | 'onOutcome' | 'isCrowded'>;

export interface DeliveryOptions extends WorkerDependencies {
  /** Under the present settings. */
  readonly activeCredentials: () => Promise<PresentPortal>;
  /** The timeout of one call to the portal, in milliseconds. */
  readonly callMs: () => number;
  /** How many lanes this process delivers concurrently. */
  readonly maxLanes: number;
}

export const DEFAULT_LANES = 8;
const IDLE_MS = 60_000;
/** The loop rests for a minute at most. If it has not used the outbox for two, it is stuck, or the storage fails. */
const STUCK_AFTER_MS = 2 * IDLE_MS;
/** Another process on the same storage whose clock is ahead may write waits that are too long by as much. */
const CAP_DELAYS_INTERVAL_MS = 5 * 60_000;
const STORAGE_PAUSE_MS = 1_000;
/** The delay until a call that no edit waits for is tried again, if the lane is busy. */
const BUSY_LANE_MS = 1_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  return new DeliveryLoop(options);
}

class DeliveryLoop implements Delivery {
  readonly #options: DeliveryOptions;
  readonly #worker: Worker;
  readonly #sleepers = new Set<() => void>();
  readonly #runs = new Set<Promise<void>>();
  readonly #runningLanes = new Set<string>();
  #running: Promise<void> | undefined;
  #stopping = false;
  #woken = false;
  #wakeSleeper: (() => void) | undefined;
  #lastOutcome: UpdateOutcome['kind'] | undefined;
  #seenAt = -Infinity;
  /** Moves run one after the other, because concurrent moves would undo each other. */
  #moving: Promise<void> = Promise.resolve();
  #itemsMoved: Promise<void> = Promise.resolve();
  /** Whether the lanes are those of the present settings, or a move to them is running. */
  #areMoved = false;
  /** The longest wait. It is shorter than usual until the storage has applied a change of settings. */
  #maxWaitMs = MAX_RETRY_AFTER_MS;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#worker = new Worker({
      ...options,
      moveLanes: () => this.#moveLanes(),
      stopping: () => this.#stopping,
      pause: (milliseconds) => (this.#stopping ? Promise.resolve() : this.#sleep(milliseconds)),
      onOutcome: ({ kind }) => (this.#lastOutcome = kind),
      isCrowded: () => this.#runs.size >= options.maxLanes,
    });
  }

  get lastOutcome(): UpdateOutcome['kind'] | undefined {
    return this.#lastOutcome;
  }

  get alive(): boolean {
    const { clock } = this.#options;
    return this.#running !== undefined && !this.#stopping && clock.monotonic() - this.#seenAt < STUCK_AFTER_MS;
  }

  start(): void {
    if (this.#running === undefined) this.#seenAt = this.#options.clock.monotonic();
    this.#running ??= this.#run();
  }

  wake(lane?: string): void {
    // The worker of this lane checks for new work before it ends, and this loop checks after it, so no wake-up is lost.
    if (lane !== undefined && this.#runningLanes.has(lane)) return;
    this.#woken = true;
    this.#wakeSleeper?.();
  }

  takeIdleCall(lane: string, client: string): Promise<number> {
    if (this.#runningLanes.has(lane)) return Promise.resolve(BUSY_LANE_MS);
    return this.#worker.rateLimiter.takeIdleCall(client);
  }

  closeFor(client: string, milliseconds: number): void {
    this.#worker.rateLimiter.close(client, this.#options.now() + milliseconds);
  }

  whenItemsAreAssigned(): Promise<void> {
    return this.#itemsMoved;
  }

  async retryHeld(minMs: number): Promise<void> {
    const { callMs, log } = this.#options;
    try {
      await Promise.all([this.#moveLanes(), this.#capDelays(Math.max(minMs, 2 * callMs()))]);
    } catch (error) {
      log('error', 'delivery cannot use the outbox', { error: String(error) });
    }
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const wakeUp of [...this.#sleepers]) wakeUp();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { outbox, clock, now, log, maxLanes, activeCredentials } = this.#options;
    let limitAt = -Infinity;
    let isHeldRetried = false;
    while (!this.#stopping) {
      this.#woken = false;
      try {
        if (!this.#areMoved) await this.#moveLanes();
        // The settings of this start may have repaired the fault that held a lane.
        if (!isHeldRetried) await outbox.retryHeld(now(), await activeCredentials());
        isHeldRetried = true;
        if (clock.monotonic() >= limitAt || this.#maxWaitMs < MAX_RETRY_AFTER_MS) {
          const limitMs = this.#maxWaitMs;
          this.#maxWaitMs = MAX_RETRY_AFTER_MS;
          await this.#capDelays(limitMs);
          limitAt = clock.monotonic() + CAP_DELAYS_INTERVAL_MS;
        }
        await outbox.confirmAccepted(now(), Math.floor(clock.wall()));
        const free = maxLanes - this.#runs.size;
        const leases = free > 0 ? await outbox.leaseLanes(this.#leaseRequest(), free) : [];
        this.#seenAt = clock.monotonic();
        for (const lease of leases) this.#startRun(lease);
        if (leases.length > 0) continue;
        const due = await outbox.nextDueAt();
        const wait = due === undefined ? IDLE_MS : Math.min(Math.max(due - now(), 0), IDLE_MS);
        if (!this.#woken && !this.#isStopping()) await this.#rest(this.#runs.size < maxLanes ? wait : IDLE_MS);
      } catch (error) {
        log('error', 'delivery cannot use the outbox', { error: String(error) });
        if (!this.#isStopping()) await this.#rest(STORAGE_PAUSE_MS);
      }
    }
    await Promise.all(this.#runs);
  }

  /** It may change during any `await`, which narrowing of the field does not see. */
  #isStopping(): boolean {
    return this.#stopping;
  }

  /**
   * A call may consist of a token request, an update, another token request and the update again, and the next part of a split
   * batch waits for the rate limiter, as all lanes of its client do. The lease has to last for all of that.
   */
  #leaseRequest(): LeaseRequest {
    const { callMs, limits, maxLanes, now } = this.#options;
    const { isShared, inFlight, callsPerSecond } = limits();
    const queue = (isShared ? maxLanes : 1) * inFlight;
    return { leaseMs: 6 * callMs() + (2 * queue * 1000) / callsPerSecond, uncertainMs: 2 * callMs(), now: now() };
  }

  #startRun(lease: Lease): void {
    const run = this.#worker
      .work(lease)
      .catch((error: unknown) => this.#abandon(lease, error))
      .finally(() => {
        this.#runs.delete(run);
        this.#runningLanes.delete(lease.lane);
        this.wake();
      });
    this.#runs.add(run);
    this.#runningLanes.add(lease.lane);
  }

  /** If an outcome could not be stored, it is unknown, as after a crash: the next holder of the lane finds the attempt open. */
  async #abandon(lease: Lease, error: unknown): Promise<void> {
    const { outbox, log } = this.#options;
    if (error instanceof LeaseLost) {
      log('warn', 'delivery lost a lane to another process', { error: String(error) });
      return;
    }
    log('error', 'delivery cannot use the outbox', { error: String(error) });
    for (let tries = 0; ; tries += 1) {
      await this.#sleep(this.#stopping ? 0 : STORAGE_PAUSE_MS);
      try {
        await outbox.releaseLease(lease, this.#worker.stateOf(lease));
        this.#worker.logHold(lease);
        return;
      } catch (error) {
        if (this.#stopping || error instanceof LeaseLost) return;
        if (tries === 0) log('warn', 'a lane stays closed until the storage works again', { error: String(error) });
      }
    }
  }

  /** Moves items and edits into the lanes of the present settings. No edit is accepted until the items are there. */
  #moveLanes(): Promise<void> {
    const { outbox, laneOf, clock } = this.#options;
    let onItemsMoved: (() => void) | undefined;
    const items = new Promise<void>((resolve) => (onItemsMoved = resolve));
    const moved = this.#moving.then(() => outbox.moveLanes(laneOf, clock.wall(), onItemsMoved));
    this.#areMoved = true;
    // Nothing is accepted until a move succeeds.
    this.#moving = moved.catch(() => {
      this.#areMoved = false;
      this.wake();
    });
    this.#itemsMoved = Promise.race([items, moved]);
    // The caller handles the error, and so do those who wait for the items.
    this.#itemsMoved.catch(() => undefined);
    return moved;
  }

  async #capDelays(milliseconds: number): Promise<void> {
    const { outbox, now } = this.#options;
    this.#worker.rateLimiter.capDelays(now(), milliseconds);
    try {
      await outbox.capDelays(now(), milliseconds);
    } catch (error) {
      this.#maxWaitMs = Math.min(this.#maxWaitMs, milliseconds);
      throw error;
    }
  }

  /** Sleeps until the time is over, or {@link wake} finds new work. */
  async #rest(milliseconds: number): Promise<void> {
    await this.#sleep(milliseconds, (wake) => (this.#wakeSleeper = wake));
  }

  /** @param onStart gets a function that ends the sleep early */
  #sleep(milliseconds: number, onStart?: (wakeUp: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(milliseconds, wakeUp);
      const sleepers = this.#sleepers;
      function wakeUp(): void {
        cancel();
        sleepers.delete(wakeUp);
        resolve();
      }
      sleepers.add(wakeUp);
      onStart?.(wakeUp);
    });
  }
}

/** Under load each process sends a notification for each commit; one query of the outbox serves all of them. */
const DEBOUNCE_MS = 200;

/**
 * Wakes delivery when another process changed the outbox. That process may not deliver (an operator's command), or may have
 * been killed since.
 *
 * @returns a function that stops it
 */
export function watchRemoteWork(outbox: Outbox, clock: Clock, wake: () => void): () => void {
  let cancel: (() => void) | undefined;
  const unsubscribe = outbox.subscribe((_, elsewhere) => {
    if (elsewhere !== true) return;
    cancel ??= clock.after(DEBOUNCE_MS, () => {
      cancel = undefined;
      wake();
    });
  });
  return () => {
    unsubscribe();
    cancel?.();
  };
}

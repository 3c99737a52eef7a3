import type { Clock } from './clock.js';
import type { Log } from './log.js';
import type { OpenEdit, Outbox, Settlement } from './outbox.js';
import type { PortalClient, UpdateOutcome } from './portal-client.js';

/**
 * Gets accepted edits to the portal: claim, send, settle, again.
 *
 * One loop, one call at a time, at the profile's pace. It is the only layer that retries, and it never gives up: an edit
 * ends delivered, refused by the portal, or replaced by a newer one of the same item. Acceptance never waits for it.
 */
export interface Delivery {
  start(): void;
  /** New work may be there. */
  wake(): void;
  /** Resolves when the call in flight is settled. */
  stop(): Promise<void>;
  /** How the portal took the last call; `undefined` before the first. */
  readonly lastOutcome: UpdateOutcome['kind'] | undefined;
}

export interface DeliveryOptions {
  readonly outbox: Outbox;
  readonly portal: PortalClient;
  readonly itemsPerCall: number;
  readonly callsPerSecond: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

const BACK_OFF_BASE_MS = 1_000;
const BACK_OFF_CAP_MS = 5 * 60_000;
const HELD_PROBE_MS = 5 * 60_000;
const STORAGE_PAUSE_MS = 1_000;
// The wall clock may be set while delivery sleeps, and no timer counts further than 24 days.
const LONGEST_SLEEP_MS = 5 * 60_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { outbox, portal, clock, log } = options;
  let running: Promise<void> | undefined;
  let stopping = false;
  let woken = false;
  let interrupt: (() => void) | undefined;
  let nextCallAt = -Infinity;
  let lastOutcome: UpdateOutcome['kind'] | undefined;

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(milliseconds, done);
      function done(): void {
        cancel();
        interrupt = undefined;
        resolve();
      }
      interrupt = done;
    });
  }

  async function run(): Promise<void> {
    let recovered = false;
    while (!stopping) {
      woken = false;
      try {
        if (!recovered) {
          const interrupted = await outbox.recover(clock.wall());
          if (interrupted > 0) log('warn', 'edits with an unknown outcome are sent again', { items: interrupted });
          recovered = true;
        }
        // What is claimed can no longer be replaced by a newer wish: claim only when the call may go out at once.
        await turn();
        const edits = stopping ? [] : await outbox.openAttempt(clock.wall(), options.itemsPerCall);
        if (edits.length > 0) {
          await deliver(edits);
          continue;
        }
        const due = await outbox.nextDue();
        if (!woken && !stopping) await pause(Math.min(Math.max((due ?? Infinity) - clock.wall(), 0), LONGEST_SLEEP_MS));
      } catch (error) {
        // What was sent and could not be settled is an open attempt still: of unknown outcome, like after a crash.
        recovered = false;
        log('error', 'delivery cannot use the outbox', { error: String(error) });
        if (!stopping) await pause(STORAGE_PAUSE_MS);
      }
    }
  }

  async function deliver(claimed: readonly OpenEdit[]): Promise<void> {
    const parts = [claimed];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      await turn();
      if (stopping) {
        // What is left was not applied: it goes back as if nobody had claimed it.
        await outbox.settle([part, ...parts].flat(), { kind: 'waiting', dueAt: clock.wall() }, clock.wall());
        return;
      }
      const outcome = await call(part);
      if (outcome.kind === 'refused' && part.length > 1) {
        // One bad item must not hold up the good ones: halves until the bad one stands alone.
        const middle = Math.ceil(part.length / 2);
        parts.push(part.slice(middle), part.slice(0, middle));
        continue;
      }
      // What makes one part wait makes the others wait with it.
      const final = outcome.kind === 'delivered' || outcome.kind === 'refused';
      const settled = final ? part : [part, ...parts.splice(0)].flat();
      await outbox.settle(settled, settlementOf(outcome, settled), clock.wall());
    }
  }

  async function call(edits: readonly OpenEdit[]): Promise<UpdateOutcome> {
    const started = clock.monotonic();
    nextCallAt = started + 1000 / options.callsPerSecond;
    const outcome = await portal.update(edits);
    // "Come again later" is said to the caller, not about these items.
    if ('afterMs' in outcome) nextCallAt = Math.max(nextCallAt, clock.monotonic() + (outcome.afterMs ?? 0));
    lastOutcome = outcome.kind;
    log(outcome.kind === 'delivered' ? 'info' : 'warn', 'portal call', {
      code: outcome.kind,
      items: edits.length,
      milliseconds: Math.round(clock.monotonic() - started),
      ...('reason' in outcome && { reason: outcome.reason }),
    });
    return outcome;
  }

  function settlementOf(outcome: UpdateOutcome, edits: readonly OpenEdit[]): Settlement {
    switch (outcome.kind) {
      case 'delivered':
        return { kind: 'delivered' };
      case 'refused':
        return { kind: 'refused', reason: 'item_refused' };
      case 'held':
        return { kind: 'waiting', reason: outcome.reason, dueAt: clock.wall() + HELD_PROBE_MS };
      case 'retry':
      case 'unknown': {
        const afterMs = 'afterMs' in outcome ? outcome.afterMs : undefined;
        const attempts = Math.min(...edits.map((edit) => edit.attempts));
        return { kind: 'waiting', reason: outcome.reason, dueAt: clock.wall() + (afterMs ?? backOff(attempts)) };
      }
    }
  }

  /** Full jitter: a fleet that failed together does not come back together. */
  function backOff(attempts: number): number {
    return Math.ceil(options.random() * Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** Math.min(attempts - 1, 20)));
  }

  /** Waits until the profile's pace and the portal permit the next call. */
  async function turn(): Promise<void> {
    while (nextCallAt > clock.monotonic() && !stopping) await pause(nextCallAt - clock.monotonic());
  }

  return {
    get lastOutcome() {
      return lastOutcome;
    },
    start() {
      running ??= run();
    },
    wake() {
      woken = true;
      interrupt?.();
    },
    async stop() {
      stopping = true;
      interrupt?.();
      await running;
    },
  };
}

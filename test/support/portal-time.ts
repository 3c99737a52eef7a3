import type { VirtualClock } from './virtual-clock.js';

/** A time of the portal that a process has received, and when it received it by the monotonic clock. */
export interface Telling {
  readonly time: number;
  readonly at: number;
}

/** The clock of a portal that reports the true time, unless a test sets it or stops it. */
export class PortalTime {
  readonly #clock: VirtualClock;
  readonly #told = new Map<number, { readonly believed?: Telling | undefined; readonly pending?: Telling }>();
  #strayMs = 0;
  #frozenAt: number | undefined;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#frozenAt ?? this.#clock.trueTime() + this.#strayMs;
  }

  setBy(milliseconds: number): void {
    this.#strayMs += milliseconds;
    if (this.#frozenAt !== undefined) this.#frozenAt += milliseconds;
  }

  /** Stops the clock, or lets it continue from where it stopped. */
  freeze(isFrozen: boolean): void {
    const now = this.now();
    this.#strayMs = now - this.#clock.trueTime();
    this.#frozenAt = isFrozen ? now : undefined;
  }

  /**
   * Records that a complete response has reached a process with the portal's time. A process uses the times of successful
   * responses only, and it accepts a jump of more than a minute when a second response confirms it. Near that limit a
   * process may or may not accept a jump, so it is expected to know nothing.
   */
  noteTold(process: number, { ok, headers }: Response): void {
    const date = headers.get('Date');
    if (date === null || !ok || headers.has('Age')) return;
    const telling = { time: Date.parse(date), at: this.#clock.monotonic() };
    const { believed, pending } = this.#told.get(process) ?? {};
    const jump = believed === undefined ? Infinity : driftBetween(believed, telling);
    if (jump < JUMP_MS - CLOSE_MS || (pending !== undefined && driftBetween(pending, telling) < AGREED_MS)) {
      this.#told.set(process, { believed: telling });
      return;
    }
    const isClose =
      jump < JUMP_MS + CLOSE_MS || (pending !== undefined && driftBetween(pending, telling) < 2 * CLOSE_MS);
    this.#told.set(process, { believed: isClose ? undefined : believed, pending: telling });
  }

  /** @returns the time of the portal that this process believes */
  toldTo(process: number): Telling | undefined {
    return this.#told.get(process)?.believed;
  }
}

const JUMP_MS = 60_000;
/** The error in a received time that a slow call may cause. */
const CLOSE_MS = 10_000;
const AGREED_MS = 2_000;

function driftBetween(before: Telling, after: Telling): number {
  return Math.abs(after.time - before.time - (after.at - before.at));
}

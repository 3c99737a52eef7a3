import type { VirtualClock } from './virtual-clock.js';

/** What a process was told of the portal's clock, and when by the monotonic clock. */
export interface Telling {
  readonly time: number;
  readonly at: number;
}

/** The clock of a portal that else tells the true time: somebody may set it, and it may stand still. */
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

  /** It stands still, or goes on from where it stood. */
  freeze(isFrozen: boolean): void {
    const now = this.now();
    this.#strayMs = now - this.#clock.trueTime();
    this.#frozenAt = isFrozen ? now : undefined;
  }

  /**
   * A whole answer has reached a process, and says the time that it was when it was made. A process learns from successes
   * alone, and believes a jump of more than a minute when a second answer agrees. Where it is close, nobody is held to it.
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

  /** What this process believes. */
  toldTo(process: number): Telling | undefined {
    return this.#told.get(process)?.believed;
  }
}

const JUMP_MS = 60_000;
/** How far the two ends of a slow call may put a time off. */
const CLOSE_MS = 10_000;
const AGREED_MS = 2_000;

function driftBetween(before: Telling, after: Telling): number {
  return Math.abs(after.time - before.time - (after.at - before.at));
}

import type { VirtualClock } from './virtual-clock.js';

/** What a process was told of the portal's clock, and when by the monotonic clock. */
export interface Telling {
  readonly time: number;
  readonly at: number;
}

/** The clock of a portal that else tells the true time: somebody may set it, and it may stand still. */
export class PortalTime {
  readonly #clock: VirtualClock;
  readonly #told = new Map<number, Telling>();
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

  /** An answer has reached a process, and says the time that it was when it was made. */
  noteTold(process: number, { headers }: Response): void {
    const date = headers.get('Date');
    if (date !== null) this.#told.set(process, { time: Date.parse(date), at: this.#clock.monotonic() });
  }

  /** What this process was told last. */
  toldTo(process: number): Telling | undefined {
    return this.#told.get(process);
  }
}

import type { Clock } from './clock.js';

export interface CallPaceOptions {
  readonly clock: Clock;
  readonly limits: () => { readonly callsPerSecond: number };
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The pace of calls: lanes of one caller share it. */
export class CallPace {
  readonly #options: CallPaceOptions;
  /** By caller. */
  readonly #nextCall = new Map<string, number>();

  constructor(options: CallPaceOptions) {
    this.#options = options;
  }

  /** Resolves when it is this caller's turn. */
  async turn(caller: string): Promise<void> {
    const { clock, limits, pause } = this.#options;
    const interval = 1000 / limits().callsPerSecond;
    const at = Math.max(this.#nextCall.get(caller) ?? -Infinity, clock.monotonic());
    this.#nextCall.set(caller, at + interval);
    if (at > clock.monotonic()) await pause(at - clock.monotonic());
  }

  /** Milliseconds until the next call of this caller may leave. */
  untilNext(caller: string): number {
    return Math.max((this.#nextCall.get(caller) ?? -Infinity) - this.#options.clock.monotonic(), 0);
  }
}

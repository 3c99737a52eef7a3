import type { Variants } from './variants.js';
import { problem } from './responses.js';
import type { RequestResult } from './journal.js';

const SECOND_MS = 1000;

/** Limits the updates in flight and per second. The portal's document leaves both open ("Rate limits: not shown"). */
export class CallLimits {
  readonly #now: () => number;
  #admittedAt: number[] = [];
  #inFlight = 0;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns the rejection of an update over a limit; else a function to call once the admitted update is answered */
  admit(variants: Variants): RequestResult | (() => void) {
    const { calls_in_flight = Infinity, calls_per_second: rate } = variants;
    if (this.#inFlight >= calls_in_flight) return tooMany('at the same time', SECOND_MS, variants);
    if (rate !== undefined) {
      // At half a call per second, one call is allowed in two seconds.
      const maxCalls = Math.max(1, Math.floor(rate));
      const windowMs = (maxCalls / rate) * SECOND_MS;
      const now = this.#now();
      // Times in the future come from a clock that was set back. They are dropped, so that no caller waits for the clock to
      // catch up.
      this.#admittedAt = this.#admittedAt.filter((at) => at <= now && at > now - windowMs);
      const first = this.#admittedAt.at(-maxCalls);
      if (first !== undefined) return tooMany('in so short a time', first + windowMs - now, variants);
      this.#admittedAt.push(now);
    }
    this.#inFlight += 1;
    return () => {
      this.#inFlight -= 1;
    };
  }
}

/** RFC 6585, section 4. */
function tooMany(which: string, milliseconds: number, { too_many_status, says_when }: Variants): RequestResult {
  const seconds = String(Math.ceil(milliseconds / SECOND_MS));
  const headers = {
    retry_after: { 'Retry-After': seconds },
    ratelimit: { RateLimit: `"updates";r=0;t=${seconds}` },
    no: {},
  };
  const detail = `Too many updates ${which}. Nothing was applied.`;
  return { response: problem(too_many_status, detail, { headers: headers[says_when] }), facts: {} };
}

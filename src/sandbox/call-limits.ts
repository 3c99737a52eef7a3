import type { Variants } from './variants.js';
import { problem } from './responses.js';
import type { RequestResult } from './journal.js';

const SECOND_MS = 1000;

/** How many updates are taken at the same time, and in a second: what the document says nothing of ("Rate limits: not shown"). */
export class CallLimits {
  readonly #now: () => number;
  #taken: number[] = [];
  #inFlight = 0;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns the answer to one too many; else what is to be called once it is answered */
  admit(habits: Variants): RequestResult | (() => void) {
    const { calls_in_flight = Infinity, calls_per_second: pace } = habits;
    if (this.#inFlight >= calls_in_flight) return tooMany('at the same time', SECOND_MS, habits);
    if (pace !== undefined) {
      // As one in two seconds, where it is half a call.
      const most = Math.max(1, Math.floor(pace));
      const windowMs = (most / pace) * SECOND_MS;
      const now = this.#now();
      // A clock that is set back makes nobody wait for it.
      this.#taken = this.#taken.filter((at) => at <= now && at > now - windowMs);
      const first = this.#taken.at(-most);
      if (first !== undefined) return tooMany('in so short a time', first + windowMs - now, habits);
      this.#taken.push(now);
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

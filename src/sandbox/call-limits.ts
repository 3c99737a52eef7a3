import type { Habits } from './habits.js';
import { problem } from './responses.js';
import type { Verdict } from './verdict.js';

const SECOND_MS = 1000;

/** How many updates are taken at the same time, and in any second: what the document says nothing of ("Rate limits: not shown"). */
export class CallLimits {
  readonly #now: () => number;
  #taken: number[] = [];
  #inFlight = 0;

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** An update has come. @returns its end */
  enter(): () => void {
    this.#inFlight += 1;
    return () => {
      this.#inFlight -= 1;
    };
  }

  /** @returns the answer to one too many; one that is taken counts from now on */
  refuse({ calls_in_flight = Infinity, calls_per_second = Infinity, says_when }: Habits): Verdict | undefined {
    const now = this.#now();
    // A clock that is set back makes nobody wait for it.
    this.#taken = this.#taken.filter((at) => at <= now && at > now - SECOND_MS);
    const first = this.#taken.at(-calls_per_second);
    if (first !== undefined) return tooMany('in a second', first + SECOND_MS - now, says_when);
    if (this.#inFlight > calls_in_flight) return tooMany('at the same time', SECOND_MS, says_when);
    this.#taken.push(now);
    return undefined;
  }
}

/** RFC 6585, section 4. */
function tooMany(which: string, milliseconds: number, saysWhen: Habits['says_when']): Verdict {
  const seconds = String(Math.ceil(milliseconds / SECOND_MS));
  const headers = {
    retry_after: { 'Retry-After': seconds },
    ratelimit: { RateLimit: `"updates";r=0;t=${seconds}` },
    no: {},
  };
  const detail = `Too many updates ${which}. Nothing was applied.`;
  return { response: problem(429, detail, { headers: headers[saysWhen] }), facts: {} };
}

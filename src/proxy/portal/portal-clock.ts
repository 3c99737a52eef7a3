import { parseDate } from './http-date.js';

/** The `Date` header (RFC 9110 section 6.6.1) has whole seconds: less than this is no difference. */
const NOISE_MS = 2_000;
/** What is kept of it may be off by so much: an offset that comes and goes with the noise is not written each time. */
const KEPT_WITHIN_MS = 2 * NOISE_MS;
/** A portal, or whatever stands before it, that says another time is broken: its year 9999 would freeze an item for ever. */
const EARLIEST = Date.UTC(2020, 0);
const LATEST = Date.UTC(2100, 0);

/** What a `Date` header says, in milliseconds since the epoch; `undefined` where there is none that can be right. */
export function portalTime(date: string | null): number | undefined {
  const told = date === null ? NaN : parseDate(date);
  return told >= EARLIEST && told < LATEST ? told : undefined;
}

/**
 * How far the portal's clock is from ours, from the `Date` of its answers. Stamps are made on the portal's clock, so that a
 * machine whose clock is off does not freeze an item with a stamp of the future.
 */
export class PortalClock {
  readonly #changed: () => void;
  readonly #setSince: () => number;
  #offset = 0;
  #hasHeard = false;

  /**
   * @param changed called when the portal has answered, and when our clock was set
   * @param setSince by how many milliseconds our wall clock was set ahead since this was asked last
   */
  constructor(changed: () => void = () => undefined, setSince: () => number = () => 0) {
    this.#changed = changed;
    this.#setSince = setSince;
  }

  /** The portal's clock minus ours, in milliseconds; 0 until it has answered, here or to whoever kept it. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * Follows our own clock where somebody has set it since the portal answered: the portal's goes on as before. Until an
   * answer there is nothing to go by, and what a clock is set to then is most likely right.
   */
  follow(): void {
    const set = this.#setSince();
    if (set === 0 || !this.#hasHeard) return;
    this.#offset -= set;
    this.#changed();
  }

  /** @param sent @param received when the call left and when its answer came, on our wall clock */
  observe(date: string | null, sent: number, received: number): void {
    const told = portalTime(date);
    if (told === undefined) return;
    this.follow();
    this.#hasHeard = true;
    // The answer was made somewhere in between, and its second had begun up to a second before.
    const offset = told + 500 - (sent + received) / 2;
    this.#offset = Math.abs(offset) < NOISE_MS + (received - sent) / 2 ? 0 : Math.round(offset);
    this.#changed();
  }

  /** Takes over what was kept, unless it is the same but for the noise. */
  learn(kept: number): void {
    if (this.isNear(kept)) return;
    this.#offset = Math.abs(kept) < NOISE_MS ? 0 : Math.round(kept);
  }

  isNear(kept: number): boolean {
    return Math.abs(kept - this.#offset) < KEPT_WITHIN_MS;
  }
}

/** The `Date` header (RFC 9110 section 6.6.1) has whole seconds: less than this is no difference. */
const NOISE_MS = 2_000;
/** A portal, or whatever stands before it, that says another time is broken: its year 9999 would freeze an item for ever. */
const EARLIEST = Date.UTC(2020, 0);
const LATEST = Date.UTC(2100, 0);

/** What a `Date` header says, in milliseconds since the epoch; `undefined` where there is none that can be right. */
export function portalTime(date: string | null): number | undefined {
  const told = date === null ? NaN : Date.parse(date);
  return told >= EARLIEST && told < LATEST ? told : undefined;
}

/**
 * How far the portal's clock is from ours, from the `Date` of its answers. Stamps are made on the portal's clock, so that a
 * machine whose clock is off does not freeze an item with a stamp of the future.
 */
export class PortalClock {
  #offset = 0;

  /** The portal's clock minus ours, in milliseconds; 0 until it has answered. */
  get offset(): number {
    return this.#offset;
  }

  /** @param sent @param received when the call left and when its answer came, on our wall clock */
  observe(date: string | null, sent: number, received: number): void {
    const told = portalTime(date);
    if (told === undefined) return;
    // The answer was made somewhere in between, and its second had begun up to a second before.
    const offset = told + 500 - (sent + received) / 2;
    this.#offset = Math.abs(offset) < NOISE_MS + (received - sent) / 2 ? 0 : Math.round(offset);
  }
}

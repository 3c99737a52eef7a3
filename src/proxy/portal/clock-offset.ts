import type { Outbox } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import { parseDate } from './http-date.js';

/**
 * The `Date` header (RFC 9110 section 6.6.1) has whole seconds, and so may the uptime; two clocks are never read at the
 * same moment. A smaller difference counts as none.
 */
const NOISE_MS = 2_000;
/** The stored offset may differ by so much, so that noise does not cause a write each time. */
const PERSIST_TOLERANCE_MS = 2 * NOISE_MS;
/** A date outside of these years is wrong: a timestamp in the year 9999 would freeze an item for ever. */
const EARLIEST = Date.UTC(2020, 0);
const LATEST = Date.UTC(2100, 0);

/** A `Date` header in milliseconds since the epoch; `undefined` if it is absent or implausible. */
export function parsePortalTime(date: string | null): number | undefined {
  const time = date === null ? NaN : parseDate(date);
  return time >= EARLIEST && time < LATEST ? time : undefined;
}

/** A larger jump is believed only when a second response agrees. */
const MAX_UNCONFIRMED_JUMP_MS = 60_000;

/**
 * The offset of the portal's clock from ours, learned from the `Date` header of complete successes (`send` in
 * `portal-client.ts` decides which responses count). Timestamps are made on the portal's clock, so that a machine with
 * a wrong clock does not freeze an item with a timestamp in the future.
 *
 * A gateway in front of the portal may have a wrong clock and answer some calls itself. With a timestamp in the past
 * the portal would keep its older value, and one in the future would freeze the item. So no single response moves the
 * offset by more than a minute.
 */
export class PortalClock {
  readonly #changed: () => void;
  readonly #clockChange: () => number;
  #offset = 0;
  #isObserved = false;
  #lastObserved: number | undefined;
  /** A jump that the next response may confirm. */
  #unconfirmed: number | undefined;

  /**
   * @param changed called when a response or a change of our clock has changed the offset
   * @param clockChange returns by how many milliseconds our wall clock was set ahead since its last call
   */
  constructor(changed: () => void = () => undefined, clockChange: () => number = () => 0) {
    this.#changed = changed;
    this.#clockChange = clockChange;
  }

  /** The portal's clock minus ours, in milliseconds; 0 before the first response to any proxy. */
  get offset(): number {
    return this.#offset;
  }

  /** The offset by the last response alone, even if it is not believed; `undefined` before the first response. */
  get lastObserved(): number | undefined {
    return this.#lastObserved;
  }

  /**
   * Compensates a change of our own clock since the last response, because the portal's clock has not changed. Before
   * the first response there is nothing to compensate, and the new time is probably right.
   */
  applyClockChange(): void {
    const changedBy = this.#clockChange();
    if (changedBy === 0) return;
    if (this.#unconfirmed !== undefined) this.#unconfirmed -= changedBy;
    if (!this.#isObserved) return;
    this.#offset -= changedBy;
    this.#changed();
  }

  /**
   * @param sent when the request was sent, on our wall clock
   * @param received when the response arrived, on our wall clock
   */
  observe(date: string | null, sent: number, received: number): void {
    const portalTime = parsePortalTime(date);
    if (portalTime === undefined) return;
    this.applyClockChange();
    // The portal made the header between both times, up to a second after the second that it names had begun.
    const measured = portalTime + 500 - (sent + received) / 2;
    const noise = NOISE_MS + (received - sent) / 2;
    const offset = Math.abs(measured) < noise ? 0 : Math.round(measured);
    this.#lastObserved = offset;
    if (!this.#isConfirmed(offset, noise)) {
      this.#unconfirmed = offset;
      return;
    }
    this.#unconfirmed = undefined;
    this.#isObserved = true;
    this.#offset = offset;
    this.#changed();
  }

  #isConfirmed(offset: number, noise: number): boolean {
    if (Math.abs(offset - this.#offset) <= MAX_UNCONFIRMED_JUMP_MS) return true;
    return this.#unconfirmed !== undefined && Math.abs(offset - this.#unconfirmed) < NOISE_MS + noise;
  }

  /** Adopts a stored offset, unless it differs only by noise. */
  restore(stored: number): void {
    if (this.isNear(stored)) return;
    this.#offset = Math.abs(stored) < NOISE_MS ? 0 : Math.round(stored);
  }

  isNear(stored: number): boolean {
    return Math.abs(stored - this.#offset) < PERSIST_TOLERANCE_MS;
  }
}

/** How long the stored offset is used before it is read again: another proxy may have updated it. */
const READ_INTERVAL_MS = 5_000;

export interface PersistedClockOptions {
  readonly outbox: Pick<Outbox, 'portalOffset' | 'storePortalOffset'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Stores the offset of the portal's clock for the next start and for the other proxies: one of them gets a response,
 * and all of them make timestamps. It is written when it changes by more than noise, and read before the first
 * timestamp is made.
 *
 * The stored offset may be wrong: this machine's clock was set while no proxy ran, or the settings name another portal.
 * Then timestamps are wrong until the portal's next response, as they would be without storage. The timestamps of an
 * item only ever increase (`nextTimestamp`).
 */
export class PersistedPortalClock {
  readonly clock: PortalClock;
  readonly #options: PersistedClockOptions;
  /** `undefined`: the stored offset is unknown. */
  #persisted: number | undefined;
  /** The offset could not be written. */
  #isUnwritten = false;
  #writing: Promise<void> = Promise.resolve();
  #reading: Promise<void> | undefined;
  #readAt = -Infinity;

  constructor(options: PersistedClockOptions) {
    this.#options = options;
    this.clock = new PortalClock(() => {
      this.#persist();
    }, createClockChangeDetector(options.clock));
  }

  /**
   * The portal's clock minus ours in milliseconds, as learned by any of the proxies.
   *
   * @throws {StorageFailed}
   */
  async offset(): Promise<number> {
    this.clock.applyClockChange();
    if (this.#options.clock.monotonic() - this.#readAt >= READ_INTERVAL_MS) {
      // Concurrent callers wait for the same read.
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.clock.offset;
  }

  /** Reads the stored offset before the first timestamp is made. If that fails, the first acceptance reads it again. */
  start(): void {
    this.offset().catch((error: unknown) => {
      this.#options.log('warn', 'the portal’s clock could not be read', { error: String(error) });
    });
  }

  async #read(): Promise<void> {
    const { outbox, clock } = this.#options;
    const writing = this.#writing;
    await writing;
    const stored = await outbox.portalOffset(clock.wall());
    this.#readAt = clock.monotonic();
    // An offset that was written during the read is newer.
    if (this.#writing !== writing || this.#isUnwritten) return;
    // If nothing is stored, the first response is stored even if its offset is 0, for the other proxies.
    this.#persisted = stored;
    if (stored !== undefined) this.clock.restore(stored);
  }

  #persist(): void {
    if (this.#persisted !== undefined && this.clock.isNear(this.#persisted)) return;
    this.#persisted = this.clock.offset;
    this.#warn(this.#persisted);
    this.#writing = this.#write(this.#persisted);
  }

  #warn(offset: number): void {
    if (Math.abs(offset) <= MAX_UNCONFIRMED_JUMP_MS) return;
    const reason = offset > 0 ? 'the portal is ahead of this machine' : 'the portal is behind this machine';
    this.#options.log('warn', 'the clocks of portal and proxy differ', { reason, milliseconds: Math.abs(offset) });
  }

  async #write(offset: number): Promise<void> {
    const { outbox, clock, log } = this.#options;
    try {
      await outbox.storePortalOffset(offset, clock.wall());
      this.#isUnwritten = false;
    } catch (error) {
      // The next response writes again.
      this.#persisted = undefined;
      this.#isUnwritten = true;
      log('warn', 'the portal’s clock could not be kept', { error: String(error) });
    }
  }
}

/**
 * Detects that the wall clock was set, as NTP does after a bad start. While a machine sleeps, its wall clock goes on
 * and its monotonic clock stops, which looks the same; the uptime tells the two apart.
 *
 * @returns a function that returns by how many milliseconds the wall clock was set ahead (negative: back) since its
 * last call; 0 if the clock has no uptime
 */
export function createClockChangeDetector(clock: Clock): () => number {
  const read = () => ({ wall: clock.wall(), monotonic: clock.monotonic(), uptime: clock.uptime?.() });
  let last = read();

  return () => {
    const passed = clock.wall() - last.wall;
    // This cheap check runs for every timestamp and suffices unless the machine slept.
    if (Math.abs(passed - (clock.monotonic() - last.monotonic)) < NOISE_MS) return 0;
    const now = read();
    const set =
      now.uptime === undefined || last.uptime === undefined ? 0 : now.wall - last.wall - (now.uptime - last.uptime);
    last = now;
    return Math.abs(set) < NOISE_MS ? 0 : Math.round(set);
  };
}

import type { Outbox } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import { parseDate } from './http-date.js';

/**
 * The `Date` header (RFC 9110 section 6.6.1) has whole seconds, and so may the time since a machine started; two clocks are
 * never read at one moment. Less than this is no difference.
 */
const NOISE_MS = 2_000;
/** What is kept of it may be off by so much: an offset that comes and goes with the noise is not written each time. */
const PERSIST_TOLERANCE_MS = 2 * NOISE_MS;
/** A portal, or a gateway before it, that sends another time is broken: its year 9999 would freeze an item for ever. */
const EARLIEST = Date.UTC(2020, 0);
const LATEST = Date.UTC(2100, 0);

/** A `Date` header in milliseconds since the epoch; `undefined` where there is none that can be right. */
export function parsePortalTime(date: string | null): number | undefined {
  const told = date === null ? NaN : parseDate(date);
  return told >= EARLIEST && told < LATEST ? told : undefined;
}

/** A difference that appears at once and is larger than this is believed when a second answer agrees. */
const MAX_UNCONFIRMED_JUMP_MS = 60_000;

/**
 * How far the portal's clock is from ours, from the `Date` of its own complete successes (`send` in `portal-client.ts` says
 * which answers those are). Stamps are made on the portal's clock, so that a machine whose clock is off does not freeze an
 * item with a stamp of the future.
 *
 * A gateway in front of the portal may have a wrong clock and answer some calls itself. A stamp in the past would make the
 * portal keep its older value, and one in the future would freeze the item, so no single answer moves the clock by more
 * than a minute.
 */
export class PortalClock {
  readonly #changed: () => void;
  readonly #setSince: () => number;
  #offset = 0;
  #isObserved = false;
  #lastObserved: number | undefined;
  /** A jump that the next answer may confirm. */
  #unconfirmed: number | undefined;

  /**
   * @param changed called when the portal has answered, and when our clock was set
   * @param setSince by how many milliseconds our wall clock was set ahead since the last call
   */
  constructor(changed: () => void = () => undefined, setSince: () => number = () => 0) {
    this.#changed = changed;
    this.#setSince = setSince;
  }

  /** The portal's clock minus ours, in milliseconds; 0 until an answer to this process or to another proxy told it. */
  get offset(): number {
    return this.#offset;
  }

  /** The same by the last answer alone, believed or not; `undefined` before the first. */
  get lastObserved(): number | undefined {
    return this.#lastObserved;
  }

  /**
   * Follows our own clock where it was set since the portal answered: the portal's clock goes on as before. Until an
   * answer there is nothing to go by, and what a clock is set to then is most likely right.
   */
  applyClockChange(): void {
    const set = this.#setSince();
    if (set === 0) return;
    if (this.#unconfirmed !== undefined) this.#unconfirmed -= set;
    if (!this.#isObserved) return;
    this.#offset -= set;
    this.#changed();
  }

  /**
   * @param sent when the call left, on our wall clock
   * @param received when its answer came, on our wall clock
   */
  observe(date: string | null, sent: number, received: number): void {
    const told = parsePortalTime(date);
    if (told === undefined) return;
    this.applyClockChange();
    // The answer was made somewhere in between, and its second had begun up to a second before.
    const exact = told + 500 - (sent + received) / 2;
    const noise = NOISE_MS + (received - sent) / 2;
    const offset = Math.abs(exact) < noise ? 0 : Math.round(exact);
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

  /** Takes over a stored offset, unless it is the same but for the noise. */
  restore(kept: number): void {
    if (this.isNear(kept)) return;
    this.#offset = Math.abs(kept) < NOISE_MS ? 0 : Math.round(kept);
  }

  isNear(kept: number): boolean {
    return Math.abs(kept - this.#offset) < PERSIST_TOLERANCE_MS;
  }
}

/** How long what was read is believed: another proxy on the same storage may have heard the portal since. */
const READ_INTERVAL_MS = 5_000;

export interface PersistedClockOptions {
  readonly outbox: Pick<Outbox, 'portalOffset' | 'notePortalOffset'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps in the storage how far the portal's clock is from ours, for the next start and for the other proxies: one of them
 * hears the portal, and all of them make stamps. It is written when it changes by more than the noise, and read before the
 * first stamp is made.
 *
 * What is kept may be wrong: somebody has set this machine's clock while no proxy ran, or the settings name another portal.
 * Then stamps are as far off until the portal's next answer corrects it, as they would be without it; and an item's stamps only ever
 * increase (`nextStamp`), so that none is taken back.
 */
export class PersistedPortalClock {
  readonly clock: PortalClock;
  readonly #options: PersistedClockOptions;
  /** `undefined`: it is not known what is kept. */
  #persisted: number | undefined;
  /** What was heard is newer than what is kept. */
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
   * The portal's clock minus ours in milliseconds, as far as any of the proxies has heard of it.
   *
   * @throws {StorageFailed}
   */
  async offset(): Promise<number> {
    this.clock.applyClockChange();
    if (this.#options.clock.monotonic() - this.#readAt >= READ_INTERVAL_MS) {
      // Whoever comes meanwhile waits for the same look.
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.clock.offset;
  }

  /** Reads what is kept ahead of the first stamp: whoever makes that one tries again where it fails. */
  start(): void {
    this.offset().catch((error: unknown) => {
      this.#options.log('warn', 'the portal’s clock could not be read', { error: String(error) });
    });
  }

  async #read(): Promise<void> {
    const { outbox, clock } = this.#options;
    const writing = this.#writing;
    await writing;
    const kept = await outbox.portalOffset(clock.wall());
    this.#readAt = clock.monotonic();
    // What was heard meanwhile is newer.
    if (this.#writing !== writing || this.#isUnwritten) return;
    // What nobody has noted is noted with the first answer, also where it is nothing: others may be told it by it.
    this.#persisted = kept;
    if (kept !== undefined) this.clock.restore(kept);
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
      await outbox.notePortalOffset(offset, clock.wall());
      this.#isUnwritten = false;
    } catch (error) {
      // The next answer tries again.
      this.#persisted = undefined;
      this.#isUnwritten = true;
      log('warn', 'the portal’s clock could not be kept', { error: String(error) });
    }
  }
}

/**
 * Sees when somebody sets the wall clock, as NTP does after a bad start. While a machine sleeps its wall clock goes on and
 * the monotonic one stands still, which looks the same; the time since it started tells the two apart.
 *
 * @returns asked, by how many milliseconds the wall clock was set ahead (negative: back) since it was asked last; 0 where
 * the clock cannot say
 */
export function createClockChangeDetector(clock: Clock): () => number {
  const read = () => ({ wall: clock.wall(), monotonic: clock.monotonic(), sinceBoot: clock.uptime?.() });
  let before = read();

  return () => {
    const passed = clock.wall() - before.wall;
    // Cheap, and right but for sleep: every stamp asks.
    if (Math.abs(passed - (clock.monotonic() - before.monotonic)) < NOISE_MS) return 0;
    const now = read();
    const set =
      now.sinceBoot === undefined || before.sinceBoot === undefined
        ? 0
        : now.wall - before.wall - (now.sinceBoot - before.sinceBoot);
    before = now;
    return Math.abs(set) < NOISE_MS ? 0 : Math.round(set);
  };
}

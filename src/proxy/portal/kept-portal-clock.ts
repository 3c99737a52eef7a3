import type { Clock } from '../runtime/clock.js';
import { watchClockSteps } from './clock-steps.js';
import type { Log } from '../runtime/log.js';
import type { Outbox } from '../outbox/outbox.js';
import { PortalClock } from './portal-clock.js';

/** How long what was read is believed: another proxy on the same storage may have heard the portal since. */
const LOOK_MS = 5_000;

export interface KeptPortalClockOptions {
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
export class KeptPortalClock {
  readonly clock: PortalClock;
  readonly #options: KeptPortalClockOptions;
  /** `undefined`: it is not known what is kept. */
  #kept: number | undefined;
  /** What was heard is newer than what is kept. */
  #isUnwritten = false;
  #writing: Promise<void> = Promise.resolve();
  #looking: Promise<void> | undefined;
  #lookedAt = -Infinity;

  constructor(options: KeptPortalClockOptions) {
    this.#options = options;
    this.clock = new PortalClock(() => {
      this.#keep();
    }, watchClockSteps(options.clock));
  }

  /**
   * The portal's clock minus ours in milliseconds, as far as any of the proxies has heard of it.
   *
   * @throws {StorageFailed}
   */
  async offset(): Promise<number> {
    this.clock.follow();
    if (this.#options.clock.monotonic() - this.#lookedAt >= LOOK_MS) {
      // Whoever comes meanwhile waits for the same look.
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    return this.clock.offset;
  }

  /** Reads what is kept ahead of the first stamp: whoever makes that one tries again where it fails. */
  begin(): void {
    this.offset().catch((error: unknown) => {
      this.#options.log('warn', 'the portal’s clock could not be read', { error: String(error) });
    });
  }

  async #look(): Promise<void> {
    const { outbox, clock } = this.#options;
    const writing = this.#writing;
    await writing;
    const kept = await outbox.portalOffset(clock.wall());
    this.#lookedAt = clock.monotonic();
    // What was heard meanwhile is newer.
    if (this.#writing !== writing || this.#isUnwritten) return;
    // What nobody has noted is noted with the first answer, also where it is nothing: others may be told it by it.
    this.#kept = kept;
    if (kept !== undefined) this.clock.learn(kept);
  }

  #keep(): void {
    if (this.#kept !== undefined && this.clock.isNear(this.#kept)) return;
    this.#kept = this.clock.offset;
    this.#writing = this.#write(this.#kept);
  }

  async #write(offset: number): Promise<void> {
    const { outbox, clock, log } = this.#options;
    try {
      await outbox.notePortalOffset(offset, clock.wall());
      this.#isUnwritten = false;
    } catch (error) {
      // The next answer tries again.
      this.#kept = undefined;
      this.#isUnwritten = true;
      log('warn', 'the portal’s clock could not be kept', { error: String(error) });
    }
  }
}

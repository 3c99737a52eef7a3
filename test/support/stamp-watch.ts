import type { Receipt } from '../../src/contract/widget.js';
import type { Telling } from './portal-time.js';
import type { VirtualClock } from './virtual-clock.js';
import type { UnreliablePortal } from './unreliable-portal.js';

const MOST_AHEAD_MS = 5 * 60_000;

/**
 * I9: no stamp is more than five minutes ahead of the portal, as the process may believe its time, unless the item's stamp
 * before it is; that of a portal whose clock is wrong is as good as any.
 *
 * Nobody is held to what they cannot know. A process knows what answers told it (`PortalTime`), wherever our clock is set to after that.
 * The next process knows what was kept, unless our clock was set since that answer, which looks to it like a portal of
 * another time: until it has an answer of its own, its stamps are judged by nothing. So are they where the process was
 * killed at the moment of the answer, before that could be kept.
 */
export class StampWatch {
  readonly #clock: VirtualClock;
  readonly #portal: UnreliablePortal;
  readonly #stamps = new Map<string, number>();
  #process: number;
  /** As what was kept tells this process. */
  #inherited: Telling | undefined;
  #setAt = -Infinity;

  constructor(portal: UnreliablePortal, clock: VirtualClock) {
    this.#portal = portal;
    this.#clock = clock;
    this.#process = portal.sent.processes;
  }

  /** Somebody has set our clock. Who has no answer of its own goes by it. */
  noteClockSet(): void {
    this.#setAt = this.#clock.monotonic();
    this.#inherited = undefined;
  }

  /** Another process has taken over. */
  noteStart(): void {
    const known = this.#known;
    const isKept = known !== undefined && known.at > this.#setAt && known.at < this.#clock.monotonic();
    this.#inherited = isKept ? known : undefined;
    this.#process = this.#portal.sent.processes;
  }

  /** @returns by how many milliseconds the new stamp is further ahead than it may be; 0 where that is not known */
  excessOf({ id, updated_at }: Receipt): number {
    const stamp = Date.parse(updated_at);
    const before = this.#stamps.get(id) ?? -Infinity;
    this.#stamps.set(id, stamp);
    const known = this.#known;
    if (known === undefined) return 0;
    const latest = known.time + this.#clock.monotonic() - known.at + MOST_AHEAD_MS;
    return Math.max(stamp - Math.max(latest, before + 1), 0);
  }

  get #known(): Telling | undefined {
    return this.#portal.time.toldTo(this.#process) ?? this.#inherited;
  }
}

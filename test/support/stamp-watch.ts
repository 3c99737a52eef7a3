import type { Receipt } from '../../src/contract/widget.js';
import type { Telling } from './portal-time.js';
import type { VirtualClock } from './virtual-clock.js';
import type { UnreliablePortal } from './unreliable-portal.js';

const MOST_AHEAD_MS = 5 * 60_000;

/**
 * Checks invariant I9: no timestamp is more than five minutes ahead of the portal's time as the process may know it, unless
 * the item's previous timestamp is. A wrong clock of the portal counts as right.
 *
 * A process is judged only by what it can know. It knows the times in the responses that it received (`PortalTime`), even
 * if its own clock is set after that. The next process knows the stored time, unless its clock was set after that response,
 * because the stored time then looks like that of another portal: until it receives a response itself, its timestamps are
 * not judged. The same applies if the process was killed at the moment of the response, before the time could be stored.
 */
export class StampWatch {
  readonly #clock: VirtualClock;
  readonly #portal: UnreliablePortal;
  readonly #stamps = new Map<string, number>();
  #process: number;
  /** The stored time of the portal that this process has read. */
  #inherited: Telling | undefined;
  #setAt = -Infinity;

  constructor(portal: UnreliablePortal, clock: VirtualClock) {
    this.#portal = portal;
    this.#clock = clock;
    this.#process = portal.sent.processes;
  }

  /** Records that the proxy's clock was set. A process without a response of its own then uses that clock. */
  noteClockSet(): void {
    this.#setAt = this.#clock.monotonic();
    this.#inherited = undefined;
  }

  /** Records that another process was started. */
  noteStart(): void {
    const known = this.#known;
    const isKept = known !== undefined && known.at > this.#setAt && known.at < this.#clock.monotonic();
    this.#inherited = isKept ? known : undefined;
    this.#process = this.#portal.sent.processes;
  }

  /** @returns by how many milliseconds the new timestamp exceeds the limit; 0 if it does not, or the limit is unknown */
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

import { holdName, locks } from '../browser/held-name.js';

const PREFIX = 'vendor-inventory-draft:';

/**
 * Which pages of this browser still hold their drafts in memory: each holds a lock by its name, and what such a page has is
 * not offered to another. Where there are no locks, the same drafts may be on offer in two tabs, and values are absolute, so
 * that saving both is harmless.
 *
 * A page without drafts holds nothing.
 */
export class LivingPages {
  readonly #onEnd: () => void;
  readonly #closed = new AbortController();
  readonly #watched = new Set<string>();
  #release: (() => void) | undefined;

  /** @param onEnd another page has let go of its drafts */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  hold(page: string): void {
    // What is still to be written when the page goes is no life of it.
    if (!this.#closed.signal.aborted) this.#release ??= holdName(PREFIX + page);
  }

  /** Not before what it had is off the disk: whoever hears of it looks for that. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  async living(): Promise<ReadonlySet<string>> {
    const { held = [] } = (await locks()?.query()) ?? {};
    const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(PREFIX));
    for (const name of names) this.#watch(name);
    return new Set(names.map((name) => name.slice(PREFIX.length)));
  }

  close(): void {
    this.release();
    this.#closed.abort();
  }

  #watch(name: string): void {
    if (this.#watched.has(name)) return;
    this.#watched.add(name);
    const { signal } = this.#closed;
    const told = locks()?.request(name, { mode: 'shared', signal }, () => {
      this.#watched.delete(name);
      this.#onEnd();
    });
    told?.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

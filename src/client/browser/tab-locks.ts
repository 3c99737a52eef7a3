/**
 * A name that this page holds for as long as it lives, as a lock (Web Locks API, 2): what belongs to a page that is alive is
 * nobody else's business. Where locks are missing, on an insecure origin, every page seems gone.
 *
 * Held only while there is a reason: a lock keeps a page out of the back/forward cache.
 *
 * @returns lets go of it
 */
export function holdName(name: string): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks()?.request(name, () => held);
  return release;
}

/**
 * Where the browser lets a page store nothing of any kind, such as a frame of another site: nothing is kept, every lock is
 * refused, and there is nothing to delete.
 */
export function mayStore(): boolean {
  try {
    void localStorage;
    return true;
  } catch {
    return false;
  }
}

/** Missing on insecure origins, such as a plain-http intranet. */
export function locks(): LockManager | undefined {
  return mayStore() ? navigator.locks : undefined;
}

const PATIENCE_MS = 5_000;

/**
 * Runs `work` while no other tab of the same owner sends, so that the edits of two tabs leave in the order in which they
 * were made. A frozen tab keeps its lock, so patience is short: edit ids keep a double hand-over harmless.
 */
export async function whileSendingAlone(owner: string, work: () => Promise<void>): Promise<void> {
  const turns = locks();
  if (turns === undefined) return work();
  let started = false;
  try {
    await turns.request(`vendor-inventory ${owner}`, { signal: AbortSignal.timeout(PATIENCE_MS) }, () => {
      started = true;
      return work();
    });
  } catch (error) {
    if (started) throw error;
    await work();
  }
}

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

/**
 * Holds a lock (Web Locks API, 2) for the lifetime of this page, so that other tabs leave alone the data that belongs to
 * it. Without locks, as on an insecure origin, every page seems closed.
 *
 * Call it only while the page has such data: a lock keeps a page out of the back/forward cache.
 *
 * @returns a function that releases the lock
 */
export function holdLock(name: string): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks()?.request(name, () => held);
  return release;
}

/**
 * Whether the browser lets this page store data. In a frame of another site it may not; the browser then refuses every
 * lock too, and there is no stored data to delete.
 */
export function isStorageAllowed(): boolean {
  try {
    void localStorage;
    return true;
  } catch {
    return false;
  }
}

/** @returns `undefined` on insecure origins, such as a plain-http intranet */
export function locks(): LockManager | undefined {
  return isStorageAllowed() ? navigator.locks : undefined;
}

const LOCK_TIMEOUT_MS = 5_000;

/**
 * Runs `work` while no other tab of the same owner sends, so that the edits of two tabs are sent in the order in which
 * they were made. A frozen tab keeps its lock, so the wait is short. Edit ids make it harmless to send an edit twice.
 */
export async function whileSendingAlone(owner: string, work: () => Promise<void>): Promise<void> {
  const manager = locks();
  if (manager === undefined) return work();
  let started = false;
  try {
    await manager.request(`vendor-inventory ${owner}`, { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, () => {
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
 * The registry of open pages that have drafts in memory. Each holds a lock by its name, and its drafts are not offered to
 * another page. Without locks, two tabs may offer the same drafts; saving both is harmless, because values are absolute.
 *
 * A page without drafts holds no lock.
 */
export class OpenPageRegistry {
  readonly #onEnd: () => void;
  readonly #closed = new AbortController();
  readonly #watched = new Set<string>();
  #release: (() => void) | undefined;

  /** @param onEnd called when another page has released its lock */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  hold(page: string): void {
    // A page that is closing may still write drafts, and must not take the lock again.
    if (!this.#closed.signal.aborted) this.#release ??= holdLock(PREFIX + page);
  }

  /** Call it after the drafts were deleted from the disk: other pages look for drafts there once the lock is free. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  async listOpenPages(): Promise<ReadonlySet<string>> {
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
    const granted = locks()?.request(name, { mode: 'shared', signal }, () => {
      this.#watched.delete(name);
      this.#onEnd();
    });
    granted?.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

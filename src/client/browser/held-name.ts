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

import { afterThisTest } from '../../client/support/clean-up.js';

/**
 * Counts listeners from now on.
 *
 * @returns a function that returns the number of listeners that were added to the window and the document and not removed
 */
export function countListeners(): () => number {
  const counts = [watch(window), watch(document)];
  return () => counts.reduce((sum, count) => sum + count(), 0);
}

function watch(target: EventTarget): () => number {
  const added = new Map<string, Set<unknown>>();
  const { addEventListener, removeEventListener } = target;
  target.addEventListener = (...[type, listener, options]: Parameters<typeof addEventListener>) => {
    const listeners = (added.get(type) ?? new Set()).add(listener);
    added.set(type, listeners);
    // A signal is the other way to remove a listener.
    const signal = typeof options === 'object' ? options.signal : undefined;
    signal?.addEventListener('abort', () => listeners.delete(listener));
    addEventListener.call(target, type, listener, options);
  };
  target.removeEventListener = (...[type, listener, options]: Parameters<typeof removeEventListener>) => {
    added.get(type)?.delete(listener);
    removeEventListener.call(target, type, listener, options);
  };
  afterThisTest(() => {
    Object.assign(target, { addEventListener, removeEventListener });
  });
  return () => [...added.values()].reduce((sum, listeners) => sum + listeners.size, 0);
}

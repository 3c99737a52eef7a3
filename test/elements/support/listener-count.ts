import { afterThisTest } from '../../client/support/clean-up.js';

/** How many more listeners the window and the document have than now. */
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
    // The other way to take it away.
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

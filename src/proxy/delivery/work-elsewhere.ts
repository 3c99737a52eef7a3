import type { Clock } from '../runtime/clock.js';
import type { Outbox } from '../outbox/outbox.js';

/** Under load every commit of every process is heard: one look for all of them. */
const TOGETHER_MS = 200;

/**
 * Wakes delivery when another process changed the outbox: it may have accepted or decided what nobody delivers, as an
 * operator's command does, or a proxy that was killed since. @returns what ends it
 */
export function watchWorkElsewhere(outbox: Outbox, clock: Clock, wake: () => void): () => void {
  let cancel: (() => void) | undefined;
  const leave = outbox.subscribe((_, elsewhere) => {
    if (elsewhere !== true) return;
    cancel ??= clock.after(TOGETHER_MS, () => {
      cancel = undefined;
      wake();
    });
  });
  return () => {
    leave();
    cancel?.();
  };
}

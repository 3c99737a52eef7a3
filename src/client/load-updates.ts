import type { Updates, UpdatesOptions } from './updates.js';

/** @returns nothing where it does not come through: edits are followed by asking then, and the next load tries again */
export async function loadUpdates(options: UpdatesOptions): Promise<Updates | undefined> {
  const part = await import('./updates.js').catch(() => undefined);
  return part && new part.Updates(options);
}

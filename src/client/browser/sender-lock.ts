import { locks } from './held-name.js';

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

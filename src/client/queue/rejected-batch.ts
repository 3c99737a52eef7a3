import { idsOf } from '../../domain/edit.js';
import type { ProxyFailure, SortOut } from '../api/proxy-failure.js';
import type { QueuedEdit } from '../storage/edit-table.js';

/**
 * What becomes of a batch that the proxy refused: nothing of it was stored, and its bad edits must not hold up the others.
 *
 * @param places of the edits that it is about, from 0, where the proxy names them
 */
export function refusedBatch(code: string, places: readonly number[]): SortOut {
  return async (batch, { queue, ledger }) => {
    const isAboutAll = batch.length === 1 || code === 'permission_missing';
    const bad = new Set(isAboutAll ? batch : places.flatMap((at) => batch[at] ?? []));
    // It does not say which: until each stands alone.
    if (bad.size === 0) return halvesOf(batch);
    const newest = new Map((await queue.rows()).map((row) => [row.id, row.edit_id]));
    // Where a newer wish for the item waits behind it, nothing is left to decide about this one.
    const last = [...bad].filter(({ id, edit_id }) => (newest.get(id) ?? edit_id) === edit_id);
    await queue.mark(idsOf(last), 'refused', code);
    await queue.remove(idsOf([...bad].filter((edit) => !last.includes(edit))));
    for (const edit of last) ledger.advance(edit, { stage: 'refused', reason: code });
    return [batch.filter((edit) => !bad.has(edit))];
  };
}

/** What becomes of a batch that is too long for a gateway in front of the proxy. A single edit waits, since no setting means that. */
export function tooLongBatch(failure: ProxyFailure): SortOut {
  return (batch) => (batch.length > 1 ? Promise.resolve(halvesOf(batch)) : Promise.reject(failure));
}

function halvesOf(batch: readonly QueuedEdit[]): (readonly QueuedEdit[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

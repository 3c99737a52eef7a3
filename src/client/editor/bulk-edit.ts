import type { EditorStore, ConfirmChange } from './editor-types.js';
import { isProvisional } from '../storage/queue-owner.js';
import type { EditRequest } from '../store/create-edits.js';
import type { RowChange } from '../../domain/undo-history.js';
import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { ItemView } from '../model/item-view.js';
import type { ItemList } from './item-list.js';

/** Edits that are stored in one transaction. */
const CHUNK = 1_000;

type Store = Pick<EditorStore, 'canEdit' | 'view' | 'setSome' | 'snapshot'>;

/**
 * Sets the values of many items, and skips items whose value is on the portal already. Resolves when the writes to
 * storage have ended. Until then the browser asks before it closes the page, because the edits that are not written yet
 * exist nowhere else.
 */
export async function setMany(store: Store, requests: Iterable<EditRequest>): Promise<void> {
  const done = new AbortController();
  addEventListener('beforeunload', (event) => void event.preventDefault(), { signal: done.signal });
  await setInChunks(store, requests).finally(() => void done.abort());
}

async function setInChunks(store: Store, requests: Iterable<EditRequest>): Promise<void> {
  let { owner } = store.snapshot;
  let chunk: EditRequest[] = [];
  const startedAt = Date.now();
  let skipSetSince = Infinity;
  for (const request of requests) {
    // The person may have signed out between two chunks.
    if (!store.canEdit(request.id) || isOnPortal(store, request) || wasSetSince(store, request, skipSetSince)) continue;
    chunk.push(request);
    if (chunk.length < CHUNK) continue;
    await store.setSome(chunk);
    const ownerBefore = owner;
    ({ owner } = store.snapshot);
    // Stop if another person has signed in. If the person was unknown before, the edits are those of the first person.
    if (!isProvisional(ownerBefore) && owner !== ownerBefore) return;
    // The person may set an item while a chunk is written. That edit is newer, so it stays.
    skipSetSince = startedAt;
    chunk = [];
  }
  if (chunk.length > 0) await store.setSome(chunk);
}

/**
 * Whether the portal has the requested value, and no edit is on its way. A value of the host's page alone is still
 * sent.
 */
function isOnPortal(store: Store, { id, available }: EditRequest): boolean {
  const { available: known, truth, writing } = store.view(id);
  return known === available && writing !== true && truth === 'on-portal';
}

/** Whether the person has set the item since. @param since in milliseconds since the epoch, by this device's clock */
function wasSetSince(store: Store, { id }: EditRequest, since: number): boolean {
  const { truth, writing, updated_at = '' } = store.view(id);
  return (writing === true || truth === 'on-device') && Date.parse(updated_at) >= since;
}

/** The outcome of an undo or redo of a saved step, in rows. */
export interface CompensationResult {
  changed: number;
  skipped: number;
  /** Items that had no value before. No edit can restore that, so their edits are withdrawn if they were not sent. */
  readonly firstValues: ItemView[];
}

/**
 * Yields the edits that undo or redo a saved step, for the rows that no other person has changed since.
 *
 * @param isUndo `true` for undo; a redo replaces the earlier value even if another person has set it
 * @param confirmChange called once for each value, as for a bulk edit
 * @param result receives the numbers of changed and skipped rows
 */
export function* createCompensations(
  list: ItemList,
  changes: readonly RowChange[],
  isUndo: boolean,
  confirmChange: ConfirmChange,
  result: CompensationResult,
  changeSet?: EditId,
): Generator<EditRequest> {
  const { store } = list;
  const wantedOf = ({ shown, wanted }: RowChange): boolean | undefined => (isUndo ? shown : wanted);
  const viewOf = (change: RowChange): ItemView | undefined => {
    const id = list.idAt(change.itemIndex);
    const view = id && store.view(id);
    if (view === undefined || !store.canEdit(view.id)) return undefined;
    const isByOther = (isUndo && view.by !== undefined) || view.theirs !== undefined;
    return !isByOther && view.available === (isUndo ? change.wanted : change.shown) ? view : undefined;
  };
  const answers = new Map<boolean, boolean>();
  const isAllowed = (first: ItemId, available: boolean): boolean => {
    const ids = function* (): Generator<ItemId> {
      for (const change of changes) {
        const view = wantedOf(change) === available ? viewOf(change) : undefined;
        if (view !== undefined) yield view.id;
      }
    };
    const answer = answers.get(available) ?? confirmChange({ [Symbol.iterator]: ids }, first, available);
    answers.set(available, answer);
    return answer;
  };
  for (const change of changes) {
    const [view, available] = [viewOf(change), wantedOf(change)];
    if (view !== undefined && available === undefined) result.firstValues.push(view);
    else if (view !== undefined && available !== undefined && isAllowed(view.id, available)) {
      result.changed += 1;
      yield { id: view.id, available, changeSet };
    } else result.skipped += 1;
  }
}

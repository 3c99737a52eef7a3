import type { EditorStore, MayChange } from './editor-types.js';
import { isProvisional } from '../storage/queue-owner.js';
import type { Wish } from '../store/create-edits.js';
import type { RowChange } from '../../domain/undo-history.js';
import type { ItemId } from '../../domain/item.js';
import type { ItemView } from '../model/item-view.js';
import type { ItemList } from './item-list.js';

/** Edits that go to the browser's disk together. */
const CHUNK = 1_000;

type Store = Pick<EditorStore, 'mayEdit' | 'view' | 'setSome' | 'snapshot'>;

/**
 * Takes many wishes, and leaves out what an item is already. Resolves when storage has answered; whoever leaves the page
 * before is asked, because what is still to be taken is nowhere but here.
 */
export async function setMany(store: Store, wishes: Iterable<Wish>): Promise<void> {
  const done = new AbortController();
  addEventListener('beforeunload', (event) => void event.preventDefault(), { signal: done.signal });
  await takeAll(store, wishes).finally(() => void done.abort());
}

async function takeAll(store: Store, wishes: Iterable<Wish>): Promise<void> {
  let { owner } = store.snapshot;
  let chunk: Wish[] = [];
  const began = Date.now();
  let overruledFrom = Infinity;
  for (const wish of wishes) {
    // The person may have signed out between two chunks.
    if (!store.mayEdit(wish.id) || isSo(store, wish) || isWishedSince(store, wish, overruledFrom)) continue;
    chunk.push(wish);
    if (chunk.length < CHUNK) continue;
    await store.setSome(chunk);
    const before = owner;
    ({ owner } = store.snapshot);
    // Another person is here. What began before it was known who is here is the first person's.
    if (!isProvisional(before) && owner !== before) return;
    // While they are written a person may wish something else.
    overruledFrom = began;
    chunk = [];
  }
  if (chunk.length > 0) await store.setSome(chunk);
}

/** The portal has what is wished, and nothing of it is on its way. That the host's page says so is no reason to send nothing. */
function isSo(store: Store, { id, available }: Wish): boolean {
  const { available: known, truth, writing } = store.view(id);
  return known === available && writing !== true && truth === 'on-portal';
}

/** @param moment in milliseconds since the epoch, by this device's clock */
function isWishedSince(store: Store, { id }: Wish, moment: number): boolean {
  const { truth, writing, updated_at = '' } = store.view(id);
  return (writing === true || truth === 'on-device') && Date.parse(updated_at) >= moment;
}

/** What becomes of the rows of a step that was saved. */
export interface Compensated {
  changed: number;
  skipped: number;
  /** These had no value before: an edit cannot restore that, it can only be taken back before it is sent. */
  readonly firsts: ItemView[];
}

/**
 * The edits that take a saved step back or make it again, for the rows that no other person changed since.
 *
 * @param isBack what is made again replaces the value that was there before, whoever set it
 * @param mayChange is asked once for each value, as for a bulk edit
 * @param result counts what is done and what is left as it is
 */
export function* compensations(
  list: ItemList,
  changes: readonly RowChange[],
  isBack: boolean,
  mayChange: MayChange,
  result: Compensated,
): Generator<Wish> {
  const { store } = list;
  const wantedOf = ({ shown, wanted }: RowChange): boolean | undefined => (isBack ? shown : wanted);
  const viewOf = (change: RowChange): ItemView | undefined => {
    const id = list.idAt(change.position);
    const view = id && store.view(id);
    if (view === undefined || !store.mayEdit(view.id)) return undefined;
    const isOthers = (isBack && view.by !== undefined) || view.theirs !== undefined;
    return !isOthers && view.available === (isBack ? change.wanted : change.shown) ? view : undefined;
  };
  const answers = new Map<boolean, boolean>();
  const isAllowed = (first: ItemId, available: boolean): boolean => {
    const ids = function* (): Generator<ItemId> {
      for (const change of changes) {
        const view = wantedOf(change) === available ? viewOf(change) : undefined;
        if (view !== undefined) yield view.id;
      }
    };
    const answer = answers.get(available) ?? mayChange({ [Symbol.iterator]: ids }, first, available);
    answers.set(available, answer);
    return answer;
  };
  for (const change of changes) {
    const [view, available] = [viewOf(change), wantedOf(change)];
    if (view !== undefined && available === undefined) result.firsts.push(view);
    else if (view !== undefined && available !== undefined && isAllowed(view.id, available)) {
      result.changed += 1;
      yield { id: view.id, available };
    } else result.skipped += 1;
  }
}

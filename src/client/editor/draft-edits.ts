import type { RowChange } from '../../domain/undo-history.js';
import type { ItemId } from '../../domain/item.js';
import type { ItemView } from '../model/item-view.js';
import type { Wish } from '../store/create-edits.js';
import type { MayChange } from './editor-types.js';
import type { ItemList } from './item-list.js';

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

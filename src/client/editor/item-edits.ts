import { ofRow, type PerRow } from '../../domain/draft.js';
import { codeOf, NONE, ON, shownIn, type Code } from '../../domain/stand.js';
import type { ItemId } from '../../domain/item.js';
import type { Wish } from '../store/create-edits.js';
import type { MayChange } from './editor-types.js';
import type { ItemTable } from './item-table.js';
import type { ItemView } from '../model/item-view.js';

/** What the store is asked for, made one by one while it takes them: the store works in slices. */
export function* edits(table: ItemTable, rows: Uint32Array, codeAt: (at: number) => Code): Generator<Wish> {
  for (const [at, position] of rows.entries()) {
    const id = table.idAt(position);
    if (id !== undefined) yield { id, available: codeAt(at) === ON };
  }
}

/** What becomes of the rows of a step that was saved. */
export interface Compensated {
  changed: number;
  skipped: number;
  /** Nobody had told anything of these before: an edit cannot say so, it can only be taken back. */
  readonly firsts: ItemView[];
}

/** A saved step, put back or made again. */
export interface Compensation {
  readonly positions: Uint32Array;
  /** Which of these were saved. */
  readonly saved: readonly number[];
  /** What each shows, and what it shall show. */
  readonly from: PerRow;
  readonly to: PerRow;
  /** Put back. What is made again stands over the value that was there before, whoever's it is. */
  readonly isBack: boolean;
}

/**
 * The edits of a compensation, where nobody has spoken since.
 *
 * @param mayChange is asked once for each value, as for a bulk edit
 * @param result counts what is done and what is left as it is
 */
export function* compensations(
  table: ItemTable,
  { positions, saved, from, to, isBack }: Compensation,
  mayChange: MayChange,
  result: Compensated,
): Generator<Wish> {
  const { store } = table;
  function* turns(): Generator<readonly [ItemView | undefined, Code]> {
    for (const at of saved) {
      const id = table.idAt(positions[at] ?? -1);
      const view = id && store.view(id);
      const isOthers = view && ((isBack && view.by) || view.theirs);
      const isMine = view && !isOthers && codeOf(view.available) === shownIn(ofRow(from, at));
      yield [isMine && store.mayEdit(id) ? view : undefined, shownIn(ofRow(to, at))];
    }
  }
  const answers: Partial<Record<Code, boolean>> = {};
  for (const [view, code] of turns()) {
    const ids = function* (): Generator<ItemId> {
      for (const [other, others] of turns()) if (other && others === code) yield other.id;
    };
    if (view && code === NONE) result.firsts.push(view);
    else if (view && (answers[code] ??= mayChange({ [Symbol.iterator]: ids }, view.id, code === ON))) {
      result.changed += 1;
      yield { id: view.id, available: code === ON };
    } else result.skipped += 1;
  }
}

import { listOf } from '../domain/bit-set.js';
import { ofRow, type Step } from '../domain/draft.js';
import { codeOf, NONE, ON, shownIn, type Code } from '../domain/stand.js';
import type { Wish } from './wishes.js';
import type { ItemTable } from './item-table.js';
import type { ItemView } from './item-view.js';

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

/**
 * Edits that put a saved step back, or make it again, where nobody has spoken since.
 *
 * @param saved which rows of the step
 * @param result counts what is done and what is left as it is
 */
export function* compensations(
  table: ItemTable,
  { rows, before, after }: Step,
  saved: readonly number[],
  isBack: boolean,
  result: Compensated,
): Generator<Wish> {
  const { store } = table;
  const positions = listOf(rows);
  for (const at of saved) {
    const id = table.idAt(positions[at] ?? -1);
    const [then, now] = [shownIn(ofRow(before, at)), ofRow(after, at) as Code];
    const [from, to] = isBack ? [now, then] : [then, now];
    const view = id && store.view(id);
    const isMine = view !== undefined && view.by === undefined && view.theirs === undefined;
    if (!id || !isMine || codeOf(view.available) !== from || !store.mayEdit(id)) result.skipped += 1;
    else if (to === NONE) result.firsts.push(view);
    else {
      result.changed += 1;
      yield { id, available: to === ON };
    }
  }
}

import { listOf } from '../domain/bit-set.js';
import { ofRow, type Step } from '../domain/draft.js';
import { codeOf, NONE, ON, shownIn, type Code } from '../domain/stand.js';
import type { Wish } from './wishes.js';
import type { ItemTable } from './item-table.js';

/** What the store is asked for, made one by one while it takes them: the store works in slices. */
export function* edits(table: ItemTable, rows: Uint32Array, codeAt: (at: number) => Code): Generator<Wish> {
  for (const [at, position] of rows.entries()) {
    const id = table.idAt(position);
    if (id !== undefined) yield { id, available: codeAt(at) === ON };
  }
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
  result: { changed: number; skipped: number },
): Generator<Wish> {
  const { store } = table;
  const positions = listOf(rows);
  for (const at of saved) {
    const id = table.idAt(positions[at] ?? -1);
    const [then, now] = [shownIn(ofRow(before, at)), ofRow(after, at) as Code];
    const [from, to] = isBack ? [now, then] : [then, now];
    const view = id && store.view(id);
    const isMine = view !== undefined && view.by === undefined && view.theirs === undefined;
    // Nobody can be told that a value is unknown again.
    if (id && isMine && to !== NONE && codeOf(view.available) === from && store.mayEdit(id)) {
      result.changed += 1;
      yield { id, available: to === ON };
    } else result.skipped += 1;
  }
}

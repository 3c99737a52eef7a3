import type { ItemId } from '../../../domain/item.js';
import type { DraftBase, DraftRow } from '../draft-changes.js';
import type { ItemDraft } from '../draft.js';
import type { EditorStore } from '../editor-types.js';

interface Wished {
  readonly available: boolean;
  readonly base: DraftBase;
}

interface Unkept {
  readonly owner: string;
  readonly wishes: Map<ItemId, Wished>;
}

/** By editor. */
const unkept = new WeakMap<object, Unkept>();

/**
 * A list goes, and nobody knows yet whether the browser keeps its drafts: they wait here for the editor's next list.
 *
 * @returns they are kept, and taken from there (`draft-keeper.ts`)
 */
export function leaveUnkept(editor: object, { table, changes }: ItemDraft, { snapshot }: EditorStore): () => void {
  const { owner } = snapshot;
  const left = new Map(ofPerson(editor, owner));
  for (const position of table.counts.changed > 0 ? changes.positions() : []) {
    const { view, draft: available } = table.row(position) ?? {};
    if (view && available !== undefined) left.set(view.id, { available, base: changes.baseOf(position) });
  }
  unkept.set(editor, { owner, wishes: left });
  return () => {
    if (unkept.get(editor)?.wishes === left) unkept.delete(editor);
  };
}

/** Puts them back where this list has their items, as soon as these are read. The rest waits for another list. */
export function takeUnkept(editor: object, draft: ItemDraft, store: EditorStore): void {
  const take = (): void => {
    const wishes = ofPerson(editor, store.snapshot.owner);
    if (wishes !== undefined) putBack(draft, wishes);
  };
  draft.table.subscribe((changed) => {
    if (changed === undefined) take();
  });
  take();
}

function putBack(draft: ItemDraft, wishes: Map<ItemId, Wished>): void {
  const { table } = draft;
  const found: (DraftRow & { readonly wanted: boolean })[] = [];
  for (const [id, wished] of wishes) {
    const position = table.positionOf(id);
    const row = position === undefined ? undefined : table.row(position);
    if (row === undefined) continue;
    wishes.delete(id);
    if (row.draft === undefined && row.view.available !== wished.available) {
      found.push({ position: row.position, wanted: wished.available, base: wished.base });
    }
  }
  if (found.length > 0) draft.restore(found);
}

/** Nobody's wishes are another person's. */
function ofPerson(editor: object, owner: string): Map<ItemId, Wished> | undefined {
  const kept = unkept.get(editor);
  if (kept?.owner === owner) return kept.wishes;
  unkept.delete(editor);
  return undefined;
}

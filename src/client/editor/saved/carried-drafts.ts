import type { ItemId } from '../../../domain/item.js';
import type { DraftBase, DraftRow } from '../draft-changes.js';
import type { ItemDraft } from '../draft.js';
import type { EditorStore } from '../editor-types.js';

interface CarriedDraft {
  readonly available: boolean;
  readonly base: DraftBase;
}

interface CarriedDrafts {
  readonly owner: string;
  readonly drafts: Map<ItemId, CarriedDraft>;
}

/** The drafts by editor. */
const carried = new WeakMap<object, CarriedDrafts>();

/**
 * Holds the drafts of a list that is replaced in memory for the editor's next list, until it is known whether they are
 * stored.
 *
 * @returns a function to call when they are stored: the next list reads them from storage (`draft-autosave.ts`)
 */
export function carryDraftsOver(editor: object, { table, changes }: ItemDraft, { snapshot }: EditorStore): () => void {
  const { owner } = snapshot;
  const left = new Map(getDraftsOf(editor, owner));
  for (const itemIndex of table.counts.changed > 0 ? changes.findItemIndexes() : []) {
    const { view, draft: available } = table.row(itemIndex) ?? {};
    if (view && available !== undefined) left.set(view.id, { available, base: changes.baseOf(itemIndex) });
  }
  carried.set(editor, { owner, drafts: left });
  return () => {
    if (carried.get(editor)?.drafts === left) carried.delete(editor);
  };
}

/** Restores these drafts as soon as their items are read. A draft whose item is not in this list stays for a later list. */
export function restoreCarriedDrafts(editor: object, draft: ItemDraft, store: EditorStore): void {
  const restore = (): void => {
    const drafts = getDraftsOf(editor, store.snapshot.owner);
    if (drafts !== undefined) restoreFound(draft, drafts);
  };
  draft.table.subscribe((changed) => {
    if (changed === undefined) restore();
  });
  restore();
}

function restoreFound(draft: ItemDraft, drafts: Map<ItemId, CarriedDraft>): void {
  const { table } = draft;
  const found: (DraftRow & { readonly wanted: boolean })[] = [];
  for (const [id, drafted] of drafts) {
    const itemIndex = table.findItemIndex(id);
    const row = itemIndex === undefined ? undefined : table.row(itemIndex);
    if (row === undefined) continue;
    drafts.delete(id);
    if (row.draft === undefined && row.view.available !== drafted.available) {
      found.push({ itemIndex: row.itemIndex, wanted: drafted.available, base: drafted.base });
    }
  }
  if (found.length > 0) draft.restore(found);
}

/** @returns the drafts of the owner; drafts of another person are dropped */
function getDraftsOf(editor: object, owner: string): Map<ItemId, CarriedDraft> | undefined {
  const known = carried.get(editor);
  if (known?.owner === owner) return known.drafts;
  carried.delete(editor);
  return undefined;
}

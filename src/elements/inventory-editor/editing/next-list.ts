import type { InventoryStore } from '../../../client/store/inventory-store.js';
import type { ItemIndex, Query, RowOrder, ViewIndex } from '../../../client/editor/editor-types.js';
import type { ItemDraft } from '../../../client/editor/draft.js';
import { isEverything } from '../../../client/editor/filter.js';
import { replaceItems } from '../../../client/editor/other-items.js';
import { carryDraftsOver, restoreCarriedDrafts } from '../../../client/editor/saved/carried-drafts.js';
import type { EditorContext, ToolsOfEditor } from '../editor-context.js';
import type { VirtualRows } from '../list/virtual-list.js';

/** The query of the previous list, by the editor's root. */
const looked = new WeakMap<ShadowRoot, { readonly store: InventoryStore; readonly wanted: Query }>();

type Tools = ToolsOfEditor & { readonly draft: ItemDraft };

/** Call when the list ends, because the page sets other items or moves the editor. */
export function leaveList({ context: { root, store }, wanted, autosave, draft }: Tools): void {
  looked.set(root, { store, wanted });
  const restoreDrafts = carryDraftsOver(root, draft, store);
  void autosave.settled.then(() => {
    if (!autosave.refused) restoreDrafts();
  });
}

/** Continues with the query of the previous list, and with drafts that the browser could not store. */
export function goOn(tools: Tools): void {
  const { root, store } = tools.context;
  const before = looked.get(root);
  if (before?.store !== store) return;
  if (!isEverything(before.wanted)) tools.find(before.wanted);
  restoreCarriedDrafts(root, tools.draft, store);
}

/** Replaces the items or their order. @returns `false` if the open dialog and the selection cannot continue */
export function goOnWith(tools: Tools, items: unknown): boolean {
  const { context, selection, filter, wanted } = tools;
  const { root, table, rows } = context;
  const toggle = (itemIndex: ItemIndex): void => void selection.toggle({ length: 1, at: () => itemIndex }, 0);
  const { size } = table;
  // An item index without a row counts as selected if the selection is "everything", including rows not read yet.
  const isInverted = selection.has(size);
  const held = tools.order.at(rows.active);
  const drop = (itemIndex: ItemIndex): void => {
    if (selection.has(itemIndex) !== isInverted) toggle(itemIndex);
  };
  if (!Array.isArray(items) || !replaceItems(table, items, drop)) return false;
  // Items that come with another list are not selected, because the person has not seen them.
  for (let itemIndex = size; isInverted && itemIndex < table.size; itemIndex += 1)
    if (table.isRow(itemIndex) && selection.has(itemIndex)) toggle(itemIndex);
  filter.apply(wanted);
  const viewIndex = findViewIndex(tools.order, held);
  if (viewIndex >= 0) follow(rows, viewIndex);
  else if (!filter.busy && rows.rowOf(root.activeElement)) leaveRows(root);
  return true;
}

/**
 * Follows a page that changes the markup of the element in place, as Turbo and htmx do.
 *
 * @returns a function that stops observing
 */
export function followMarkup({ element, readChildren }: EditorContext): () => void {
  const observer = new MutationObserver(() => {
    // A page may also remove the content that was shown before the upgrade.
    if (element.querySelector(':scope > script') !== null) readChildren();
  });
  observer.observe(element, { childList: true, characterData: true, subtree: true });
  return () => void observer.disconnect();
}

/**
 * Renders the list after its items or their order have changed. The focus moves with its item, or leaves the list if the
 * item does.
 */
export function reorder({ context: { root, rows }, filter, order }: ToolsOfEditor): void {
  const held = rows.rowOf(root.activeElement);
  if (held !== undefined && order.at(held.viewIndex) !== held.itemIndex) {
    // The search may not have reached the item yet.
    if (filter.busy) return;
    const viewIndex = findViewIndex(order, held.itemIndex);
    if (viewIndex >= 0) follow(rows, viewIndex);
    else leaveRows(root);
  }
  rows.reorder();
}

/**
 * Moves the focus out of the rows, because the next key would act on the item that now has the focused one's view index.
 */
function leaveRows(root: ShadowRoot): void {
  root.querySelector<HTMLElement>('.chip[aria-pressed=true]')?.focus({ preventScroll: true });
}

/**
 * Follows the focused item to its new view index. A row moves with the focus. A tile stays on its line, so the focus
 * moves to the item's new tile. This function is not part of `VirtualRows`, which is in the first script.
 */
function follow(rows: VirtualRows, viewIndex: ViewIndex): void {
  const { active, byLine } = rows;
  if (rows.rowAt(active)?.isTile === true) {
    rows.active = viewIndex;
    rows.rowAt(viewIndex)?.entry.focus({ preventScroll: true });
    return;
  }
  const { lineOf } = rows.lines;
  const [from, to] = [lineOf(active), lineOf(viewIndex)];
  const [held, other] = [byLine.get(from), byLine.get(to)];
  byLine.delete(from);
  if (other !== undefined) byLine.set(from, other);
  if (held !== undefined) byLine.set(to, held);
  rows.active = viewIndex;
}

function findViewIndex(order: RowOrder, itemIndex: ItemIndex | undefined): ViewIndex {
  for (let viewIndex = 0; viewIndex < order.length; viewIndex += 1)
    if (order.at(viewIndex) === itemIndex) return viewIndex;
  return -1;
}

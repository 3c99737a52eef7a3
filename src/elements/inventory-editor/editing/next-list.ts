import type { InventoryStore } from '../../../client/store/inventory-store.js';
import type { Place, Position, Query, RowOrder } from '../../../client/editor/editor-types.js';
import type { ItemDraft } from '../../../client/editor/draft.js';
import { isEverything } from '../../../client/editor/filter.js';
import { takeOtherItems } from '../../../client/editor/other-items.js';
import { leaveUnkept, takeUnkept } from '../../../client/editor/saved/unkept-drafts.js';
import type { EditorContext, ToolsOfEditor } from '../editor-context.js';
import type { VirtualRows } from '../list/virtual-list.js';

/** What a person was looking for, by the editor's root. */
const looked = new WeakMap<ShadowRoot, { readonly store: InventoryStore; readonly wanted: Query }>();

type Tools = ToolsOfEditor & { readonly draft: ItemDraft };

/** The list goes: the page gives the editor other items, or puts it somewhere else. */
export function leaveList({ context: { root, store }, wanted, keeper, draft }: Tools): void {
  looked.set(root, { store, wanted });
  const areKept = leaveUnkept(root, draft, store);
  void keeper.settled.then(() => {
    if (!keeper.refused) areKept();
  });
}

/** The person goes on where the list before was: with what they looked for, and with drafts that the browser refuses to keep. */
export function goOn(tools: Tools): void {
  const { root, store } = tools.context;
  const before = looked.get(root);
  if (before?.store !== store) return;
  if (!isEverything(before.wanted)) tools.find(before.wanted);
  takeUnkept(root, tools.draft, store);
}

/** The page gives other items, or in another order. @returns `false`: what is open and selected cannot go on with them */
export function goOnWith(tools: Tools, items: unknown): boolean {
  const { context, selection, filter, wanted } = tools;
  const { root, table, rows } = context;
  const turn = (position: Position): void => void selection.toggle({ length: 1, at: () => position }, 0);
  const { size } = table;
  // No row is there: it is selected where all are that are still to be read.
  const isTurned = selection.has(size);
  const held = tools.order.at(rows.active);
  const drop = (position: Position): void => {
    if (selection.has(position) !== isTurned) turn(position);
  };
  if (!Array.isArray(items) || !takeOtherItems(table, items, drop)) return false;
  // Nobody has seen what comes with another list.
  for (let position = size; isTurned && position < table.size; position += 1)
    if (table.isRow(position) && selection.has(position)) turn(position);
  filter.apply(wanted);
  const place = placeOf(tools.order, held);
  if (place >= 0) follow(rows, place);
  else if (!filter.busy && rows.rowOf(root.activeElement)) leaveRows(root);
  return true;
}

/**
 * Turbo, htmx and others change what a server has drawn where it stands.
 *
 * @returns stops looking
 */
export function followMarkup({ element, readChildren }: EditorContext): () => void {
  const observer = new MutationObserver(() => {
    // A page may also clear away what was shown before the upgrade.
    if (element.querySelector(':scope > script') !== null) readChildren();
  });
  observer.observe(element, { childList: true, characterData: true, subtree: true });
  return () => void observer.disconnect();
}

/** What is listed has changed, by a word of the person or by itself: the keyboard stays on its item, or leaves the list with it. */
export function reorder({ context: { root, rows }, filter, order }: ToolsOfEditor): void {
  const held = rows.rowOf(root.activeElement);
  if (held !== undefined && order.at(held.place) !== held.position) {
    // What is found so far may not have come to it yet.
    if (filter.busy) return;
    const place = placeOf(order, held.position);
    if (place >= 0) follow(rows, place);
    else leaveRows(root);
  }
  rows.reorder();
}

/** The next key would be for the item that stands there now. */
function leaveRows(root: ShadowRoot): void {
  root.querySelector<HTMLElement>('.chip[aria-pressed=true]')?.focus({ preventScroll: true });
}

/** What the keyboard is in stands elsewhere now, and its row goes along. It is no part of the rows, which the first script has. */
function follow(rows: VirtualRows, place: Place): void {
  const { active, byPlace } = rows;
  const [held, other] = [byPlace.get(active), byPlace.get(place)];
  byPlace.delete(active);
  if (other !== undefined) byPlace.set(active, other);
  if (held !== undefined) byPlace.set(place, held);
  rows.active = place;
}

function placeOf(order: RowOrder, position: Position | undefined): Place {
  for (let place = 0; place < order.length; place += 1) if (order.at(place) === position) return place;
  return -1;
}

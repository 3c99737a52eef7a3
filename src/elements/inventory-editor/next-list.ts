import type { InventoryStore } from '../../client/inventory-store.js';
import type { ItemDraft } from '../../client/item-draft.js';
import { leaveUnkept, takeUnkept } from '../../client/unkept-drafts.js';
import type { ToolsOfEditor, Wanted } from './editor-context.js';

/** What a person was looking for, by the editor's root. */
const looked = new WeakMap<ShadowRoot, { readonly store: InventoryStore; readonly wanted: Wanted }>();

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
  const { text, filter, sort } = before.wanted;
  if (text !== '' || filter !== 'all' || sort !== 'given') tools.find(before.wanted);
  takeUnkept(root, tools.draft, store);
}

import type { Edit } from '../domain/edit.js';
import type { ItemId, Timestamp } from '../domain/item.js';
import { viewOf, type ConfirmedItem, type HostItem, type ItemView, type LocalEdit } from './item-view.js';

/**
 * What is known of each item, by who said it: the host's page, the proxy, and the person at this page. There is one
 * owner for each fact; what elements draw is derived from the three, frozen, and kept only to be compared by identity.
 */
export class ItemLedger {
  readonly #host = new Map<ItemId, HostItem>();
  readonly #confirmed = new Map<ItemId, ConfirmedItem>();
  readonly #local = new Map<ItemId, LocalEdit>();
  readonly #views = new Map<ItemId, ItemView>();
  readonly #onChange: (id: ItemId) => void;
  #openCount = 0;

  constructor(onChange: (id: ItemId) => void) {
    this.#onChange = onChange;
  }

  /** In the order in which they became known: the host's first. */
  get ids(): Iterable<ItemId> {
    return this.#views.keys();
  }

  /** Items whose newest edit is not on the portal. */
  get openCount(): number {
    return this.#openCount;
  }

  view(id: ItemId): ItemView {
    return this.#views.get(id) ?? this.#derive(id);
  }

  /** The newest edit that was made here and has not settled. */
  local(id: ItemId): LocalEdit | undefined {
    return this.#local.get(id);
  }

  /** `updated_at` of the value that a person sees, where that is no edit of their own. */
  base(id: ItemId): Timestamp | undefined {
    return this.#confirmed.get(id)?.updated_at ?? this.#host.get(id)?.updated_at;
  }

  hostLabel(id: ItemId): string | undefined {
    return this.#host.get(id)?.label;
  }

  giveHost(item: HostItem): void {
    this.#host.set(item.id, item);
    this.#refresh(item.id);
  }

  confirm(item: ConfirmedItem): void {
    // A listing that was asked for before a receipt came must not bring the old value back.
    const known = this.#confirmed.get(item.id);
    if (known !== undefined && Date.parse(known.updated_at) > Date.parse(item.updated_at)) return;
    this.#confirmed.set(item.id, Object.freeze({ ...item, label: item.label ?? known?.label }));
    this.#refresh(item.id);
  }

  setLocal(local: LocalEdit): void {
    this.#local.set(local.edit.id, local);
    this.#refresh(local.edit.id);
  }

  /** Moves the edit forward, unless a newer one of the same item has taken its place. */
  advance(edit: Pick<Edit, 'id' | 'edit_id'>, change: Partial<LocalEdit>): void {
    const local = this.#local.get(edit.id);
    if (local?.edit.edit_id === edit.edit_id) this.setLocal({ ...local, ...change });
  }

  dropLocal(id: ItemId): void {
    if (this.#local.delete(id)) this.#refresh(id);
  }

  /** Another person is here now. What the host's page says stays; nothing else does. */
  forget(): void {
    const ids = [...this.#views.keys()];
    this.#local.clear();
    this.#confirmed.clear();
    for (const id of ids) this.#refresh(id);
  }

  #derive(id: ItemId): ItemView {
    return viewOf(id, this.#host.get(id), this.#confirmed.get(id), this.#local.get(id));
  }

  #refresh(id: ItemId): void {
    const before = this.#views.get(id);
    const view = this.#derive(id);
    this.#views.set(id, view);
    this.#openCount += Number(isOpen(view)) - Number(before !== undefined && isOpen(before));
    this.#onChange(id);
  }
}

/** Edited, and not on the portal. */
function isOpen(view: ItemView): boolean {
  return view.writing === true || (view.truth !== undefined && view.truth !== 'on-portal');
}

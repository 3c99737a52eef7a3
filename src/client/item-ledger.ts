import type { Edit } from '../domain/edit.js';
import type { ItemId, Timestamp } from '../domain/item.js';
import { viewOf, type ConfirmedItem, type HostItem, type ItemView, type LocalEdit } from './item-view.js';

/**
 * What is known of each item, by who said it: the host's page, the operator's list, the proxy, and the person at this page.
 * There is one owner for each fact; what elements draw is derived from them, frozen, and kept only to be compared by
 * identity.
 */
export class ItemLedger {
  readonly #host = new Map<ItemId, HostItem>();
  readonly #listed = new Map<ItemId, HostItem>();
  readonly #confirmed = new Map<ItemId, ConfirmedItem>();
  readonly #local = new Map<ItemId, LocalEdit>();
  readonly #views = new Map<ItemId, ItemView>();
  readonly #onChange: (id: ItemId) => void;
  /** The moment of the last receipt of each item. */
  readonly #told = new Map<ItemId, number>();
  #moment = 0;
  #openCount = 0;

  constructor(onChange: (id: ItemId) => void) {
    this.#onChange = onChange;
  }

  /** In the order in which they became known: the host's first. */
  get ids(): Iterable<ItemId> {
    return new Set([...this.#host.keys(), ...this.#views.keys()]);
  }

  /** Items whose newest edit is not on the portal. */
  get openCount(): number {
    return this.#openCount;
  }

  /** Counts receipts: no clock is needed to say what came before what. */
  get moment(): number {
    return this.#moment;
  }

  view(id: ItemId): ItemView {
    return this.#views.get(id) ?? this.#derive(id);
  }

  /** The newest edit that was made here and has not settled. */
  local(id: ItemId): LocalEdit | undefined {
    return this.#local.get(id);
  }

  /** Edits that were made here and of which the last word is not told. */
  get unsettled(): Edit[] {
    return [...this.#local.values()]
      .filter(({ stage }) => stage === 'stored' || stage === 'handed-over')
      .map(({ edit }) => edit);
  }

  /** `updated_at` of the value that a person sees, where that is no edit of their own. */
  base(id: ItemId): Timestamp | undefined {
    return this.#confirmed.get(id)?.updated_at ?? this.#given(id)?.updated_at;
  }

  hostLabel(id: ItemId): string | undefined {
    return this.#given(id)?.label;
  }

  giveHost(item: HostItem): void {
    this.#host.set(item.id, item);
    this.#refresh(item.id);
  }

  /** What the operator's list says of an item that nobody has edited. */
  giveListed(item: HostItem): void {
    this.#listed.set(item.id, item);
    this.#refresh(item.id);
  }

  /** What a receipt says of an edit that was made here, unless somebody's newer edit is known already. */
  confirmEdit(item: ConfirmedItem): void {
    this.#moment += 1;
    this.#told.set(item.id, this.#moment);
    const known = this.#confirmed.get(item.id);
    if (known === undefined || Date.parse(known.updated_at) <= Date.parse(item.updated_at)) this.#confirm(item);
  }

  /**
   * What a listing says, older than before where an edit was discarded.
   *
   * @param asked the moment at which the listing was asked for: a receipt that came since then knows better
   */
  confirmListed(item: ConfirmedItem, asked: number): void {
    if ((this.#told.get(item.id) ?? 0) <= asked) this.#confirm(item);
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
    this.#listed.clear();
    this.#confirmed.clear();
    this.#views.clear();
    this.#openCount = 0;
    for (const id of this.#host.keys()) this.#views.set(id, this.#derive(id));
    for (const id of ids) this.#onChange(id);
  }

  #confirm(item: ConfirmedItem): void {
    const known = this.#confirmed.get(item.id);
    const { label = known?.label, group = known?.group } = item;
    this.#confirmed.set(item.id, Object.freeze({ ...item, label, group }));
    this.#refresh(item.id);
  }

  /** What is known without an edit: the list's value, shown as the host's page shows it. */
  #given(id: ItemId): HostItem | undefined {
    const host = this.#host.get(id);
    const listed = this.#listed.get(id);
    if (!host || !listed) return host ?? listed;
    const { available, updated_at } = listed.available === undefined ? host : listed;
    return { id, available, updated_at, label: host.label ?? listed.label, group: host.group ?? listed.group };
  }

  #derive(id: ItemId): ItemView {
    return viewOf(id, this.#given(id), this.#confirmed.get(id), this.#local.get(id));
  }

  #refresh(id: ItemId): void {
    const before = this.#views.get(id);
    const view = this.#derive(id);
    if (before !== undefined && saysTheSame(before, view)) return;
    this.#views.set(id, view);
    this.#openCount += Number(isOpen(view)) - Number(before !== undefined && isOpen(before));
    this.#onChange(id);
  }
}

/** Edited, and not on the portal. */
function isOpen(view: ItemView): boolean {
  return view.writing === true || (view.truth !== undefined && view.truth !== 'on-portal');
}

/** A listing or a receipt that repeats what is known is no change: nobody needs to draw again. */
function saysTheSame(before: ItemView, now: ItemView): boolean {
  const keys = Object.keys({ ...before, ...now }) as (keyof ItemView)[];
  return keys.every((key) => before[key] === now[key]);
}

import type { Edit, EditId } from '../../domain/edit.js';
import type { ItemId, Timestamp } from '../../domain/item.js';
import { type Truth, truthOf } from '../../domain/edit-state.js';
import {
  type ConfirmedItem,
  type HostItem,
  type HostSource,
  type ItemView,
  type LocalEdit,
  getLocalTruth,
  toItemView,
  toPortalValue,
} from './item-view.js';

/** Views are cached so that elements compare them by identity. At this size the cache is cleared, and drawn items refill it. */
const MAX_VIEWS = 4_000;

/**
 * The facts about each item by their source: the host's page, the operator's catalog, the proxy, and the person at this
 * page. Each fact has one owner; the view that elements draw is derived from the facts on request.
 *
 * A change costs the same with ten items and with a hundred thousand: nothing here iterates over all items.
 */
export class ItemStates {
  readonly #hosts = new Set<HostSource>();
  readonly #listed = new Map<ItemId, HostItem>();
  readonly #confirmed = new Map<ItemId, ConfirmedItem>();
  readonly #local = new Map<ItemId, LocalEdit>();
  readonly #known = new Set<ItemId>();
  readonly #open = new Set<ItemId>();
  readonly #attention = new Set<ItemId>();
  readonly #closed = new Map<ItemId, EditId>();
  readonly #views = new Map<ItemId, ItemView>();
  readonly #onChange: (id: ItemId) => void;
  /** Items that another person changed since the set was cleared. */
  readonly changedByOthers = new Set<ItemId>();
  /** The value of `receiptCount` at the last receipt of each item. */
  readonly #lastReceiptAt = new Map<ItemId, number>();
  #receiptCount = 0;
  #sessionEpoch = 0;

  constructor(onChange: (id: ItemId) => void) {
    this.#onChange = onChange;
  }

  /** Items that the proxy or this device knows, in the order in which they became known. */
  get knownIds(): ReadonlySet<ItemId> {
    return this.#known;
  }

  /** Items whose newest edit is not on the portal. */
  get open(): ReadonlySet<ItemId> {
    return this.#open;
  }

  /** Those of the open items that wait for a person's decision. */
  get attention(): ReadonlySet<ItemId> {
    return this.#attention;
  }

  /** Items that were closed together, and that have not changed since, with the change set that closed them. */
  get closed(): ReadonlyMap<ItemId, EditId> {
    return this.#closed;
  }

  /** The number of receipts so far. It orders receipts and requests without a clock. */
  get receiptCount(): number {
    return this.#receiptCount;
  }

  /** Changes with `forget`: the response to a request from before that belongs to another person's session. */
  get sessionEpoch(): number {
    return this.#sessionEpoch;
  }

  view(id: ItemId): ItemView {
    const cached = this.#views.get(id);
    if (cached !== undefined) return cached;
    if (this.#views.size >= MAX_VIEWS) this.#views.clear();
    const view = this.#derive(id);
    this.#views.set(id, view);
    return view;
  }

  /** The newest edit that was made here and has not settled. */
  local(id: ItemId): LocalEdit | undefined {
    return this.#local.get(id);
  }

  /** The newest state of the item's newest edit at the proxy. */
  confirmed(id: ItemId): ConfirmedItem | undefined {
    return this.#confirmed.get(id);
  }

  /** The newest edits that were made here and have not settled. */
  get locals(): Iterable<LocalEdit> {
    return this.#local.values();
  }

  /** The value without the edits of this page; `undefined` if a person has to decide about it. */
  settled(id: ItemId): boolean | undefined {
    const confirmed = this.#confirmed.get(id);
    if (confirmed === undefined) return this.#catalogItem(id)?.available;
    return truthOf(confirmed.state) === 'needs-attention' ? undefined : confirmed.available;
  }

  /** `updated_at` of the value that a person sees, edits of this page left out. */
  base(id: ItemId): Timestamp | undefined {
    const confirmed = this.#confirmed.get(id);
    // A conflict shows both values, so the person has seen the newer one.
    return confirmed?.theirs?.updated_at ?? confirmed?.updated_at ?? this.#catalogItem(id)?.updated_at;
  }

  /** The value of the host's page, for an item that the proxy has named no value of. */
  hostValue(id: ItemId): boolean | undefined {
    return this.#confirmed.has(id) ? undefined : this.#catalogItem(id)?.available;
  }

  /** Whether an element draws the item, or the host's page or the proxy names it. */
  isShown(id: ItemId): boolean {
    return this.#views.has(id) || this.#known.has(id) || this.#catalogItem(id) !== undefined;
  }

  label(id: ItemId): string | undefined {
    return this.#catalogItem(id)?.label;
  }

  /** @returns a function that removes the source */
  addHost(source: HostSource): () => void {
    this.#hosts.add(source);
    this.#refreshViews();
    return () => {
      if (this.#hosts.delete(source)) this.#refreshViews();
    };
  }

  /** Sets the catalog's entry of an item that has no edit, or no longer has one. @param asked see `confirmListed` */
  setCatalogItem(item: HostItem, asked: number): void {
    if (!isEqual(this.#listed.get(item.id), item)) {
      this.#listed.set(item.id, item);
      this.#refresh(item.id);
    }
    this.withdraw(item.id, asked);
  }

  /** Drops the edit of an item that a listing shows without one, or a whole listing leaves out. @param asked see `confirmListed` */
  withdraw(id: ItemId, asked: number): void {
    if ((this.#lastReceiptAt.get(id) ?? 0) <= asked && this.#confirmed.delete(id)) this.#refresh(id);
  }

  /** Applies the receipt of an edit of this page, unless a newer edit of the item is known. */
  confirmEdit(item: ConfirmedItem): void {
    this.#lastReceiptAt.set(item.id, ++this.#receiptCount);
    const known = this.#confirmed.get(item.id);
    // An edit without a time is not newer: the comparison with NaN is false.
    if (Date.parse(known?.updated_at ?? '') > Date.parse(item.updated_at)) return;
    const { portal_available = this.#portalValueBefore(item) } = item;
    this.#confirm({ ...item, portal_available });
  }

  /**
   * The response to a batch does not name the value on the portal. That value stays the known one until the proxy reports
   * another.
   */
  #portalValueBefore({ id, edit_id, state, delayed }: ConfirmedItem): boolean | undefined {
    if (state !== 'received' || delayed === true) return undefined;
    const known = this.#confirmed.get(id);
    if (known?.edit_id === edit_id) return known?.portal_available;
    // An older edit that is on its way may be delivered at any moment.
    return known?.state === 'received' ? undefined : toPortalValue(this.#catalogItem(id), known);
  }

  /**
   * Applies a row of a listing. The row may be older than the known edit, if that edit was discarded.
   *
   * @param asked the value of `receiptCount` at the request for the listing: a receipt that arrived later is newer than the
   *   row
   */
  applyListed(item: ConfirmedItem, asked: number): void {
    if ((this.#lastReceiptAt.get(item.id) ?? 0) <= asked) this.#confirm(item);
  }

  setLocal(local: LocalEdit): void {
    this.#local.set(local.edit.id, local);
    this.#refresh(local.edit.id);
  }

  /** Changes the local edit, unless a newer one of the same item has replaced it. */
  advance(edit: Pick<Edit, 'id' | 'edit_id'>, change: Partial<LocalEdit>): void {
    const local = this.#local.get(edit.id);
    if (local?.edit.edit_id === edit.edit_id) this.setLocal({ ...local, ...change });
  }

  /** Removes the local edit, unless a newer one of the same item has replaced it. */
  dropLocal({ id, edit_id }: Pick<Edit, 'id' | 'edit_id'>): void {
    if (this.#local.get(id)?.edit.edit_id === edit_id && this.#local.delete(id)) this.#refresh(id);
  }

  /** Drops all facts but those of the host's page, because another person has signed in. */
  forget(): void {
    const ids = new Set([...this.#known, ...this.#views.keys()]);
    this.#sessionEpoch += 1;
    const maps = [this.#local, this.#listed, this.#confirmed, this.#views];
    for (const facts of [...maps, this.#known, this.#open, this.#attention, this.#closed]) facts.clear();
    for (const id of ids) this.#onChange(id);
  }

  #confirm(item: ConfirmedItem): void {
    const known = this.#confirmed.get(item.id);
    if (item.state === 'discarded') {
      // A discarded edit has no value. The next listing names the valid one, if there is one.
      if (known?.edit_id === item.edit_id) this.withdraw(item.id, Infinity);
      return;
    }
    const { label = known?.label, group = known?.group } = item;
    const now = Object.freeze({ ...item, label, group });
    if (isEqual(known, now)) return;
    this.#confirmed.set(item.id, now);
    // A further state of the same edit is no news, and neither is an older edit that is valid again.
    if (item.by !== undefined && item.updated_at > (known?.updated_at ?? '')) this.changedByOthers.add(item.id);
    this.#refresh(item.id);
  }

  /** The item as the host's page or the operator's catalog describes it. */
  #catalogItem(id: ItemId): HostItem | undefined {
    const listed = this.#listed.get(id);
    for (const source of this.#hosts) {
      const host = source.find(id, listed);
      if (host !== undefined) return host;
    }
    return listed;
  }

  #derive(id: ItemId): ItemView {
    return toItemView(id, this.#catalogItem(id), this.#confirmed.get(id), this.#local.get(id));
  }

  #truth(id: ItemId): Truth | 'writing' | undefined {
    const local = this.#local.get(id);
    if (local !== undefined) return getLocalTruth(local.stage) ?? 'writing';
    const confirmed = this.#confirmed.get(id);
    return confirmed && truthOf(confirmed.state);
  }

  /** Updates everything that is derived from the facts of an item, and notifies if its view changed. */
  #refresh(id: ItemId): void {
    if (this.#listed.has(id) || this.#confirmed.has(id) || this.#local.has(id)) this.#known.add(id);
    const truth = this.#truth(id);
    setMembership(this.#open, id, truth !== undefined && truth !== 'on-portal');
    setMembership(this.#attention, id, truth === 'needs-attention');
    const closing = this.#local.has(id) ? undefined : this.#confirmed.get(id)?.closing;
    if (closing === undefined) this.#closed.delete(id);
    else this.#closed.set(id, closing);
    const cached = this.#views.get(id);
    if (cached !== undefined) {
      const view = this.#derive(id);
      if (isEqual(cached, view)) return;
      this.#views.set(id, view);
    }
    this.#onChange(id);
  }

  #refreshViews(): void {
    for (const id of [...this.#views.keys()]) this.#refresh(id);
  }
}

function setMembership(ids: Set<ItemId>, id: ItemId, isMember: boolean): void {
  if (isMember) ids.add(id);
  else ids.delete(id);
}

export function isEqual<T extends object>(before: T | undefined, now: T): boolean {
  // The first load takes this path for every item, so it must not list the fields.
  if (before === undefined) return false;
  const keys = Object.keys({ ...before, ...now }) as (keyof T)[];
  // The values of a conflict are objects, so they are compared by content.
  return keys.every((key) => before[key] === now[key] || JSON.stringify(before[key]) === JSON.stringify(now[key]));
}

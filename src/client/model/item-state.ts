import type { Edit } from '../../domain/edit.js';
import type { ItemId, Timestamp } from '../../domain/item.js';
import { type Truth, truthOf } from '../../domain/edit-state.js';
import {
  type ConfirmedItem,
  type HostItem,
  type HostSource,
  type ItemView,
  type LocalEdit,
  localTruth,
  viewOf,
} from './item-view.js';

/** Views kept to be compared by identity. Past that all are dropped, and what is still drawn is derived anew. */
const MOST_VIEWS = 4_000;

/**
 * What is known of each item, by who said it: the host's page, the operator's list, the proxy, and the person at this page.
 * There is one owner for each fact; what elements draw is derived from them when it is asked for.
 *
 * A change costs the same with ten items and with a hundred thousand: nothing here walks over all of them.
 */
export class ItemLedger {
  readonly #hosts = new Set<HostSource>();
  readonly #listed = new Map<ItemId, HostItem>();
  readonly #confirmed = new Map<ItemId, ConfirmedItem>();
  readonly #local = new Map<ItemId, LocalEdit>();
  readonly #known = new Set<ItemId>();
  readonly #open = new Set<ItemId>();
  readonly #attention = new Set<ItemId>();
  readonly #views = new Map<ItemId, ItemView>();
  readonly #onChange: (id: ItemId) => void;
  /** What somebody else has changed since it was cleared. */
  readonly news = new Set<ItemId>();
  /** The moment of the last receipt of each item. */
  readonly #told = new Map<ItemId, number>();
  #moment = 0;
  #person = 0;

  constructor(onChange: (id: ItemId) => void) {
    this.#onChange = onChange;
  }

  /** What the proxy or this device knows, in the order in which it became known. */
  get knownIds(): ReadonlySet<ItemId> {
    return this.#known;
  }

  /** Items whose newest edit is not on the portal. */
  get open(): ReadonlySet<ItemId> {
    return this.#open;
  }

  /** Of these, the ones that wait for a person's word. */
  get attention(): ReadonlySet<ItemId> {
    return this.#attention;
  }

  /** Counts receipts: no clock is needed to say what came before what. */
  get moment(): number {
    return this.#moment;
  }

  /** Another number after `forget`: an answer that was asked for before is about somebody else. */
  get person(): number {
    return this.#person;
  }

  view(id: ItemId): ItemView {
    const kept = this.#views.get(id);
    if (kept !== undefined) return kept;
    if (this.#views.size >= MOST_VIEWS) this.#views.clear();
    const view = this.#derive(id);
    this.#views.set(id, view);
    return view;
  }

  /** The newest edit that was made here and has not settled. */
  local(id: ItemId): LocalEdit | undefined {
    return this.#local.get(id);
  }

  /** What the proxy said last of the item's newest edit. */
  confirmed(id: ItemId): ConfirmedItem | undefined {
    return this.#confirmed.get(id);
  }

  /** The newest edits that were made here and have not settled. */
  get locals(): Iterable<LocalEdit> {
    return this.#local.values();
  }

  /** The value that is there without an edit made here, where nobody has to decide about it. */
  settled(id: ItemId): boolean | undefined {
    const confirmed = this.#confirmed.get(id);
    if (confirmed === undefined) return this.#given(id)?.available;
    return truthOf(confirmed.state) === 'needs-attention' ? undefined : confirmed.available;
  }

  /** `updated_at` of the value that a person sees, where that is no edit of their own. */
  base(id: ItemId): Timestamp | undefined {
    const confirmed = this.#confirmed.get(id);
    // Whoever is shown both values of a conflict has seen the newer one.
    return confirmed?.theirs?.updated_at ?? confirmed?.updated_at ?? this.#given(id)?.updated_at;
  }

  /** An element draws it, the host's page names it, or the proxy does. */
  isShown(id: ItemId): boolean {
    return this.#views.has(id) || this.#known.has(id) || this.#given(id) !== undefined;
  }

  label(id: ItemId): string | undefined {
    return this.#given(id)?.label;
  }

  /** @returns takes it back */
  addHost(source: HostSource): () => void {
    this.#hosts.add(source);
    this.#refreshViews();
    return () => {
      if (this.#hosts.delete(source)) this.#refreshViews();
    };
  }

  /** What the operator's list says of an item that no edit speaks for, or not any more. @param asked see `confirmListed` */
  giveListed(item: HostItem, asked: number): void {
    if (!saysTheSame(this.#listed.get(item.id), item)) {
      this.#listed.set(item.id, item);
      this.#refresh(item.id);
    }
    this.withdraw(item.id, asked);
  }

  /** A listing says that no edit speaks for it any more, or does not name it though it names all. @param asked see `confirmListed` */
  withdraw(id: ItemId, asked: number): void {
    if ((this.#told.get(id) ?? 0) <= asked && this.#confirmed.delete(id)) this.#refresh(id);
  }

  /** What a receipt says of an edit that was made here, unless somebody's newer edit is known already. */
  confirmEdit(item: ConfirmedItem): void {
    this.#told.set(item.id, ++this.#moment);
    const known = this.#confirmed.get(item.id);
    // What has no time is not newer.
    if (!(Date.parse(known?.updated_at ?? '') > Date.parse(item.updated_at))) this.#confirm(item);
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

  /** Unless a newer one of the same item has taken its place. */
  dropLocal({ id, edit_id }: Pick<Edit, 'id' | 'edit_id'>): void {
    if (this.#local.get(id)?.edit.edit_id === edit_id && this.#local.delete(id)) this.#refresh(id);
  }

  /** Another person is here now. What the host's page says stays; nothing else does. */
  forget(): void {
    const ids = new Set([...this.#known, ...this.#views.keys()]);
    this.#person += 1;
    const maps = [this.#local, this.#listed, this.#confirmed, this.#views];
    for (const facts of [...maps, this.#known, this.#open, this.#attention]) facts.clear();
    for (const id of ids) this.#onChange(id);
  }

  #confirm(item: ConfirmedItem): void {
    const known = this.#confirmed.get(item.id);
    if (item.state === 'discarded') {
      // Given up, it is nobody's word any more. Whose counts now, a listing says, if there is one.
      if (known?.edit_id === item.edit_id) this.withdraw(item.id, Infinity);
      return;
    }
    const { label = known?.label, group = known?.group } = item;
    const now = Object.freeze({ ...item, label, group });
    // A listing or a receipt that repeats what is known is no change.
    if (saysTheSame(known, now)) return;
    this.#confirmed.set(item.id, now);
    // The same word that has come one step further is not another one, and an older one that counts again is no news.
    if (item.by !== undefined && item.updated_at > (known?.updated_at ?? '')) this.news.add(item.id);
    this.#refresh(item.id);
  }

  /** What is known without an edit. */
  #given(id: ItemId): HostItem | undefined {
    const listed = this.#listed.get(id);
    for (const source of this.#hosts) {
      const host = source.find(id, listed);
      if (host !== undefined) return host;
    }
    return listed;
  }

  #derive(id: ItemId): ItemView {
    return viewOf(id, this.#given(id), this.#confirmed.get(id), this.#local.get(id));
  }

  #truth(id: ItemId): Truth | 'writing' | undefined {
    const local = this.#local.get(id);
    if (local !== undefined) return localTruth(local.stage) ?? 'writing';
    const confirmed = this.#confirmed.get(id);
    return confirmed && truthOf(confirmed.state);
  }

  /** A fact about this item is another one. What is drawn may be the same all the same. */
  #refresh(id: ItemId): void {
    if (this.#listed.has(id) || this.#confirmed.has(id) || this.#local.has(id)) this.#known.add(id);
    const truth = this.#truth(id);
    keep(this.#open, id, truth !== undefined && truth !== 'on-portal');
    keep(this.#attention, id, truth === 'needs-attention');
    const before = this.#views.get(id);
    if (before !== undefined) {
      const view = this.#derive(id);
      if (saysTheSame(before, view)) return;
      this.#views.set(id, view);
    }
    this.#onChange(id);
  }

  #refreshViews(): void {
    for (const id of [...this.#views.keys()]) this.#refresh(id);
  }
}

function keep(ids: Set<ItemId>, id: ItemId, wanted: boolean): void {
  if (wanted) ids.add(id);
  else ids.delete(id);
}

export function saysTheSame<T extends object>(before: T | undefined, now: T): boolean {
  // At the first load nothing is known of any item: its fields are not even listed.
  if (before === undefined) return false;
  const keys = Object.keys({ ...before, ...now }) as (keyof T)[];
  // The values of a conflict are objects, and as good as another that says the same.
  return keys.every((key) => before[key] === now[key] || JSON.stringify(before[key]) === JSON.stringify(now[key]));
}

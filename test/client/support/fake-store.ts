import type { EditorStore } from '../../../src/client/editor/editor-types.js';
import type { HostSource, ItemView } from '../../../src/client/model/item-view.js';
import { firstSnapshot } from '../../../src/client/store/store-snapshot.js';
import type { EditRequest } from '../../../src/client/store/create-edits.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import type { StoreListener } from '../../../src/client/model/subscriptions.js';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { LONG_AGO } from './items.js';

export const ANNA = toOwner('https://proxy.test/', { vendor: 'harbour-tours', subject: 'anna' });
export const BEN = toOwner('https://proxy.test/', { vendor: 'harbour-tours', subject: 'ben' });

/** A store that changes only when the test says so, in place of the proxy and other people. */
export class FakeStore implements EditorStore {
  /** The requests so far, in their order. */
  readonly sent: EditRequest[] = [];
  readonly locked = new Set<ItemId>();
  readonly #views = new Map<ItemId, ItemView>();
  readonly #sources = new Set<HostSource>();
  readonly #listeners = new Set<StoreListener>();
  #clock = Date.parse(LONG_AGO);
  #snapshot: EditorStore['snapshot'] = { ...firstSnapshot(ANNA), status: 'ready', complete: true };

  get snapshot(): EditorStore['snapshot'] {
    return this.#snapshot;
  }

  get knownIds(): ReadonlySet<ItemId> {
    return new Set(this.#views.keys());
  }

  get closed(): ReadonlyMap<ItemId, EditId> {
    return new Map([...this.#views].flatMap(([id, { closing }]) => (closing === undefined ? [] : [[id, closing]])));
  }

  view(id: ItemId): ItemView {
    const host = [...this.#sources].map((source) => source.find(id, undefined)).find((item) => item !== undefined);
    const known = this.#views.get(id);
    return { truth: undefined, available: host?.available, ...host, ...known, label: host?.label ?? known?.label, id };
  }

  canEdit(id?: ItemId): boolean {
    return this.#snapshot.canEdit && (id === undefined ? this.locked.size === 0 : !this.locked.has(id));
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  addHostItems(source: HostSource): () => void {
    this.#sources.add(source);
    return () => this.#sources.delete(source);
  }

  set(id: ItemId, available: boolean, label?: string): Promise<void> {
    return this.setSome([{ id, available, label }]);
  }

  setSome(changes: readonly EditRequest[]): Promise<void> {
    for (const change of changes) {
      this.sent.push(change);
      this.learn(change.id, { available: change.available, truth: 'on-device', by: undefined, closing: undefined });
    }
    return Promise.resolve();
  }

  /** Sets the view of an item, as the proxy or another person does. */
  learn(id: ItemId, view: Partial<ItemView>): void {
    this.#clock += 1;
    const before = this.#views.get(id) ?? { id, available: undefined, truth: undefined };
    this.#views.set(id, { ...before, updated_at: toTimestamp(this.#clock), ...view, id });
    this.#tell(id);
  }

  /** Another person has signed in. */
  turnTo(owner: string): void {
    const ids = [...this.#views.keys()];
    this.#views.clear();
    this.#snapshot = { ...this.#snapshot, owner };
    for (const id of ids) this.#tell(id);
    this.#tell(undefined);
  }

  update(change: Partial<EditorStore['snapshot']>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#tell(undefined);
  }

  #tell(id: ItemId | undefined): void {
    for (const listener of this.#listeners) listener(id);
  }
}

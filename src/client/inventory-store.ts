import type { Edit } from '../domain/edit.js';
import { toTimestamp, type ItemId } from '../domain/item.js';
import { isSettled } from '../domain/truth.js';
import type { Receipt, Session } from '../contract/widget.js';
import { BackOff } from './back-off.js';
import { newEditId } from './edit-id.js';
import { ownerOf, type EditQueue } from './edit-queue.js';
import { Handover } from './handover.js';
import { ItemLedger } from './item-ledger.js';
import type { HostItem, ItemView } from './item-view.js';
import type { ProxyClient } from './proxy-client.js';
import { ProxyFailure } from './proxy-failure.js';

/**
 * The headless brain behind all elements of a page that speak to one proxy as one person.
 *
 * Elements read frozen views, dispatch intents, and are told which items changed. Only a receipt moves an edit forward.
 * No timer ever takes an edit back.
 *
 * It deliberately does not draw, speak a language, or know which element asked.
 */
export type StoreStatus = 'loading' | 'ready' | 'unreachable' | 'signed-out';

export interface StoreSnapshot {
  readonly status: StoreStatus;
  /** Problem code behind a status that is not `ready`. */
  readonly problem?: string | undefined;
  readonly requestId?: string | undefined;
  readonly canEdit: boolean;
  /** Items whose newest edit is not on the portal. */
  readonly openCount: number;
}

/** `undefined`: the snapshot changed, not an item. */
export type StoreListener = (changed: ItemId | undefined) => void;

export interface StoreOptions {
  /** Base URL of the proxy: part of whose edits these are. */
  readonly proxy: string;
  readonly client: ProxyClient;
  readonly queue: EditQueue;
}

export class InventoryStore {
  readonly #options: StoreOptions;
  readonly #ledger = new ItemLedger((id) => {
    this.#tell(id);
  });
  readonly #listeners = new Set<StoreListener>();
  readonly #reconnect = new BackOff(1_000, 30_000);
  readonly #handover: Handover;
  #snapshot: StoreSnapshot = Object.freeze({ status: 'loading', canEdit: true, openCount: 0 });
  #session: Session | undefined;
  #connecting: Promise<void> | undefined;
  #users = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#handover = new Handover({
      client: options.client,
      queue: options.queue,
      onReceipt: (receipt) => this.#applyReceipt(receipt),
      onRefused: (edit, code) => {
        this.#ledger.advance(edit, { stage: 'refused', reason: code });
      },
      onFailure: (failure) => {
        this.#fail(failure);
      },
    });
  }

  get snapshot(): StoreSnapshot {
    return this.#snapshot;
  }

  /** Ids in the order in which they became known: the host's first. */
  get ids(): Iterable<ItemId> {
    return this.#ledger.ids;
  }

  view(id: ItemId): ItemView {
    return this.#ledger.view(id);
  }

  subscribe(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    if (this.#users++ === 0) this.#wakeUp();
    return () => {
      if (!this.#listeners.delete(listener)) return;
      if (--this.#users === 0) this.#rest();
    };
  }

  /** Adds what the host's page knows; a later word of the host on the same id replaces the earlier one. */
  addHostItems(items: Iterable<HostItem>): void {
    for (const item of items) this.#ledger.giveHost(item);
  }

  /** Takes one wish of a person. Resolves when the browser's storage has answered. */
  async set(id: ItemId, available: boolean, label?: string): Promise<void> {
    const before = this.#ledger.local(id);
    const unsent = before !== undefined && before.stage !== 'handed-over';
    const edit: Edit = Object.freeze({
      edit_id: newEditId(),
      id,
      available,
      updated_at: toTimestamp(Date.now()),
      base: unsent ? before.edit.base : this.#ledger.base(id),
      label: label ?? this.#ledger.hostLabel(id),
    });
    this.#ledger.setLocal({ edit, stage: 'writing', unsaved: false });
    const replaceable = unsent && !this.#handover.isSending(before.edit);
    const durable = await this.#options.queue.add(edit, replaceable ? before.edit.edit_id : undefined);
    this.#ledger.advance(edit, { stage: 'stored', unsaved: !durable });
    this.#handover.flush();
  }

  /** Sends an edit that the proxy refused once more, as a new edit. */
  async retry(id: ItemId): Promise<void> {
    const { available, truth } = this.view(id);
    if (available !== undefined && truth === 'needs-attention') await this.set(id, available);
  }

  /** Asks the proxy anew. */
  async refresh(): Promise<void> {
    this.#reconnect.reset();
    await this.#connect();
  }

  #wakeUp(): void {
    addEventListener('online', this.#onReturn);
    document.addEventListener('visibilitychange', this.#onReturn);
    addEventListener('beforeunload', this.#onLeave);
    void this.#connect();
  }

  #rest(): void {
    removeEventListener('online', this.#onReturn);
    document.removeEventListener('visibilitychange', this.#onReturn);
    removeEventListener('beforeunload', this.#onLeave);
    this.#reconnect.cancel();
    this.#handover.pause();
  }

  readonly #onReturn = (): void => {
    if (document.visibilityState === 'visible') void this.refresh();
  };

  /** Only where something would be lost: what IndexedDB has, survives. */
  readonly #onLeave = (event: BeforeUnloadEvent): void => {
    if (this.#options.queue.unsavedCount > 0) event.preventDefault();
  };

  #connect(): Promise<void> {
    this.#connecting ??= this.#load().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #load(): Promise<void> {
    const { client, proxy, queue } = this.#options;
    try {
      if (this.#session === undefined) await this.#loadQueue();
      const session = await client.session();
      if (await queue.adopt(ownerOf(proxy, session.vendor, session.subject))) this.#ledger.forget();
      this.#session = session;
      await this.#loadQueue();
      let cursor: string | undefined;
      do {
        const page = await client.list(cursor);
        for (const item of page.inventory) this.#ledger.confirm(item);
        cursor = page.next;
      } while (cursor !== undefined);
      this.#reconnect.reset();
      this.#update({
        status: 'ready',
        problem: undefined,
        requestId: undefined,
        canEdit: session.permissions.includes('edit'),
      });
      this.#handover.resume();
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      this.#fail(error);
    }
  }

  async #loadQueue(): Promise<void> {
    const newest = new Map((await this.#options.queue.rows()).map((row) => [row.id, row]));
    for (const row of newest.values()) {
      const known = this.#ledger.local(row.id);
      if (known !== undefined && known.edit.edit_id === row.edit_id) continue;
      // An edit made while the rows were read is newer than all of them.
      if (known?.stage === 'writing') continue;
      this.#ledger.setLocal({ edit: row, stage: row.stage, unsaved: false, reason: row.reason });
    }
  }

  #fail(failure: ProxyFailure): void {
    const signedOut = failure.code === 'session_refused';
    this.#handover.pause();
    this.#update({
      status: signedOut ? 'signed-out' : 'unreachable',
      problem: failure.code,
      requestId: failure.requestId,
    });
    if (this.#users > 0) this.#reconnect.plan(() => void this.#connect());
  }

  async #applyReceipt(receipt: Receipt): Promise<void> {
    const { id, edit_id, updated_at, state, reason, delayed } = receipt;
    const local = this.#ledger.local(id);
    const newest = local?.edit.edit_id === edit_id;
    const told = { id, available: local?.edit.available ?? false, updated_at, state, reason, delayed };
    if (!isSettled(state)) {
      await this.#options.queue.mark(edit_id, 'handed-over');
      if (!newest) return;
      this.#ledger.confirm(told);
      this.#ledger.advance(local.edit, { stage: 'handed-over', delayed, reason });
      return;
    }
    await this.#options.queue.remove(edit_id);
    if (!newest) return;
    if (state === 'superseded' || state === 'discarded') {
      // Somebody else's newer edit counts now, and only the proxy knows it.
      this.#ledger.dropLocal(id);
      void this.refresh();
      return;
    }
    this.#ledger.confirm(told);
    this.#ledger.dropLocal(id);
  }

  #tell(changed: ItemId | undefined): void {
    const { openCount } = this.#ledger;
    if (openCount !== this.#snapshot.openCount) this.#snapshot = Object.freeze({ ...this.#snapshot, openCount });
    for (const listener of this.#listeners) listener(changed);
  }

  #update(change: Partial<StoreSnapshot>): void {
    this.#snapshot = Object.freeze({ ...this.#snapshot, ...change });
    this.#tell(undefined);
  }
}

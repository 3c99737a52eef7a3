import type { Edit } from '../domain/edit.js';
import { toTimestamp, type ItemId } from '../domain/item.js';
import { isSettled, truthOf } from '../domain/truth.js';
import { isEdited, type Receipt, type Session } from '../contract/widget.js';
import { Connection } from './connection.js';
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
  /** Whose edits are shown and counted. */
  readonly owner: string;
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
  readonly #connection = new Connection(
    () => this.#load(),
    () => this.#options.queue.unsavedCount === 0,
  );
  readonly #handover: Handover;
  #snapshot: StoreSnapshot;
  #session: Session | undefined;
  #users = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#snapshot = Object.freeze({ status: 'loading', canEdit: true, owner: options.queue.owner, openCount: 0 });
    this.#handover = new Handover({
      client: options.client,
      queue: options.queue,
      shown: () => this.#ledger.unsettled,
      onReceipt: (receipt) => this.#applyReceipt(receipt),
      onRefused: (edit, code) => {
        this.#ledger.advance(edit, { stage: 'refused', reason: code });
      },
      onLost: (edit) => {
        this.#ledger.advance(edit, { stage: 'stored', delayed: undefined, reason: undefined });
      },
      onDone: () => {
        this.#connection.wentWell();
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
    if (this.#users++ === 0) this.#connection.open();
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
      label: this.#ledger.hostLabel(id) ?? label ?? before?.edit.label,
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
  refresh(): Promise<void> {
    return this.#connection.refresh();
  }

  #rest(): void {
    this.#connection.close();
    this.#handover.pause();
  }

  async #load(): Promise<() => void> {
    const { client, proxy, queue } = this.#options;
    try {
      if (this.#session === undefined) await this.#loadQueue();
      const session = await client.session();
      if (await queue.adopt(ownerOf(proxy, session.vendor, session.subject))) this.#ledger.forget();
      this.#session = session;
      await this.#loadQueue();
      let cursor: string | undefined;
      do {
        const asked = this.#ledger.moment;
        const page = await client.list(cursor);
        for (const item of page.inventory) {
          if (isEdited(item)) this.#ledger.confirmListed(item, asked);
          else this.#ledger.giveListed(item);
        }
        cursor = page.next;
      } while (cursor !== undefined);
      return () => {
        this.#succeed(session);
      };
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      return () => {
        this.#fail(error);
      };
    }
  }

  async #loadQueue(): Promise<void> {
    const newest = new Map((await this.#options.queue.rows()).map((row) => [row.id, row]));
    for (const row of newest.values()) {
      const known = this.#ledger.local(row.id);
      const { edit_id, stage, reason } = row;
      // An edit made while the rows were read is newer than all of them.
      if (known?.stage === 'writing') continue;
      if (known?.edit.edit_id !== edit_id) {
        this.#ledger.setLocal({ edit: row, stage, unsaved: this.#options.queue.isUnsaved(edit_id), reason });
      } else if (known.stage !== stage) {
        // Another tab has moved it on.
        this.#ledger.advance(row, { stage, reason });
      }
    }
  }

  #succeed(session: Session): void {
    const canEdit = session.permissions.includes('edit');
    this.#update({ status: 'ready', problem: undefined, requestId: undefined, canEdit });
    if (this.#connection.isOpen) this.#handover.resume();
  }

  #fail(failure: ProxyFailure): void {
    this.#handover.pause();
    if (failure.code === 'session_changed' && this.#connection.isOpen) {
      void this.#connection.loadAnew();
      return;
    }
    this.#update({
      status: failure.code === 'session_refused' ? 'signed-out' : 'unreachable',
      problem: failure.code,
      requestId: failure.requestId,
    });
    this.#connection.loadLater();
  }

  async #applyReceipt(receipt: Receipt): Promise<void> {
    const { id, edit_id, updated_at, state, reason, delayed } = receipt;
    const { queue } = this.#options;
    await (isSettled(state) ? queue.remove(edit_id) : queue.mark(edit_id, 'handed-over'));
    const local = this.#ledger.local(id);
    // A newer wish, perhaps of this very moment, has its own receipt to wait for.
    if (local?.edit.edit_id !== edit_id) return;
    this.#ledger.confirmEdit({ id, available: local.edit.available, updated_at, state, reason, delayed });
    if (isSettled(state)) this.#ledger.dropLocal(id);
    else this.#ledger.advance(local.edit, { stage: 'handed-over', delayed, reason });
    // Another edit counts now, and only a listing that is asked for from here on knows it.
    if (truthOf(state) === undefined) void this.#connection.loadAnew();
  }

  #tell(changed: ItemId | undefined): void {
    const { openCount } = this.#ledger;
    const { owner } = this.#options.queue;
    const known = this.#snapshot;
    if (openCount !== known.openCount || owner !== known.owner) {
      this.#snapshot = Object.freeze({ ...known, openCount, owner });
    }
    for (const listener of this.#listeners) listener(changed);
  }

  #update(change: Partial<StoreSnapshot>): void {
    this.#snapshot = Object.freeze({ ...this.#snapshot, ...change });
    this.#tell(undefined);
  }
}

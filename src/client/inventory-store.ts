import type { ItemId } from '../domain/item.js';
import { isInScope } from '../domain/scope.js';
import type { Session } from '../contract/widget.js';
import { Connection } from './connection.js';
import type { EditQueue } from './edit-queue.js';
import { giveUp } from './give-up.js';
import { ItemLedger, type HostSource } from './item-ledger.js';
import type { ItemView } from './item-view.js';
import { Loader } from './loader.js';
import type { ProxyClient } from './proxy-client.js';
import { ProxyFailure } from './proxy-failure.js';
import { loadAfterLoad, Sender } from './sender.js';
import { firstSnapshot, SIGNED_OUT, withCounts, type StoreSnapshot } from './store-snapshot.js';
import { StoreAudience, type StoreListener } from './store-audience.js';
import type { Updates, UpdatesOptions } from './updates.js';
import { Wishes, type Wish } from './wishes.js';

/**
 * The headless brain behind all elements of a page that speak to one proxy as one person.
 *
 * Elements read frozen views, dispatch intents, and are told which items changed. Only a receipt moves an edit forward.
 * No timer ever takes an edit back.
 *
 * It deliberately does not draw, speak a language, or know which element asked.
 */
export interface StoreOptions {
  /** Base URL of the proxy: part of whose edits these are. */
  readonly proxy: string;
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  /** Hears of changes as they happen; else it asks when there is a reason to. */
  readonly live: boolean;
}

export class InventoryStore {
  readonly #ledger = new ItemLedger((id) => void this.#tell(id));
  readonly #audience = new StoreAudience();
  /** Whoever wants to be asked to say what others change. */
  readonly heralds = this.#audience.heralds;
  readonly #connection = new Connection(
    () => this.#load(),
    () => this.#parts.queue.unsavedCount === 0,
    () => void this.#parts.sender.leave(),
  );
  readonly #wishes: Wishes;
  readonly #parts: UpdatesOptions & StoreOptions & { readonly sender: Sender };
  #updates: Updates | undefined;
  #snapshot: StoreSnapshot;
  #signedOut = false;
  #scope: readonly string[] | undefined;
  /** Whose listing is complete. */
  #person = 0;

  constructor(options: StoreOptions) {
    this.#snapshot = firstSnapshot(options.queue.owner);
    this.#wishes = new Wishes(this.#ledger, options.queue);
    const parts = {
      ...options,
      ledger: this.#ledger,
      audience: this.#audience,
      isComplete: () => this.#snapshot.complete,
      loader: new Loader(options, this.#ledger),
      onReset: () => void this.#loadAll(),
      onFailure: (failure: ProxyFailure) => void this.#fail(failure),
      onDone: () => void this.#connection.wentWell(),
      isLive: () => this.#updates?.isLive === true,
      mayEdit: this.mayEdit.bind(this),
    };
    this.#parts = { ...parts, sender: new Sender(parts) };
  }

  get snapshot(): StoreSnapshot {
    return this.#snapshot;
  }

  /** What the proxy or this device knows, in the order in which it became known. */
  get knownIds(): Iterable<ItemId> {
    return this.#ledger.knownIds;
  }

  /** Items whose newest edit is not on the portal. */
  get openIds(): ReadonlySet<ItemId> {
    return this.#ledger.open;
  }

  /** Of these, the ones that wait for a person's word. */
  get attentionIds(): ReadonlySet<ItemId> {
    return this.#ledger.attention;
  }

  /** Frozen, and the same object while nothing about the item changes. */
  view(id: ItemId): ItemView {
    return this.#ledger.view(id);
  }

  /** Whether the proxy would take an edit of this item, or of every one, from whoever is here, as far as that is known. */
  mayEdit(id?: ItemId): boolean {
    return this.#snapshot.canEdit && (id === undefined ? this.#scope === undefined : isInScope(this.#scope, id));
  }

  /** @param id only this item's changes and the snapshot's @returns takes the listener away */
  subscribe(listener: StoreListener, id?: ItemId): () => void {
    const leave = this.#audience.add(listener, id);
    if (this.#audience.size === 1) this.#connection.open();
    return () => {
      if (!leave() || this.#audience.size > 0) return;
      this.#connection.close();
      this.#updates?.stop();
      this.#parts.sender.pause();
    };
  }

  /** Adds what the host's page knows, or looks at it anew. @returns takes it back */
  addHostItems(source: HostSource): () => void {
    return this.#ledger.addHost(source);
  }

  /** Takes one wish of a person. Resolves when the browser's storage has answered. */
  async set(id: ItemId, available: boolean, label?: string): Promise<void> {
    await this.#wishes.take([{ id, available, label }]);
    this.#parts.sender.flush();
  }

  /** Takes many wishes at once, and leaves out what an item is already. Resolves when storage has answered. */
  async setMany(wishes: Iterable<Wish>): Promise<void> {
    await this.#wishes.takeMany(wishes);
    this.#parts.sender.flush();
  }

  /** Sends an edit that needs attention once more, as a new edit. @returns whether there is one */
  async retry(id: ItemId): Promise<boolean> {
    const { available, truth } = this.view(id);
    if (available === undefined || truth !== 'needs-attention') return false;
    await this.set(id, available);
    return true;
  }

  /**
   * Gives up an edit that has not left this device, or that waits for a person's word.
   *
   * @returns whether it is gone; where not, it is on its way, or the proxy cannot be asked now
   */
  async discard(id: ItemId): Promise<boolean> {
    try {
      return await giveUp(id, this.#ledger, this.#parts, () => this.#loadAll());
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      this.#fail(error);
      return false;
    }
  }

  /** The person's choice where two values stand against each other. @returns whether it could be carried out */
  resolve(id: ItemId, keep: 'mine' | 'theirs'): Promise<boolean> {
    // Mine is made on what the person has just been shown, so it is no conflict again.
    return keep === 'mine' ? this.retry(id) : this.discard(id);
  }

  /**
   * Ends the session at this page. What waits is sent first; where something cannot be, nothing happens unless it may be
   * deleted.
   *
   * @returns how many edits have not left this device, 0 when the person is signed out
   */
  async signOut(deleteUnsent = false): Promise<number> {
    const { client, queue } = this.#parts;
    const unsent = deleteUnsent ? 0 : await this.#parts.sender.sendNow();
    if (unsent > 0) return unsent;
    this.#parts.sender.pause();
    this.#signedOut = true;
    await queue.wipe();
    this.#updates?.stop();
    await client.signOut();
    this.#ledger.forget();
    this.#update(SIGNED_OUT);
    return 0;
  }

  /** Asks the proxy anew; after a sign-out, for whoever is signed in at the host now. */
  refresh(): Promise<void> {
    this.#signedOut = false;
    this.#parts.loader.startAnew();
    return this.#connection.refresh();
  }

  #loadAll(): Promise<void> {
    this.#parts.loader.startAnew();
    return this.#connection.loadAnew();
  }

  async #load(): Promise<() => void> {
    if (this.#signedOut) return () => undefined;
    try {
      await this.#parts.loader.load((session) => void this.#meet(session));
      return () => void this.#succeed();
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      return () => void this.#fail(error);
    }
  }

  #meet({ items, permissions }: Session): void {
    const canEdit = permissions.includes('edit');
    const known = JSON.stringify([this.#scope, this.#snapshot.permissions, this.#snapshot.canEdit]);
    this.#scope = items;
    if (known !== JSON.stringify([items, permissions, canEdit])) this.#update({ permissions, canEdit });
  }

  #succeed(): void {
    this.#person = this.#ledger.person;
    this.#update({ status: 'ready', complete: true, problem: undefined, requestId: undefined });
    if (!this.#connection.isOpen) return;
    this.#parts.sender.resume();
    if (this.#parts.live) void this.#stayUpToDate();
  }

  async #stayUpToDate(): Promise<void> {
    // Where it does not come through, edits are followed by asking, and the next load tries again.
    const part = await loadAfterLoad().catch(() => undefined);
    this.#updates ??= part && new part.Updates(this.#parts);
    if (this.#connection.isOpen && !this.#signedOut) this.#updates?.start();
  }

  #fail(failure: ProxyFailure): void {
    this.#parts.sender.pause();
    if (failure.code === 'session_changed' && this.#connection.isOpen) return void this.#connection.loadAnew();
    const { code: problem, requestId, retryAfterMs } = failure;
    const isRefused = problem === 'session_refused';
    this.#update({ status: isRefused ? 'signed-out' : 'unreachable', problem, requestId });
    // Nothing but the person can end a refused session: coming back to the page asks again, a timer would only knock.
    if (isRefused) this.#updates?.stop();
    else this.#connection.loadLater(retryAfterMs);
  }

  #tell(changed: ItemId | undefined): void {
    this.#snapshot = withCounts(this.#snapshot, {
      openCount: this.#ledger.open.size,
      attentionCount: this.#ledger.attention.size,
      owner: this.#parts.queue.owner,
      complete: this.#snapshot.complete && this.#person === this.#ledger.person,
    });
    this.#audience.tell(changed);
  }

  #update(change: Partial<StoreSnapshot>): void {
    this.#snapshot = Object.freeze({ ...this.#snapshot, ...change });
    this.#tell(undefined);
  }
}

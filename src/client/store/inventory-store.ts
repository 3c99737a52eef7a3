import { ItemLedger } from '../model/item-state.js';
import type { ItemId } from '../../domain/item.js';
import { isInScope } from '../../domain/item-scope.js';
import type { Session } from '../../contract/widget.js';
import { Connection } from './connection.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { HostSource, ItemView } from '../model/item-view.js';
import { InventoryLoader } from '../sync/inventory-loader.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { ApiError } from '../api/api-error.js';
import { loadAfterLoad, Sender } from '../queue/sender.js';
import { Subscriptions, type StoreListener } from '../model/subscriptions.js';
import type { LiveUpdates, UpdatesOptions } from '../sync/live-updates.js';
import { type Wish, Wishes } from './create-edits.js';
import { EditDecisions } from './edit-decisions.js';
import { signOut, type SigningOut } from './sign-out.js';
import { firstSnapshot, withCounts, type StoreSnapshot } from './store-snapshot.js';
import { toJson } from '../to-json.js';

export interface StoreOptions {
  /** Base URL of the proxy: part of whose edits these are. */
  readonly proxy: string;
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  /** Hears of changes as they happen; else it asks when there is a reason to. */
  readonly live: boolean;
}

/** For what is loaded on demand; elements leave them alone. */
export type StoreParts = UpdatesOptions & StoreOptions & { readonly sender: Sender };

/**
 * The headless brain behind all elements of a page that speak to one proxy as one person.
 *
 * Elements read frozen views, dispatch intents, and are told which items changed. Only a receipt moves an edit forward.
 * No timer ever takes an edit back.
 *
 * It deliberately does not draw, speak a language, or know which element asked.
 */
export class InventoryStore {
  readonly #ledger = new ItemLedger((id) => void this.#tell(id));
  readonly #subscriptions = new Subscriptions();
  /** Whoever wants to be asked to say what others change. */
  readonly announcers = this.#subscriptions.announcers;
  readonly #connection = new Connection(
    () => this.#load(),
    () => this.#parts.queue.unsavedCount === 0,
    () => {
      this.#parts.sender.leave();
      // The browser may keep the page for the way back, and somebody else may take that.
      this.#parts.client.forget();
    },
  );
  readonly #wishes: Wishes;
  readonly #decisions: EditDecisions;
  readonly #parts: StoreParts;
  #updates: LiveUpdates | undefined;
  #snapshot: StoreSnapshot;
  /** What is to be done when somebody asks for something again; nothing is asked or sent until then. */
  #onReturn: (() => void) | undefined;
  #scope: readonly string[] | undefined;
  /** Whose listing is complete. */
  #person = 0;
  /** It is known who is here, and nothing has failed since. */
  #isWell = false;

  constructor(options: StoreOptions) {
    this.#snapshot = firstSnapshot(options.queue.owner);
    this.#wishes = new Wishes(this.#ledger, options.queue);
    const parts = {
      ...options,
      ledger: this.#ledger,
      subscriptions: this.#subscriptions,
      isComplete: () => this.#snapshot.complete,
      loader: new InventoryLoader(options, this.#ledger),
      onReset: () => void this.readAnew(),
      onFailure: (failure: ApiError) => {
        this.#parts.sender.pause();
        this.#fail(failure);
      },
      // Before the listing is there, not everything went well.
      onDone: () => void (this.#snapshot.status === 'ready' && this.#connection.wentWell()),
      isLive: () => this.#updates?.isLive === true,
      mayEdit: this.mayEdit.bind(this),
    };
    this.#parts = { ...parts, sender: new Sender(parts) };
    this.#decisions = new EditDecisions({
      ...parts,
      set: (id, available) => this.set(id, available),
      readAnew: () => this.readAnew(),
    });
  }

  /** For tests, which look at the store from the inside. */
  get parts(): StoreParts {
    return this.#parts;
  }

  get snapshot(): StoreSnapshot {
    return this.#snapshot;
  }

  /** What the proxy or this device knows, in the order in which it became known. */
  get knownIds(): ReadonlySet<ItemId> {
    return this.#ledger.knownIds;
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
    const leave = this.#subscriptions.add(listener, id);
    if (this.#subscriptions.size === 1) this.#connection.open();
    return () => {
      if (!leave() || this.#subscriptions.size > 0) return;
      this.#connection.close();
      this.#updates?.stop();
      // A host's page that goes somewhere else by script has no `pagehide`.
      this.#parts.sender.leave();
      this.#parts.sender.pause();
    };
  }

  /** Adds what the host's page knows, or looks at it anew. @returns takes it back */
  addHostItems(source: HostSource): () => void {
    return this.#ledger.addHost(source);
  }

  /** Takes one wish of a person. Resolves when the browser's storage has answered. */
  set(id: ItemId, available: boolean, label?: string): Promise<void> {
    return this.setSome([{ id, available, label }]);
  }

  /** @param wishes of different items, at most 1,000 */
  async setSome(wishes: readonly Wish[]): Promise<void> {
    await this.#wishes.take(wishes);
    this.#parts.sender.flush();
  }

  /** Sends an edit that needs attention once more. @returns whether there is one */
  retry(id: ItemId): Promise<boolean> {
    return this.#decisions.retry(id);
  }

  /** Gives an edit up. @returns whether it is gone */
  discard(id: ItemId): Promise<boolean> {
    return this.#decisions.discard(id);
  }

  /** Where two values stand against each other. @returns whether it could be carried out */
  resolve(id: ItemId, keep: 'mine' | 'theirs'): Promise<boolean> {
    return this.#decisions.resolve(id, keep);
  }

  /** Takes first values back that were not sent. @returns how many */
  withdraw(ids: readonly ItemId[]): Promise<number> {
    return this.#decisions.withdraw(ids);
  }

  /** Items whose newest edit is not on the portal. */
  get openIds(): ReadonlySet<ItemId> {
    return this.#ledger.open;
  }

  /** Edits that have not left this device. */
  get unsentCount(): number {
    return this.#parts.queue.known.filter(({ stage }) => stage !== 'handed-over').length;
  }

  /**
   * Ends the session at this page.
   *
   * @param deleteUnsent whether what cannot be sent may be deleted
   * @returns how many edits have not left this device, 0 when the person is signed out
   */
  signOut(deleteUnsent = false): Promise<number> {
    const session: SigningOut = {
      ...this.#parts,
      canEdit: this.#snapshot.canEdit,
      update: (change) => void this.#update(change),
      rest: (onReturn) => {
        this.#parts.sender.pause();
        this.#onReturn = onReturn;
      },
      stopUpdates: () => void this.#updates?.stop(),
      refresh: () => this.refresh(),
    };
    return signOut(session, deleteUnsent);
  }

  /** Asks the proxy anew; after a sign-out, for whoever is signed in at the host now. */
  refresh(): Promise<void> {
    this.#onReturn?.();
    this.#onReturn = undefined;
    return this.readAnew();
  }

  /** Reads the whole listing again. */
  readAnew(): Promise<void> {
    return this.#connection.loadAnew(() => {
      this.#parts.loader.forgetListing();
    });
  }

  get #isResting(): boolean {
    return this.#onReturn !== undefined;
  }

  async #load(): Promise<() => void> {
    if (this.#isResting) return () => undefined;
    this.#isWell = false;
    try {
      await this.#parts.loader.load(
        () => this.#isResting,
        (session) => void this.#meet(session),
      );
      return () => void this.#succeed();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return () => void this.#fail(error);
    }
  }

  #meet({ items, permissions }: Session): void {
    const canEdit = permissions.includes('edit');
    const known = toJson([this.#scope, this.#snapshot.canEdit]);
    this.#scope = items;
    if (known !== toJson([items, canEdit])) this.#update({ canEdit });
    this.#isWell = true;
    // What waits does not wait for the listing, which may be long, or never come whole.
    if (this.#connection.isOpen) this.#parts.sender.start();
  }

  #succeed(): void {
    if (this.#isResting) return;
    this.#person = this.#ledger.sessionEpoch;
    // What was sent meanwhile, and is tried again in its time.
    const isWell = this.#isWell;
    this.#update({ complete: true, ...(isWell && { status: 'ready', problem: undefined, requestId: undefined }) });
    if (!this.#connection.isOpen || !isWell) return;
    this.#parts.sender.resume();
    if (this.#parts.live) void this.#stayUpToDate();
  }

  async #stayUpToDate(): Promise<void> {
    // Where it does not come through, edits are followed by asking, and the next load tries again.
    const part = await loadAfterLoad().catch(() => undefined);
    this.#updates ??= part && new part.LiveUpdates(this.#parts);
    if (this.#connection.isOpen && !this.#isResting) this.#updates?.start();
  }

  #fail(failure: ApiError): void {
    // Where it is known who is here, what waits may go all the same.
    if (!this.#isWell || failure.isRefused) this.#parts.sender.pause();
    this.#isWell = false;
    // Whoever has signed out is told nothing more.
    if (this.#isResting) return;
    // Somebody else is there. Not at once: where a cache on the way, or the host, names now the one and now the other, it
    // would never end.
    if (failure.code === 'session_changed') return void this.#connection.loadLater();
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
      complete: this.#snapshot.complete && this.#person === this.#ledger.sessionEpoch,
    });
    this.#subscriptions.notify(changed);
  }

  #update(change: Partial<StoreSnapshot>): void {
    this.#snapshot = Object.freeze({ ...this.#snapshot, ...change });
    this.#tell(undefined);
  }
}

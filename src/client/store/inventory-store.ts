import { ItemStates } from '../model/item-state.js';
import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { isInScope } from '../../domain/item-scope.js';
import type { Session } from '../../contract/widget.js';
import { Connection } from './connection.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import type { HostSource, ItemView } from '../model/item-view.js';
import { InventoryLoader } from '../sync/inventory-loader.js';
import type { HttpRequest } from '../api/http.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { ApiError } from '../api/api-error.js';
import { loadAfterLoad, Sender } from '../queue/sender.js';
import { Subscriptions, type StoreListener } from '../model/subscriptions.js';
import type { LiveUpdates, UpdatesOptions } from '../sync/live-updates.js';
import { type EditRequest, EditCreator } from './create-edits.js';
import { EditDecisions } from './edit-decisions.js';
import { signOut, type SigningOut } from './sign-out.js';
import { firstSnapshot, withCounts, type StoreSnapshot } from './store-snapshot.js';
import { toJson } from '../to-json.js';

export interface StoreOptions {
  /** Base URL of the proxy, which is part of the owner of edits. */
  readonly proxy: string;
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  /** Whether to receive changes by other people as they happen. Otherwise they show after the next load. */
  readonly live: boolean;
}

/** The parts of the store for modules that are loaded on demand. */
type StoreParts = UpdatesOptions & StoreOptions & { readonly sender: Sender };

/**
 * The headless store behind all elements of a page that use one proxy as one person.
 *
 * Elements read frozen views, call methods, and are notified of the items that changed. Only a receipt moves an edit
 * forward. No timer ever discards an edit.
 *
 * The store deliberately does not render, has no texts, and does not know which element called it.
 */
export class InventoryStore {
  readonly #itemStates = new ItemStates((id) => void this.#notify(id));
  readonly #subscriptions = new Subscriptions();
  /** The elements that can announce changes by other people. */
  readonly announcers = this.#subscriptions.announcers;
  readonly #connection = new Connection(
    () => this.#load(),
    () => this.#parts.queue.unsavedCount === 0,
    () => {
      this.#parts.sender.leave();
      // The page may return from the back/forward cache with another person signed in, so its token is dropped.
      this.#parts.client.forget();
    },
  );
  readonly #creator: EditCreator;
  readonly #decisions: EditDecisions;
  readonly #parts: StoreParts;
  #updates: LiveUpdates | undefined;
  #snapshot: StoreSnapshot;
  /** Set after a sign-out: called at the next refresh. Until then the store requests and sends nothing. */
  #onReturn: (() => void) | undefined;
  #scope: readonly string[] | undefined;
  #subject: string | undefined;
  /** The session epoch of the complete listing. */
  #listedEpoch = 0;
  /** The person is known, and no request has failed since. */
  #isHealthy = false;

  constructor(options: StoreOptions) {
    this.#snapshot = firstSnapshot(options.queue.owner);
    this.#creator = new EditCreator(this.#itemStates, options.queue);
    const parts = {
      ...options,
      itemStates: this.#itemStates,
      subscriptions: this.#subscriptions,
      isComplete: () => this.#snapshot.complete,
      loader: new InventoryLoader(options, this.#itemStates),
      onReset: () => void this.reloadListing(),
      onFailure: (failure: ApiError) => {
        this.#parts.sender.pause();
        this.#fail(failure);
      },
      // Until the listing is loaded, the back-off is not reset.
      onDone: () => void (this.#snapshot.status === 'ready' && this.#connection.onSuccess()),
      isLive: () => this.#updates?.isLive === true,
      canEdit: this.canEdit.bind(this),
    };
    this.#parts = { ...parts, sender: new Sender(parts) };
    this.#decisions = new EditDecisions({
      ...parts,
      set: (id, available) => this.set(id, available),
      reloadListing: () => this.reloadListing(),
    });
  }

  get snapshot(): StoreSnapshot {
    return this.#snapshot;
  }

  /** Items that the proxy or this device knows, in the order in which they became known. */
  get knownIds(): ReadonlySet<ItemId> {
    return this.#itemStates.knownIds;
  }

  /** Frozen, and the same object while nothing about the item changes. */
  view(id: ItemId): ItemView {
    return this.#itemStates.view(id);
  }

  /** Whether the person may edit this item, or all items, as far as the session is known. */
  canEdit(id?: ItemId): boolean {
    return this.#snapshot.canEdit && (id === undefined ? this.#scope === undefined : isInScope(this.#scope, id));
  }

  /** Whether the proxy knows the person at this page by this subject. */
  isOwnSubject(subject: string): boolean {
    return subject === this.#subject;
  }

  /** @param id limits the listener to changes of this item and of the snapshot @returns a function that removes the listener */
  subscribe(listener: StoreListener, id?: ItemId): () => void {
    const leave = this.#subscriptions.add(listener, id);
    if (this.#subscriptions.size === 1) this.#connection.open();
    return () => {
      if (!leave() || this.#subscriptions.size > 0) return;
      this.#connection.close();
      this.#updates?.stop();
      // A single-page application that navigates by script fires no `pagehide`, so the edits are sent now.
      this.#parts.sender.leave();
      this.#parts.sender.pause();
    };
  }

  /** Adds the items of the host's page, or reads them again. @returns a function that removes them */
  addHostItems(source: HostSource): () => void {
    return this.#itemStates.addHost(source);
  }

  /** Sets the value of one item. Resolves when the write to the browser's storage has ended. */
  set(id: ItemId, available: boolean, label?: string): Promise<void> {
    return this.setSome([{ id, available, label }]);
  }

  /** @param requests requests for different items, at most 1,000 */
  async setSome(requests: readonly EditRequest[]): Promise<void> {
    await this.#creator.create(requests);
    this.#parts.sender.flush();
  }

  /** Sends an edit that needs attention again. @returns whether the item has one */
  retry(id: ItemId): Promise<boolean> {
    return this.#decisions.retry(id);
  }

  /** Discards an edit. @returns whether it was discarded */
  discard(id: ItemId): Promise<boolean> {
    return this.#decisions.discard(id);
  }

  /** Decides a conflict. @returns whether the decision took effect */
  resolve(id: ItemId, keep: 'mine' | 'theirs'): Promise<boolean> {
    return this.#decisions.resolve(id, keep);
  }

  /** Removes first values that were not sent. @returns how many were removed */
  withdraw(ids: readonly ItemId[]): Promise<number> {
    return this.#decisions.withdraw(ids);
  }

  /** Items whose newest edit is not on the portal. */
  get openIds(): ReadonlySet<ItemId> {
    return this.#itemStates.open;
  }

  /** Items that were closed together, and that have not changed since, with the change set that closed them. */
  get closed(): ReadonlyMap<ItemId, EditId> {
    return this.#itemStates.closed;
  }

  /** The number of edits that were not sent. */
  get unsentCount(): number {
    return this.#unsent.length;
  }

  /** Their items. */
  get unsentIds(): ReadonlySet<ItemId> {
    return new Set(this.#unsent.map(({ id }) => id));
  }

  get #unsent(): readonly QueuedEdit[] {
    return this.#parts.queue.known.filter(({ stage }) => stage !== 'handed-over');
  }

  /**
   * Ends the session at this page.
   *
   * @param deleteUnsent whether edits that cannot be sent may be deleted
   * @returns how many edits were not sent, 0 if the person is signed out
   */
  signOut(deleteUnsent = false): Promise<number> {
    const session: SigningOut = {
      ...this.#parts,
      canEdit: this.#snapshot.canEdit,
      update: (change) => void this.#update(change),
      pauseUntilRefresh: (onReturn) => {
        this.#parts.sender.pause();
        this.#onReturn = onReturn;
      },
      stopUpdates: () => void this.#updates?.stop(),
      refresh: () => this.refresh(),
    };
    return signOut(session, deleteUnsent);
  }

  /** Loads again; after a sign-out, for the person who is signed in at the host now. */
  refresh(): Promise<void> {
    this.#onReturn?.();
    this.#onReturn = undefined;
    return this.reloadListing();
  }

  /** A call of the proxy as the person who is signed in. @param path below its base URL @throws {ApiError} */
  call(path: string, what: HttpRequest): Promise<Response> {
    return this.#parts.client.open(path, what);
  }

  /** Reads what changed at the proxy. */
  readChanges(): Promise<void> {
    return this.#connection.reload(() => undefined);
  }

  /** Reads the whole listing again. */
  reloadListing(): Promise<void> {
    return this.#connection.reload(() => {
      this.#parts.loader.forgetListing();
    });
  }

  get #isSignedOut(): boolean {
    return this.#onReturn !== undefined;
  }

  async #load(): Promise<() => void> {
    if (this.#isSignedOut) return () => undefined;
    this.#isHealthy = false;
    try {
      await this.#parts.loader.load(
        () => this.#isSignedOut,
        (session) => void this.#onSession(session),
      );
      return () => void this.#succeed();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return () => void this.#fail(error);
    }
  }

  #onSession({ items, permissions, subject }: Session): void {
    const known = toJson([this.#scope, pickPermissions(this.#snapshot)]);
    const now = pickPermissions({
      canEdit: permissions.includes('edit'),
      canSchedule: permissions.includes('schedule'),
      canReadHistory: permissions.includes('history'),
    });
    this.#scope = items;
    this.#subject = subject;
    if (known !== toJson([items, now])) this.#update(now);
    this.#isHealthy = true;
    // Sending does not wait for the listing, which may be long or fail.
    if (this.#connection.isOpen) this.#parts.sender.start();
  }

  #succeed(): void {
    if (this.#isSignedOut) return;
    this.#listedEpoch = this.#itemStates.sessionEpoch;
    // False if sending failed during the load; the back-off plans the next attempt.
    const isHealthy = this.#isHealthy;
    this.#update({ complete: true, ...(isHealthy && { status: 'ready', problem: undefined, requestId: undefined }) });
    if (!this.#connection.isOpen || !isHealthy) return;
    this.#parts.sender.resume();
    if (this.#parts.live) void this.#stayUpToDate();
  }

  async #stayUpToDate(): Promise<void> {
    // If the chunk fails to load, receipts are polled, and the next load tries again.
    const part = await loadAfterLoad().catch(() => undefined);
    this.#updates ??= part && new part.LiveUpdates(this.#parts);
    if (this.#connection.isOpen && !this.#isSignedOut) this.#updates?.start();
  }

  #fail(failure: ApiError): void {
    // If the person is known, waiting edits may still be sent.
    if (!this.#isHealthy || failure.isRefused) this.#parts.sender.pause();
    this.#isHealthy = false;
    // After a sign-out no failure is reported.
    if (this.#isSignedOut) return;
    // Another person is signed in. The next load is delayed: if a cache or the host alternates between two people, an
    // immediate load would loop for ever.
    if (failure.code === 'session_changed') return void this.#connection.loadLater();
    const { code: problem, requestId, retryAfterMs } = failure;
    const isRefused = problem === 'session_refused';
    this.#update({ status: isRefused ? 'signed-out' : 'unreachable', problem, requestId });
    // Only the person can repair a refused session. Their return to the page loads again, so no timer retries.
    if (isRefused) this.#updates?.stop();
    else this.#connection.loadLater(retryAfterMs);
  }

  #notify(changed: ItemId | undefined): void {
    this.#snapshot = withCounts(this.#snapshot, {
      openCount: this.#itemStates.open.size,
      attentionCount: this.#itemStates.attention.size,
      owner: this.#parts.queue.owner,
      complete: this.#snapshot.complete && this.#listedEpoch === this.#itemStates.sessionEpoch,
    });
    this.#subscriptions.notify(changed);
  }

  #update(change: Partial<StoreSnapshot>): void {
    this.#snapshot = Object.freeze({ ...this.#snapshot, ...change });
    this.#notify(undefined);
  }
}

type Permissions = Pick<StoreSnapshot, 'canEdit' | 'canSchedule' | 'canReadHistory'>;

function pickPermissions({ canEdit, canSchedule, canReadHistory }: Permissions): Permissions {
  return { canEdit, canSchedule, canReadHistory };
}

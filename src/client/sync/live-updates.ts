import type { ListedItem, Listing } from '../../contract/widget.js';
import { toEditIds } from '../../domain/edit.js';
import type { EditStatus } from '../model/apply-receipt.js';
import { RemoteChanges, type ChangesOptions } from './remote-changes.js';
import type { ProxyClient } from '../api/proxy-client.js';
import type { EditQueue } from '../queue/edit-queue.js';
import { InteractionGuard } from '../browser/interaction-guard.js';
import { isWaiting } from '../queue/batches.js';
import { ChangeFeed } from './change-feed.js';
import type { InventoryLoader } from './inventory-loader.js';
import { ApiError } from '../api/api-error.js';
import { TabChannel, type TabMessage } from '../browser/tab-channel.js';

/** Sends the edits of the queue to the proxy, and applies the receipts. */
export interface EditSender {
  flush(): void;
  note(receipts: readonly EditStatus[]): Promise<void>;
}

export interface UpdatesOptions extends ChangesOptions {
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  readonly loader: InventoryLoader;
  readonly sender: EditSender;
  /** The whole listing has to be read again. */
  readonly onReset: () => void;
  readonly onFailure: (failure: ApiError) => void;
}

/** Longer than a tab that is alive takes to send what it has stored. */
const OTHERS_SEND_MS = 5_000;

/**
 * Updates the page with changes by the other tabs and at the proxy, without reading the whole listing again. The page loads
 * this code after all that it needs to be usable.
 */
export class LiveUpdates {
  readonly #options: UpdatesOptions;
  readonly #guard = new InteractionGuard();
  readonly #channel = new TabChannel();
  readonly #remoteChanges: RemoteChanges;
  #feed: ChangeFeed | undefined;
  /** The newest revision whose changes are loaded. */
  #newest = 0;
  #unwatch: (() => void) | undefined;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#remoteChanges = new RemoteChanges(options);
  }

  /** Whether changes arrive as they happen, so that no polling is needed. */
  get isLive(): boolean {
    return this.#feed?.isLive === true;
  }

  start(): void {
    const { client, queue, loader, onReset } = this.#options;
    this.#guard.watch();
    loader.guard = this.#guard;
    this.#unwatch ??= queue.watch(this.#channel, (message) => {
      this.#onMessage(message);
    });
    // The proxy has just answered, so a feed that is not live is replaced by a new one, which connects at once.
    if (this.#feed?.owner === queue.owner && this.isLive) {
      // The load began before the last changes arrived, and may have restored the values from before them.
      if (this.#newest > (loader.revision ?? 0)) void this.#catchUp();
      return;
    }
    this.#feed?.stop();
    this.#remoteChanges.start();
    this.#feed = new ChangeFeed({
      client,
      owner: queue.owner,
      revision: () => loader.revision,
      onHint: () => this.#catchUp(),
      onReset,
      notifyTabs: (message) => {
        this.#channel.post(message);
      },
    });
    this.#feed.start();
  }

  stop(): void {
    this.#guard.unwatch();
    this.#remoteChanges.stop();
    this.#feed?.stop();
    this.#feed = undefined;
    this.#unwatch?.();
    this.#unwatch = undefined;
    clearTimeout(this.#flushTimer);
  }

  #onMessage(message: TabMessage): void {
    this.#feed?.onTabMessage(message);
    if (!('edits' in message)) return;
    const { client, queue, itemStates, loader, sender } = this.#options;
    loader.showQueue();
    if (message.kind === 'settled') sender.flush();
    if (message.kind === 'withdrawn') {
      const queued = new Set(toEditIds(queue.known));
      const withdrawn = new Set(message.edits);
      // The person may have signed out in the other tab, while the token of this tab is still valid. The page requests a
      // new one, which tells who is signed in.
      if (!withdrawn.size) client.forget();
      for (const { edit, stage } of itemStates.locals) {
        // Other edits that have left the queue were settled, and the request for their receipts is still in flight.
        const isWithdrawn = withdrawn.size === 0 || withdrawn.has(edit.edit_id);
        if (isWithdrawn && stage !== 'writing' && !queued.has(edit.edit_id)) itemStates.dropLocal(edit);
      }
    }
    clearTimeout(this.#flushTimer);
    if (!queue.known.some(isWaiting)) return;
    this.#flushTimer = setTimeout(() => {
      sender.flush();
    }, OTHERS_SEND_MS);
  }

  async #catchUp(): Promise<void> {
    const { onFailure } = this.#options;
    try {
      await this.#loadChanges();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onFailure(error);
    }
  }

  async #loadChanges(): Promise<void> {
    const { client, loader, itemStates, onReset } = this.#options;
    const [since, sessionEpoch] = [loader.revision, itemStates.sessionEpoch];
    let cursor: string | undefined;
    do {
      if (since === undefined) return;
      const asked = itemStates.receiptCount;
      const page = await client.list(cursor, since);
      const { revision = 0, next } = page;
      await this.#guard.untilReleased();
      if (sessionEpoch !== itemStates.sessionEpoch) return;
      // A whole listing was loaded in between. It may be older than these changes, and has another revision to go on from.
      if (loader.revision !== since) return this.#loadChanges();
      // The revision went back, because the proxy's storage was restored from a backup. Its changes are of another history.
      if (revision < since) return onReset();
      await loader.applyPage(page, asked);
      await this.#settle(page);
      cursor = next;
      if (cursor === undefined) this.#newest = loader.revision = revision;
    } while (cursor !== undefined);
  }

  /** Applies the rows of a listing that name an edit of this device, as its receipt would be. */
  async #settle({ inventory }: Listing): Promise<void> {
    const { queue, sender, itemStates } = this.#options;
    const ours = new Set<unknown>(toEditIds(queue.known));
    const isOurs = (item: Listing['inventory'][number]): item is ListedItem & EditStatus =>
      ours.has((item as Partial<EditStatus>).edit_id);
    await sender.note(inventory.filter(isOurs));
    // Another edit of the item is valid now. The outcome of this device's edit is only in its receipt.
    if (inventory.some((item) => itemStates.local(item.id) && !isOurs(item))) sender.flush();
  }
}

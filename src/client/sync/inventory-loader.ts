import { isEdited, type Listing, type Session } from '../../contract/widget.js';
import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { InteractionGuard } from '../browser/interaction-guard.js';
import type { ItemStates } from '../model/item-state.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { sessionChanged } from '../api/api-error.js';
import { toOwner } from '../storage/queue-owner.js';
import { processInChunks } from '../browser/next-frame.js';

/** After this time a load reads the whole listing again: changes of the operator's catalog are in no list of changes. */
const WHOLE_LISTING_MAX_AGE_MS = 10 * 60_000;

interface LoaderOptions {
  readonly proxy: string;
  readonly client: ProxyClient;
  readonly queue: EditQueue;
}

/** Loads the edits that wait on this device and the proxy's listing, for the person who is signed in. */
export class InventoryLoader {
  /** The revision from which to request changes (`since`); `undefined` if the proxy sends none. */
  revision: number | undefined;
  /** Delays remote updates while a click is in progress. */
  guard: Pick<InteractionGuard, 'untilReleased'> | undefined;
  readonly #options: LoaderOptions;
  readonly #itemStates: ItemStates;
  /** The person whose whole listing this page has, and when it was requested, by the page's monotonic clock. */
  #listedFor: number | undefined;
  #listedAt = 0;
  /** Items that were known at the request for the whole listing and that no response has named since. */
  #unnamed = new Set<ItemId>();

  constructor(options: LoaderOptions, itemStates: ItemStates) {
    this.#options = options;
    this.#itemStates = itemStates;
  }

  /**
   * @param isOver whether the store was closed; checked once the person is known
   * @param onSession called with the session, before the first item
   * @throws {ApiError} but the edits of this device are shown all the same, as soon as their person is known
   */
  async load(isOver: () => boolean, onSession: (session: Session) => void): Promise<void> {
    const { client, proxy } = this.#options;
    await this.loadQueue();
    await this.#belongTo(await client.expected());
    const session = await client.session();
    if (isOver()) throw sessionChanged();
    await this.#belongTo(toOwner(proxy, session));
    onSession(session);
    const isRecent =
      this.#listedFor === this.#itemStates.sessionEpoch &&
      performance.now() - this.#listedAt < WHOLE_LISTING_MAX_AGE_MS;
    await this.#list(isRecent ? this.revision : undefined);
  }

  /** Makes the next load read the whole listing. */
  forgetListing(): void {
    this.#listedFor = undefined;
  }

  async #list(since: number | undefined): Promise<void> {
    const startedAt = performance.now();
    const { receiptCount, sessionEpoch } = this.#itemStates;
    if (since === undefined) this.#unnamed = new Set(this.#itemStates.knownIds);
    let cursor: string | undefined;
    let revision: number | undefined;
    do {
      const asked = this.#itemStates.receiptCount;
      const page = await this.#options.client.list(cursor, since);
      await this.guard?.untilReleased();
      if (sessionEpoch !== this.#itemStates.sessionEpoch) throw sessionChanged();
      // The revision went back: the proxy's storage was restored from a backup, and its changes are of another history.
      if ((page.revision ?? 0) < (since ?? 0)) return this.#list(undefined);
      // The first page has the revision to go on from: a later one would miss changes to the pages before it.
      revision ??= page.revision;
      await this.applyPage(page, asked);
      cursor = page.next;
    } while (cursor !== undefined);
    this.revision = revision;
    if (since !== undefined) return;
    // A whole listing leaves out items whose only edit was discarded, so the page drops those edits.
    await processInChunks(this.#unnamed, (id) => {
      this.#itemStates.withdraw(id, receiptCount);
    });
    this.#listedFor = sessionEpoch;
    this.#listedAt = startedAt;
  }

  /** @param asked the ledger's `receiptCount` at the request for the listing */
  async applyPage({ inventory }: Pick<Listing, 'inventory'>, asked: number): Promise<void> {
    const { sessionEpoch } = this.#itemStates;
    await processInChunks(inventory, (item) => {
      if (sessionEpoch !== this.#itemStates.sessionEpoch) return;
      this.#unnamed.delete(item.id);
      if (isEdited(item)) this.#itemStates.applyListed(item, asked);
      else this.#itemStates.setCatalogItem(item, asked);
    });
  }

  /** Reads the edits that wait on this device, those of other tabs included. */
  async loadQueue(): Promise<void> {
    await this.#options.queue.rows();
    this.showQueue();
  }

  /** Shows the edits of the queue that are known without reading the disk. */
  showQueue(): void {
    const { queue } = this.#options;
    const newest = new Map(queue.known.map((row) => [row.id, row]));
    for (const row of newest.values()) {
      const known = this.#itemStates.local(row.id);
      const { edit_id, stage, reason } = row;
      const unsaved = queue.isUnsaved(edit_id);
      // The edit was made while the rows were read, so it is newer than all of them.
      if (known?.stage === 'writing') continue;
      if (known?.edit.edit_id !== edit_id) {
        this.#itemStates.setLocal({ edit: row, stage, unsaved, reason });
      } else if (known.stage !== stage || known.unsaved !== unsaved) {
        // Another tab has sent the edit, or a later attempt to store it had another result.
        this.#itemStates.advance(row, { stage, reason, unsaved });
      }
    }
  }

  async #belongTo(owner: string | undefined): Promise<void> {
    const { queue } = this.#options;
    if (owner === undefined || owner === queue.owner) return;
    if (await queue.setOwner(owner)) this.#itemStates.forget();
    await this.loadQueue();
  }
}

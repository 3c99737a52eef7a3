import { isEdited, type Listing, type Session } from '../../contract/widget.js';
import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { Hands } from '../browser/interaction-guard.js';
import type { ItemLedger } from '../model/item-state.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { sessionChanged } from '../api/api-error.js';
import { ownerOf } from '../storage/queue-owner.js';
import { inSlices } from '../browser/next-frame.js';

const WHOLE_AGAIN_MS = 10 * 60_000;

interface LoaderOptions {
  readonly proxy: string;
  readonly client: ProxyClient;
  readonly queue: EditQueue;
}

/** Brings into the ledger what waits on this device and what the proxy knows, for whoever is signed in now. */
export class Loader {
  /** Where asking for changes (`since`) goes on; `undefined` where the proxy does not say. */
  revision: number | undefined;
  /** Nothing is turned round under a finger that is just coming down. */
  hands: Pick<Hands, 'rest'> | undefined;
  readonly #options: LoaderOptions;
  readonly #ledger: ItemLedger;
  /** Whose whole listing this page has, and since when, by the page's steady clock. */
  #listedFor: number | undefined;
  #listedAt = 0;
  /** What was known when the whole listing was asked for, and what no answer has named since. */
  #unnamed = new Set<ItemId>();

  constructor(options: LoaderOptions, ledger: ItemLedger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  /**
   * @param isOver asked when it is known who is there: nobody wants to know any more
   * @param onSession who is there is known: before their first item
   * @throws {ApiError} and what waits is shown all the same, as soon as it is known whose it is
   */
  async load(isOver: () => boolean, onSession: (session: Session) => void): Promise<void> {
    const { client, proxy } = this.#options;
    await this.loadQueue();
    await this.#belongTo(await client.expected());
    const session = await client.session();
    if (isOver()) throw sessionChanged();
    await this.#belongTo(ownerOf(proxy, session));
    onSession(session);
    // Whoever comes back to the page needs what changed, and now and then what the operator's list says, too.
    const isOfNow = this.#listedFor === this.#ledger.person && performance.now() - this.#listedAt < WHOLE_AGAIN_MS;
    await this.#list(isOfNow ? this.revision : undefined);
  }

  /** The next load reads everything: what is shown may be anything. */
  startAnew(): void {
    this.#listedFor = undefined;
  }

  async #list(since: number | undefined): Promise<void> {
    const began = performance.now();
    const { moment, person } = this.#ledger;
    if (since === undefined) this.#unnamed = new Set(this.#ledger.knownIds);
    let cursor: string | undefined;
    let revision: number | undefined;
    do {
      const asked = this.#ledger.moment;
      const page = await this.#options.client.list(cursor, since);
      await this.hands?.rest();
      if (person !== this.#ledger.person) throw sessionChanged();
      // Another past than the one that this page knows: a store that was brought back from a copy.
      if ((page.revision ?? 0) < (since ?? 0)) return this.#list(undefined);
      // What changes while the pages come counts from the first one on.
      revision ??= page.revision;
      await this.take(page, asked);
      cursor = page.next;
    } while (cursor !== undefined);
    this.revision = revision;
    if (since !== undefined) return;
    // What somebody has taken back meanwhile is in no whole listing.
    await inSlices(this.#unnamed, (id) => {
      this.#ledger.withdraw(id, moment);
    });
    this.#listedFor = person;
    this.#listedAt = began;
  }

  /** @param asked the ledger's moment at which the listing was asked for */
  async take({ inventory }: Pick<Listing, 'inventory'>, asked: number): Promise<void> {
    const { person } = this.#ledger;
    await inSlices(inventory, (item) => {
      if (person !== this.#ledger.person) return;
      this.#unnamed.delete(item.id);
      if (isEdited(item)) this.#ledger.confirmListed(item, asked);
      else this.#ledger.giveListed(item, asked);
    });
  }

  /** What waits on this device, as this tab or another one has left it. */
  async loadQueue(): Promise<void> {
    await this.#options.queue.rows();
    this.showQueue();
  }

  /** What is known of it without asking the disk. */
  showQueue(): void {
    const { queue } = this.#options;
    const newest = new Map(queue.known.map((row) => [row.id, row]));
    for (const row of newest.values()) {
      const known = this.#ledger.local(row.id);
      const { edit_id, stage, reason } = row;
      const unsaved = queue.isUnsaved(edit_id);
      // An edit made while the rows were read is newer than all of them.
      if (known?.stage === 'writing') continue;
      if (known?.edit.edit_id !== edit_id) {
        this.#ledger.setLocal({ edit: row, stage, unsaved, reason });
      } else if (known.stage !== stage || known.unsaved !== unsaved) {
        // Another tab has moved it on, or storage has changed its mind.
        this.#ledger.advance(row, { stage, reason, unsaved });
      }
    }
  }

  async #belongTo(owner: string | undefined): Promise<void> {
    const { queue } = this.#options;
    if (owner === undefined || owner === queue.owner) return;
    if (await queue.adopt(owner)) this.#ledger.forget();
    await this.loadQueue();
  }
}

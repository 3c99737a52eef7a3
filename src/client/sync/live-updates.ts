import type { ListedItem, Listing } from '../../contract/widget.js';
import { idsOf } from '../../domain/edit.js';
import type { Word } from '../model/apply-receipt.js';
import { ChangesByOthers, type ChangesOptions } from './remote-changes.js';
import { editCalls, type ProxyClient } from '../api/proxy-client.js';
import type { EditQueue } from '../queue/edit-queue.js';
import { Hands } from '../browser/interaction-guard.js';
import { isWaiting } from '../queue/handover.js';
import { LiveFeed } from './change-feed.js';
import type { Loader } from './inventory-loader.js';
import { ApiError } from '../api/api-error.js';
import { TabChannel, type TabNews } from '../browser/tab-channel.js';

/** What hands edits over. */
export interface EditSender {
  flush(): void;
  note(words: readonly Word[]): Promise<void>;
}

export interface UpdatesOptions extends ChangesOptions {
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  readonly loader: Loader;
  readonly sender: EditSender;
  /** The whole listing has to be read anew. */
  readonly onReset: () => void;
  readonly onFailure: (failure: ApiError) => void;
}

/** Longer than a tab that is alive takes to send what it has stored. */
const OTHERS_SEND_MS = 5_000;

/**
 * Keeps what is shown as it is in the other tabs and at the proxy, without asking for everything again. Loaded when the
 * page has all that it needs to be used.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  readonly #hands = new Hands();
  readonly #channel = new TabChannel();
  readonly #others: ChangesByOthers;
  #feed: LiveFeed | undefined;
  /** The last revision that was caught up with. */
  #newest = 0;
  #unwatch: (() => void) | undefined;
  #sending: ReturnType<typeof setTimeout> | undefined;

  constructor(options: UpdatesOptions) {
    this.#options = options;
    this.#others = new ChangesByOthers(options);
  }

  /** Changes are told as they happen, so nobody has to ask every few seconds. */
  get isLive(): boolean {
    return this.#feed?.isLive === true;
  }

  start(): void {
    const { client, queue, loader, onReset } = this.#options;
    this.#hands.watch();
    loader.hands = this.#hands;
    this.#unwatch ??= queue.watch(this.#channel, (news) => {
      this.#hear(news);
    });
    // The proxy has just answered: one that does not come through listens anew, and does not wait for its next try.
    if (this.#feed?.owner === queue.owner && this.isLive) {
      // The load began before the last changes came, and may have brought back what was so before them.
      if (this.#newest > (loader.revision ?? 0)) void this.#catchUp();
      return;
    }
    this.#feed?.stop();
    this.#others.start();
    this.#feed = new LiveFeed({
      client: editCalls(client),
      owner: queue.owner,
      revision: () => loader.revision,
      onHint: () => this.#catchUp(),
      onReset,
      tell: (news) => {
        this.#channel.tell(news);
      },
    });
    this.#feed.start();
  }

  stop(): void {
    this.#hands.unwatch();
    this.#others.stop();
    this.#feed?.stop();
    this.#feed = undefined;
    this.#unwatch?.();
    this.#unwatch = undefined;
    clearTimeout(this.#sending);
  }

  #hear(news: TabNews): void {
    this.#feed?.hear(news);
    if (!('edits' in news)) return;
    const { client, queue, ledger, loader, sender } = this.#options;
    loader.showQueue();
    if (news.kind === 'settled') sender.flush();
    if (news.kind === 'withdrawn') {
      const there = new Set(idsOf(queue.known));
      const named = new Set(news.edits);
      // They may have signed out there, and the token of this tab is still good: the host says anew who is here.
      if (!named.size) client.forget();
      for (const { edit, stage } of ledger.locals) {
        // What else is not there any more was settled, and whoever asks what became of it has not heard yet.
        const isMeant = named.size === 0 || named.has(edit.edit_id);
        if (isMeant && stage !== 'writing' && !there.has(edit.edit_id)) ledger.dropLocal(edit);
      }
    }
    clearTimeout(this.#sending);
    if (!queue.known.some(isWaiting)) return;
    this.#sending = setTimeout(() => {
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
    const { client, loader, ledger, onReset } = this.#options;
    const [since, person] = [loader.revision, ledger.person];
    let cursor: string | undefined;
    do {
      if (since === undefined) return;
      const asked = ledger.moment;
      const page = await client.list(cursor, since);
      const { revision = 0, next } = page;
      await this.#hands.rest();
      if (person !== ledger.person) return;
      // A whole listing came meanwhile, perhaps from before these changes, and goes on from somewhere else.
      if (loader.revision !== since) return this.#loadChanges();
      // Brought back from a copy, as for a whole load: what it calls changed is of another past.
      if (revision < since) return onReset();
      await loader.take(page, asked);
      await this.#settle(page);
      cursor = next;
      if (cursor === undefined) this.#newest = loader.revision = revision;
    } while (cursor !== undefined);
  }

  /** A listing that names an edit of ours is as good as its receipt. */
  async #settle({ inventory }: Listing): Promise<void> {
    const { queue, sender, ledger } = this.#options;
    const ours = new Set<unknown>(idsOf(queue.known));
    const isOurs = (item: Listing['inventory'][number]): item is ListedItem & Word =>
      ours.has((item as Partial<Word>).edit_id);
    await sender.note(inventory.filter(isOurs));
    // Another word counts now, and no listing says what became of ours.
    if (inventory.some((item) => ledger.local(item.id) && !isOurs(item))) sender.flush();
  }
}

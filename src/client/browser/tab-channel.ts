import * as z from 'zod/mini';
import { editId } from '../../contract/fields.js';
import { accepts } from '../schema.js';

/** Where there are more edits, none is named: the tabs that listen read all. */
const MAX_EDITS = 1_000;

/**
 * Rows of the queue changed, of any edits where none is named. `settled`: their receipts say that they are final;
 * `withdrawn`: they were not sent and never will be; with no edit named, perhaps of a person who has signed out.
 */
const editNews = z.object({
  kind: z.enum(['queue', 'settled', 'withdrawn']),
  edits: z.readonly(z.array(editId).check(z.maxLength(MAX_EDITS))),
});
export type EditNews = Readonly<z.output<typeof editNews>>;

/**
 * `items`: something changed at the proxy; `everything`: the whole listing has to be read; `listening`: the tab that listens
 * to the proxy for all is awake.
 */
const proxyNews = z.object({ kind: z.enum(['items', 'everything', 'listening']) });

const tabNews = z.union([editNews, proxyNews]);

/**
 * What the tabs of one browser tell each other about one person's inventory: that there is something to look at, never
 * what. A tab that listens reads it where it always does, as the person who is signed in there.
 */
export type TabNews = EditNews | Readonly<z.output<typeof proxyNews>>;

/** More messages than tabs of one person send: what comes above is folded into one. */
const MAX_MESSAGES = 200;
const WINDOW_MS = 1_000;

/** One channel for each owner of a queue. */
export class TabChannel {
  #listener: ((news: TabNews) => void) | undefined;
  #channel: BroadcastChannel | undefined;
  /** Messages since the window began. */
  #heard = 0;
  #window: ReturnType<typeof setTimeout> | undefined;

  /** Leaves the one that it was in. */
  join(owner: string): void {
    this.leave();
    try {
      this.#channel = new BroadcastChannel(`vendor-inventory ${owner}`);
      this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        this.#onMessage(data);
      };
    } catch {
      // Firefox gives none to a page that may store nothing: there is no other tab to tell.
      return;
    }
  }

  leave(): void {
    this.#channel?.close();
    this.#channel = undefined;
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#heard = 0;
  }

  tell(news: TabNews): void {
    const isMuch = 'edits' in news && news.edits.length > MAX_EDITS;
    this.#channel?.postMessage(isMuch ? { ...news, edits: [] } : news);
  }

  /** One listener at a time, until the channel is left. */
  hear(listener: (news: TabNews) => void): void {
    this.#listener = listener;
  }

  /** Any script of this origin may speak here, as much and as often as it likes. */
  #onMessage(data: unknown): void {
    this.#window ??= setTimeout(() => {
      const isFlooded = this.#heard > MAX_MESSAGES;
      this.#window = undefined;
      this.#heard = 0;
      // What was not looked at may have been about any row.
      if (isFlooded) this.#listener?.({ kind: 'queue', edits: [] });
    }, WINDOW_MS);
    this.#heard += 1;
    if (this.#heard <= MAX_MESSAGES && accepts(tabNews, data)) this.#listener?.(data);
  }
}

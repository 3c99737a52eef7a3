import { isEditId, type EditId } from '../../domain/edit.js';

/**
 * What the tabs of one browser tell each other about one person's inventory: that there is something to look at, never
 * what. Whoever listens reads it where it always does, as the person who is signed in there.
 */
export type TabNews =
  | EditNews
  /** Something changed at the proxy; everything: ask for the whole listing. */
  | { readonly kind: 'items' | 'everything' }
  /** The tab that listens to the proxy for all is awake. */
  | { readonly kind: 'listening' };

/**
 * Rows of the queue changed, of any edits where none is named. `settled`: the last word on them is said; `withdrawn`: nobody
 * has sent them, and nobody wants them any more; none named: perhaps all, with a person who
 * has signed out.
 */
export interface EditNews {
  readonly kind: 'queue' | 'settled' | 'withdrawn';
  readonly edits: readonly EditId[];
}

/** Where there are more, none is named: whoever listens reads all. */
const MOST_EDITS = 1_000;

const KINDS: readonly unknown[] = ['items', 'everything', 'listening'];
const KINDS_WITH_EDITS: readonly unknown[] = ['queue', 'settled', 'withdrawn'];

/** One channel for each owner of a queue. */
export class TabChannel {
  #listener: ((news: TabNews) => void) | undefined;
  #channel: BroadcastChannel | undefined;

  /** Leaves the one that it was in. */
  join(owner: string): void {
    this.leave();
    try {
      this.#channel = new BroadcastChannel(`vendor-inventory ${owner}`);
      this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        // Any script of this origin may speak here.
        if (isTabNews(data)) this.#listener?.(data);
      };
    } catch {
      // Firefox gives none to a page that it lets store nothing: there is nobody to tell.
      return;
    }
  }

  leave(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }

  tell(news: TabNews): void {
    const isMuch = 'edits' in news && news.edits.length > MOST_EDITS;
    this.#channel?.postMessage(isMuch ? { ...news, edits: [] } : news);
  }

  /** One at a time, until it leaves. */
  hear(listener: (news: TabNews) => void): void {
    this.#listener = listener;
  }
}

function isTabNews(value: unknown): value is TabNews {
  const { kind, edits } = { ...(value as Record<string, unknown> | null) };
  return (
    KINDS.includes(kind) ||
    (KINDS_WITH_EDITS.includes(kind) && Array.isArray(edits) && edits.length <= MOST_EDITS && edits.every(isEditId))
  );
}

import { locks } from '../browser/tab-locks.js';
import { readHints } from './event-stream.js';
import type { EditCalls } from '../api/proxy-client.js';
import type { TabNews } from '../browser/tab-channel.js';

export interface LiveFeedOptions {
  readonly client: Pick<EditCalls, 'events'>;
  /** Whose inventory: tabs of the same owner share a stream. */
  readonly owner: string;
  /** The newest revision that this page knows. */
  readonly revision: () => number | undefined;
  /** There is something to ask for. Never rejects. */
  readonly onHint: () => Promise<void>;
  /** The proxy does not know that revision: everything has to be asked for. */
  readonly onReset: () => void;
  readonly tell: (news: TabNews) => void;
  readonly times?: Partial<FeedTimes>;
}

/** In milliseconds. */
export interface FeedTimes {
  /** The proxy speaks at once and then every 15 s: a stream that is silent for so long is held back somewhere. */
  readonly silence: number;
  /** Between the end of a stream and the next one, at most. */
  readonly again: number;
  /** Between two hints by the clock, at most. */
  readonly poll: number;
  /** A tab that listens for all and is not heard of for so long is frozen. */
  readonly frozen: number;
  /** Nobody has looked at the page for so long. */
  readonly unseen: number;
  /** Between two hints: of a thousand changes in a second one asks once. */
  readonly gap: number;
}

const TIMES: FeedTimes = { silence: 20_000, again: 1_000, poll: 30_000, frozen: 45_000, unseen: 300_000, gap: 500 };

/**
 * Hears from the proxy that something changed, on one connection for all tabs of a browser (`GET /v1/events`).
 *
 * A hint says only that there is something to ask for, so one too many or too few harms nobody: what changed is read by
 * its revision. One tab listens, under a lock, and tells the others; when it is not heard of any more it is overtaken.
 * Where streams do not come through (a gateway that keeps them back), or the browser has no locks (plain http), the feed
 * hints by the clock instead. While nobody looks it is silent, and after a while it hangs up.
 *
 * It deliberately understands nothing of the stream but where an event ends, and asks for nothing itself.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #times: FeedTimes;
  #life: AbortController | undefined;
  #turn: AbortController | undefined;
  #isOvertaking = false;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #unseen: ReturnType<typeof setTimeout> | undefined;
  #isAlive = false;
  #failures = 0;
  #last: string | undefined;
  #hinted = false;
  #asking = false;
  /** Changes of just now: the others have heard of the first one. */
  #fresh = 0;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
  }

  get owner(): string {
    return this.#options.owner;
  }

  /** Hints come as soon as something happens; without, only every so often. */
  get isLive(): boolean {
    return this.#isAlive;
  }

  start(): void {
    addEventListener('pagehide', this.#hangUp);
    addEventListener('pageshow', this.#look);
    document.addEventListener('visibilitychange', this.#look);
    this.#look();
  }

  stop(): void {
    removeEventListener('pagehide', this.#hangUp);
    removeEventListener('pageshow', this.#look);
    document.removeEventListener('visibilitychange', this.#look);
    this.#hangUp();
  }

  /** What another tab says. */
  hear({ kind }: TabNews): void {
    if (this.#life === undefined) return;
    if (kind === 'listening') {
      // What it told before this tab heard of it is not told again.
      if (!this.#isAlive) this.#hint();
      this.#isAlive = true;
      this.#waitForOthers();
    } else if (kind === 'items') this.#hint();
    else if (kind === 'everything') this.#options.onReset();
  }

  readonly #look = (): void => {
    clearTimeout(this.#unseen);
    if (document.hidden) {
      this.#unseen = setTimeout(this.#hangUp, this.#times.unseen);
      return;
    }
    if (this.#life === undefined) {
      this.#life = new AbortController();
      void this.#live(this.#life.signal);
    }
    if (this.#hinted) this.#hint();
  };

  /** A page that listens or holds a lock is not kept for the way back. */
  readonly #hangUp = (): void => {
    this.#life?.abort();
    this.#life = undefined;
    this.#isAlive = false;
    clearTimeout(this.#watch);
    clearTimeout(this.#unseen);
  };

  async #live(life: AbortSignal): Promise<void> {
    const turns = locks();
    while (!life.aborted) {
      if (turns === undefined) {
        await pause(this.#times.poll, life);
        if (!life.aborted) this.#hint();
      } else await this.#takeTurn(turns, life);
    }
  }

  /** Resolves when this tab has listened for the others, or may overtake. */
  async #takeTurn(turns: LockManager, life: AbortSignal): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    const { signal } = turn;
    life.addEventListener(
      'abort',
      () => {
        turn.abort();
      },
      { signal },
    );
    const options = this.#isOvertaking ? { steal: true } : { signal };
    this.#isOvertaking = false;
    this.#waitForOthers();
    try {
      await turns.request(`vendor-inventory events ${this.#options.owner}`, options, () => this.#listen(signal));
    } catch (error) {
      // Stopped or impatient while it waited, or overtaken while it listened.
      if ((error as Error).name !== 'AbortError') throw error;
    } finally {
      // Losing the lock does not end what runs under it.
      turn.abort();
      this.#isAlive = false;
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#watch);
    while (!signal.aborted) {
      const hasHeard = await this.#readStream(signal);
      this.#isAlive = false;
      if (signal.aborted) return;
      this.#failures = hasHeard ? 0 : this.#failures + 1;
      // Of two in a row nothing came.
      const isBlocked = this.#failures > 1;
      if (isBlocked) this.#hint(true);
      await pause(isBlocked ? this.#times.poll : this.#times.again, signal);
    }
  }

  /** @returns whether anything came through */
  async #readStream(signal: AbortSignal): Promise<boolean> {
    const { client, revision, tell, onReset } = this.#options;
    let hasHeard = false;
    await readHints((call) => client.events(this.#last ?? revision()?.toString(), call), {
      signal,
      silence: this.#times.silence,
      onBytes: () => {
        hasHeard = this.#isAlive = true;
        tell({ kind: 'listening' });
      },
      onEvent: ({ id, type }) => {
        this.#last = id ?? this.#last;
        if (type !== 'reset') return this.#hint(true);
        tell({ kind: 'everything' });
        onReset();
      },
    });
    return hasHeard;
  }

  /** @param isFirst the other tabs have not heard of it */
  #hint(isFirst = false): void {
    // Whether this tab asks says nothing of the others: nobody may be looking at it.
    if (isFirst && !this.#fresh++) {
      const tell = (): void => this.#options.tell({ kind: 'items' });
      tell();
      setTimeout(() => {
        if (this.#fresh > 1) tell();
        this.#fresh = 0;
      }, this.#times.gap);
    }
    this.#hinted = true;
    if (!this.#asking && this.#life !== undefined && !document.hidden) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    this.#hinted = false;
    await this.#options.onHint();
    await new Promise((resolve) => setTimeout(resolve, this.#times.gap));
    this.#asking = false;
    if (this.#hinted) this.#hint();
  }

  #waitForOthers(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#isAlive = false;
      // Who is not looked at leaves it to one that is.
      if (document.hidden) {
        this.#waitForOthers();
        return;
      }
      this.#isOvertaking = true;
      this.#turn?.abort();
    }, this.#times.frozen);
  }
}

/** At least half of it, so that not all pages come back at once. One at a time for a signal, which may live for hours. */
function pause(most: number, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, (most * (1 + Math.random())) / 2);
    signal.onabort = resolve;
  });
}

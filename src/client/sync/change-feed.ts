import { locks } from '../browser/tab-locks.js';
import { readHints } from './event-stream.js';
import type { ProxyClient } from '../api/proxy-client.js';
import type { TabMessage } from '../browser/tab-channel.js';

export interface ChangeFeedOptions {
  readonly client: Pick<ProxyClient, 'events'>;
  /** The owner of the inventory. Tabs of the same owner share a stream. */
  readonly owner: string;
  /** The newest revision that this page knows. */
  readonly revision: () => number | undefined;
  /** Requests the changes. Never rejects. */
  readonly onHint: () => Promise<void>;
  /** The proxy does not know the revision, so the whole listing has to be requested. */
  readonly onReset: () => void;
  readonly notifyTabs: (changedByOthers: TabMessage) => void;
  readonly times?: Partial<FeedTimes>;
}

/** In milliseconds. */
export interface FeedTimes {
  /** A stream without a byte for so long is buffered on the way: the proxy sends one at once and then every 15 s. */
  readonly silence: number;
  /** The longest wait between the end of a stream and the next one. */
  readonly reconnect: number;
  /** The longest wait between two polls. */
  readonly poll: number;
  /** A leading tab that sends no message for so long is frozen. */
  readonly frozen: number;
  /** A tab that is hidden for so long disconnects. */
  readonly unseen: number;
  /** The shortest wait between two requests: a thousand changes in a second cause one. */
  readonly gap: number;
}

const DEFAULT_TIMES: FeedTimes = {
  silence: 20_000,
  reconnect: 1_000,
  poll: 30_000,
  frozen: 45_000,
  unseen: 300_000,
  gap: 500,
};

/**
 * Learns from the proxy that items changed, over one connection for all tabs of a browser (`GET /v1/events`).
 *
 * An event is only a hint to request the changes since the known revision, so a missing or extra hint does no harm. The tabs
 * elect a leader with a lock. The leader reads the stream and notifies the others; if it stays silent, another tab steals
 * the lock. If a gateway buffers streams, or the browser has no locks (plain http), the feed polls instead. A hidden tab
 * requests nothing, and disconnects after a while.
 *
 * The feed deliberately parses no more of the stream than its events, and requests nothing itself.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #times: FeedTimes;
  #connection: AbortController | undefined;
  #leadership: AbortController | undefined;
  #mayStealLock = false;
  #leaderTimer: ReturnType<typeof setTimeout> | undefined;
  #hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  #isAlive = false;
  #failures = 0;
  #lastEventId: string | undefined;
  #hasHint = false;
  #isRequesting = false;
  /** Changes in the current gap. The other tabs were notified of the first one. */
  #changesInGap = 0;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#times = { ...DEFAULT_TIMES, ...options.times };
  }

  get owner(): string {
    return this.#options.owner;
  }

  /** Whether changes arrive as they happen, and not only by polling. */
  get isLive(): boolean {
    return this.#isAlive;
  }

  start(): void {
    addEventListener('pagehide', this.#disconnect);
    addEventListener('pageshow', this.#onVisibility);
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#onVisibility();
  }

  stop(): void {
    removeEventListener('pagehide', this.#disconnect);
    removeEventListener('pageshow', this.#onVisibility);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#disconnect();
  }

  /** Handles a message of another tab. */
  onTabMessage({ kind }: TabMessage): void {
    if (this.#connection === undefined) return;
    if (kind === 'listening') {
      // The leader does not repeat the changes that it reported before this tab knew of it.
      if (!this.#isAlive) this.#hint();
      this.#isAlive = true;
      this.#watchLeader();
    } else if (kind === 'items') this.#hint();
    else if (kind === 'everything') this.#options.onReset();
  }

  readonly #onVisibility = (): void => {
    clearTimeout(this.#hiddenTimer);
    if (document.hidden) {
      this.#hiddenTimer = setTimeout(this.#disconnect, this.#times.unseen);
      return;
    }
    if (this.#connection === undefined) {
      this.#connection = new AbortController();
      void this.#connect(this.#connection.signal);
    }
    if (this.#hasHint) this.#hint();
  };

  /** Browsers do not put a page that has an open request or a lock into the back/forward cache. */
  readonly #disconnect = (): void => {
    this.#connection?.abort();
    this.#connection = undefined;
    this.#isAlive = false;
    clearTimeout(this.#leaderTimer);
    clearTimeout(this.#hiddenTimer);
  };

  async #connect(connection: AbortSignal): Promise<void> {
    const manager = locks();
    while (!connection.aborted) {
      if (manager === undefined) {
        await pause(this.#times.poll, connection);
        if (!connection.aborted) this.#hint();
      } else await this.#lead(manager, connection);
    }
  }

  /** Resolves when the leadership of this tab has ended, or when the tab may steal the lock. */
  async #lead(manager: LockManager, connection: AbortSignal): Promise<void> {
    const leadership = new AbortController();
    this.#leadership = leadership;
    const { signal } = leadership;
    connection.addEventListener(
      'abort',
      () => {
        leadership.abort();
      },
      { signal },
    );
    const options = this.#mayStealLock ? { steal: true } : { signal };
    this.#mayStealLock = false;
    this.#watchLeader();
    try {
      await manager.request(`vendor-inventory events ${this.#options.owner}`, options, () => this.#listen(signal));
    } catch (error) {
      // The tab stopped waiting for the lock, or another tab has stolen it.
      if ((error as Error).name !== 'AbortError') throw error;
    } finally {
      // A stolen lock does not end the work that runs under it.
      leadership.abort();
      this.#isAlive = false;
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#leaderTimer);
    while (!signal.aborted) {
      const hasReceived = await this.#readStream(signal);
      this.#isAlive = false;
      if (signal.aborted) return;
      this.#failures = hasReceived ? 0 : this.#failures + 1;
      // Two streams in a row without a byte: something on the way buffers them.
      const isBlocked = this.#failures > 1;
      if (isBlocked) this.#hint(true);
      await pause(isBlocked ? this.#times.poll : this.#times.reconnect, signal);
    }
  }

  /** @returns whether any byte arrived */
  async #readStream(signal: AbortSignal): Promise<boolean> {
    const { client, revision, notifyTabs, onReset } = this.#options;
    let hasReceived = false;
    await readHints((call) => client.events(this.#lastEventId ?? revision()?.toString(), call), {
      signal,
      silence: this.#times.silence,
      onBytes: () => {
        hasReceived = this.#isAlive = true;
        notifyTabs({ kind: 'listening' });
      },
      onEvent: ({ id, type }) => {
        this.#lastEventId = id ?? this.#lastEventId;
        if (type !== 'reset') return this.#hint(true);
        notifyTabs({ kind: 'everything' });
        onReset();
      },
    });
    return hasReceived;
  }

  /** @param isFirst the other tabs do not know of the change yet */
  #hint(isFirst = false): void {
    // The leader notifies the others even if it requests nothing itself, as a hidden tab does.
    if (isFirst && !this.#changesInGap++) {
      const notify = (): void => this.#options.notifyTabs({ kind: 'items' });
      notify();
      setTimeout(() => {
        if (this.#changesInGap > 1) notify();
        this.#changesInGap = 0;
      }, this.#times.gap);
    }
    this.#hasHint = true;
    if (!this.#isRequesting && this.#connection !== undefined && !document.hidden) void this.#requestChanges();
  }

  async #requestChanges(): Promise<void> {
    this.#isRequesting = true;
    this.#hasHint = false;
    await this.#options.onHint();
    await new Promise((resolve) => setTimeout(resolve, this.#times.gap));
    this.#isRequesting = false;
    if (this.#hasHint) this.#hint();
  }

  #watchLeader(): void {
    clearTimeout(this.#leaderTimer);
    this.#leaderTimer = setTimeout(() => {
      this.#isAlive = false;
      // A hidden tab leaves the leadership to a visible one.
      if (document.hidden) {
        this.#watchLeader();
        return;
      }
      this.#mayStealLock = true;
      this.#leadership?.abort();
    }, this.#times.frozen);
  }
}

/**
 * Waits between half of the time and all of it, so that pages do not reconnect at the same moment. It allows one wait at a
 * time for a signal: `onabort` does not collect listeners on a signal that may live for hours.
 */
function pause(maxMs: number, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, (maxMs * (1 + Math.random())) / 2);
    signal.onabort = resolve;
  });
}

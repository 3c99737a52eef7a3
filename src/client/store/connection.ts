import { BackOff } from '../browser/backoff.js';
import { watchPage } from '../browser/page-lifecycle.js';

/**
 * Decides when to load from the proxy: when the first element subscribes, when the person returns to the page, and after a
 * failure with growing intervals until all requests succeed. It runs one load at a time.
 */
export class Connection {
  readonly #load: () => Promise<() => void>;
  readonly #later = new BackOff(1_000, 30_000);
  readonly #watch: () => () => void;
  #loading: Promise<void> | undefined;
  /** Set while the store has subscribers. */
  #unwatch: (() => void) | undefined;

  /**
   * @param load resolves to a function that reports the outcome
   * @param canLeave whether no edit would be lost if the page closed now
   * @param onGone called when the page is hidden; it may never be shown again
   */
  constructor(load: () => Promise<() => void>, canLeave: () => boolean, onGone: () => void) {
    this.#load = load;
    this.#watch = () => watchPage(() => void this.refresh(), canLeave, onGone);
  }

  get isOpen(): boolean {
    return this.#unwatch !== undefined;
  }

  open(): void {
    this.#unwatch = this.#watch();
    void this.#connect();
  }

  close(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#later.cancel();
  }

  async refresh(): Promise<void> {
    this.#later.reset();
    await this.#connect();
  }

  /**
   * Starts another load after the current one, whose responses may be outdated.
   *
   * @param before called between the two loads
   */
  async reload(before: () => void): Promise<void> {
    await this.#loading;
    this.#later.reset();
    before();
    await this.#connect();
  }

  /** @param minMs the wait that the proxy asked for */
  loadLater(minMs = 0): void {
    if (this.isOpen) this.#later.plan(() => void this.#connect(), minMs);
  }

  onSuccess(): void {
    this.#later.reset();
  }

  #connect(): Promise<void> {
    this.#loading ??= this.#loadOnce();
    return this.#loading;
  }

  async #loadOnce(): Promise<void> {
    let report: () => void;
    try {
      report = await this.#load();
    } finally {
      this.#loading = undefined;
    }
    // Reported after `#loading` is cleared, because a listener may start the next load at once.
    report();
  }
}

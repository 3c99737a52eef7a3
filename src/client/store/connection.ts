import { BackOff } from '../browser/backoff.js';
import { watchPage } from '../browser/page-lifecycle.js';

/**
 * When to ask the proxy: as soon as somebody looks, when the page comes back to life, and after a failure, less and less
 * often until everything went well. One load at a time.
 */
export class Connection {
  readonly #load: () => Promise<() => void>;
  readonly #later = new BackOff(1_000, 30_000);
  readonly #watch: () => () => void;
  #loading: Promise<void> | undefined;
  /** While somebody looks. */
  #unwatch: (() => void) | undefined;

  /**
   * @param load resolves to what is to be told of its outcome
   * @param mayLeave whether nothing would be lost with the page
   * @param onGone the page is going, perhaps for good
   */
  constructor(load: () => Promise<() => void>, mayLeave: () => boolean, onGone: () => void) {
    this.#load = load;
    this.#watch = () => watchPage(() => void this.refresh(), mayLeave, onGone);
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
   * A load that is on its way may be about the time before: another one follows it.
   * @param before to be done between the two
   */
  async loadAnew(before: () => void): Promise<void> {
    await this.#loading;
    this.#later.reset();
    before();
    await this.#connect();
  }

  /** @param leastMs the wait that the proxy asked for */
  loadLater(leastMs = 0): void {
    if (this.isOpen) this.#later.plan(() => void this.#connect(), leastMs);
  }

  wentWell(): void {
    this.#later.reset();
  }

  #connect(): Promise<void> {
    this.#loading ??= this.#loadOnce();
    return this.#loading;
  }

  async #loadOnce(): Promise<void> {
    let tell: () => void;
    try {
      tell = await this.#load();
    } finally {
      this.#loading = undefined;
    }
    // Only now: whoever is told may ask anew at once.
    tell();
  }
}

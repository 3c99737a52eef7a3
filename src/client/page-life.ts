/** What happens to the page as a whole: the network or the person is back, or the person is about to leave. */
export class PageLife {
  readonly #onReturn: () => void;
  readonly #mayLeave: () => boolean;
  readonly #onGone: () => void;

  /** @param mayLeave whether nothing would be lost @param onGone phones tell of nothing later than this */
  constructor(onReturn: () => void, mayLeave: () => boolean, onGone: () => void) {
    this.#onReturn = onReturn;
    this.#mayLeave = mayLeave;
    this.#onGone = onGone;
  }

  watch(): void {
    addEventListener('online', this.#return);
    addEventListener('pageshow', this.#restore);
    document.addEventListener('visibilitychange', this.#return);
    addEventListener('beforeunload', this.#leave);
    addEventListener('pagehide', this.#onGone);
  }

  unwatch(): void {
    removeEventListener('online', this.#return);
    removeEventListener('pageshow', this.#restore);
    document.removeEventListener('visibilitychange', this.#return);
    removeEventListener('beforeunload', this.#leave);
    removeEventListener('pagehide', this.#onGone);
  }

  readonly #return = (): void => {
    if (document.visibilityState === 'visible') this.#onReturn();
  };

  /** Out of the browser's cache of pages: whatever was in flight is gone. */
  readonly #restore = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.#onReturn();
  };

  readonly #leave = (event: BeforeUnloadEvent): void => {
    if (!this.#mayLeave()) event.preventDefault();
  };
}

/** What happens to the page as a whole: the network or the person is back, or the person is about to leave. */
export class PageLife {
  readonly #onReturn: () => void;
  readonly #mayLeave: () => boolean;

  /** @param mayLeave whether nothing would be lost */
  constructor(onReturn: () => void, mayLeave: () => boolean) {
    this.#onReturn = onReturn;
    this.#mayLeave = mayLeave;
  }

  watch(): void {
    addEventListener('online', this.#return);
    document.addEventListener('visibilitychange', this.#return);
    addEventListener('beforeunload', this.#leave);
  }

  unwatch(): void {
    removeEventListener('online', this.#return);
    document.removeEventListener('visibilitychange', this.#return);
    removeEventListener('beforeunload', this.#leave);
  }

  readonly #return = (): void => {
    if (document.visibilityState === 'visible') this.#onReturn();
  };

  readonly #leave = (event: BeforeUnloadEvent): void => {
    if (!this.#mayLeave()) event.preventDefault();
  };
}

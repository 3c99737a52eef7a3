/** A hand that rests on a switch is no reason to show old values for long. */
const LONGEST_MS = 2_000;

/**
 * Whether a person is just about to act: a finger, a button or the space bar is down. What others change waits until the
 * click that follows has been heard, so that nobody turns round what has changed under their finger.
 */
export class Hands {
  #lift: (() => void) | undefined;
  #resting: Promise<void> | undefined;
  #longest: ReturnType<typeof setTimeout> | undefined;

  watch(): void {
    for (const [name, listener] of this.#listeners) document.addEventListener(name, listener, true);
  }

  unwatch(): void {
    for (const [name, listener] of this.#listeners) document.removeEventListener(name, listener, true);
    this.#onLifted();
  }

  /** Resolves when no hand is on the page, at once where none is. */
  atRest(): Promise<void> | undefined {
    return this.#resting;
  }

  readonly #onDown = (event: Event): void => {
    if (event instanceof KeyboardEvent && event.key !== ' ') return;
    this.#resting ??= new Promise((resolve) => {
      this.#lift = resolve;
    });
    clearTimeout(this.#longest);
    this.#longest = setTimeout(this.#onLifted, LONGEST_MS);
  };

  /** The click comes right after this, and sees what the person saw. */
  readonly #onUp = (): void => {
    clearTimeout(this.#longest);
    this.#longest = setTimeout(this.#onLifted);
  };

  readonly #onLifted = (): void => {
    clearTimeout(this.#longest);
    this.#resting = undefined;
    this.#lift?.();
  };

  readonly #listeners: readonly (readonly [string, (event: Event) => void])[] = [
    ['pointerdown', this.#onDown],
    ['keydown', this.#onDown],
    ['pointerup', this.#onUp],
    ['pointercancel', this.#onUp],
    ['keyup', this.#onUp],
  ];
}

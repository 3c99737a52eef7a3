/** A hand that rests on a switch is no reason to show old values for long. */
const LONGEST_MS = 2_000;

const EVENTS = ['pointerdown', 'keydown', 'pointerup', 'pointercancel', 'keyup'];

/**
 * Whether a person is just about to act: a finger, a button or the space bar is down. What others change waits until the
 * click that follows has been heard, so that nobody turns round what has changed under their finger.
 */
export class Hands {
  #lift: (() => void) | undefined;
  #resting: Promise<void> | undefined;
  #longest: ReturnType<typeof setTimeout> | undefined;

  watch(): void {
    for (const name of EVENTS) document.addEventListener(name, this, true);
  }

  unwatch(): void {
    for (const name of EVENTS) document.removeEventListener(name, this, true);
    this.#onLifted();
  }

  /** Resolves when no hand is on the page, at once where none is. */
  rest(): Promise<void> | undefined {
    return this.#resting;
  }

  handleEvent(event: Event): void {
    const isDown = event.type.endsWith('down');
    if (isDown && event instanceof KeyboardEvent && event.key !== ' ') return;
    if (isDown) {
      this.#resting ??= new Promise((resolve) => {
        this.#lift = resolve;
      });
    }
    clearTimeout(this.#longest);
    // After a hand is lifted the click comes right behind, and sees what the person saw.
    this.#longest = setTimeout(this.#onLifted, isDown ? LONGEST_MS : 0);
  }

  readonly #onLifted = (): void => {
    clearTimeout(this.#longest);
    this.#resting = undefined;
    this.#lift?.();
  };
}

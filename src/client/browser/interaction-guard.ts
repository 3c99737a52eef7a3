/** A finger that rests on a switch delays updates no longer than this. */
const MAX_WAIT_MS = 2_000;

const EVENTS = ['pointerdown', 'keydown', 'pointerup', 'pointercancel', 'keyup'];

/**
 * Whether a click is in progress: a finger, a mouse button or the space bar is down. Remote updates wait until the click
 * was handled, so that they cannot change a value under the finger and invert the click.
 */
export class InteractionGuard {
  #resolve: (() => void) | undefined;
  #released: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  watch(): void {
    for (const name of EVENTS) document.addEventListener(name, this, true);
  }

  unwatch(): void {
    for (const name of EVENTS) document.removeEventListener(name, this, true);
    this.#release();
  }

  /** @returns a promise that resolves when no click is in progress; `undefined` if none is now */
  untilReleased(): Promise<void> | undefined {
    return this.#released;
  }

  handleEvent(event: Event): void {
    const isDown = event.type.endsWith('down');
    if (isDown && event instanceof KeyboardEvent && event.key !== ' ') return;
    if (isDown) {
      this.#released ??= new Promise((resolve) => {
        this.#resolve = resolve;
      });
    }
    clearTimeout(this.#timer);
    // The click event follows the release at once, before the timer, and so acts on the value that the person saw.
    this.#timer = setTimeout(this.#release, isDown ? MAX_WAIT_MS : 0);
  }

  readonly #release = (): void => {
    clearTimeout(this.#timer);
    this.#released = undefined;
    this.#resolve?.();
  };
}

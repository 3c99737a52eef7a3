/** A finger that rests on a switch delays updates no longer than this. */
const MAX_WAIT_MS = 2_000;

const EVENTS = ['pointerdown', 'keydown', 'pointerup', 'pointercancel', 'keyup'];

/** Other documents to which elements were moved, with the number of elements in each. */
const others = new Map<Document, number>();
const guards = new Set<InteractionGuard>();

/**
 * Watches the document of an element, which may be in a frame or another window. @returns a function that stops
 * watching
 */
export function watchInput(owner: Document): () => void {
  if (owner === document) return () => undefined;
  if (!others.has(owner)) for (const guard of guards) listen(owner, guard);
  others.set(owner, (others.get(owner) ?? 0) + 1);
  return () => {
    const count = (others.get(owner) ?? 1) - 1;
    if (count > 0) return void others.set(owner, count);
    others.delete(owner);
    for (const guard of guards) leave(owner, guard);
  };
}

function listen(owner: Document, guard: InteractionGuard): void {
  for (const name of EVENTS) owner.addEventListener(name, guard, true);
}

function leave(owner: Document, guard: InteractionGuard): void {
  for (const name of EVENTS) owner.removeEventListener(name, guard, true);
}

/**
 * Whether a click is in progress: a finger, a mouse button or the space bar is down. Remote updates wait until the click
 * was handled, so that they cannot change a value under the finger and invert the click.
 */
export class InteractionGuard {
  #resolve: (() => void) | undefined;
  #released: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  watch(): void {
    guards.add(this);
    for (const owner of [document, ...others.keys()]) listen(owner, this);
  }

  unwatch(): void {
    guards.delete(this);
    for (const owner of [document, ...others.keys()]) leave(owner, this);
    this.#release();
  }

  /** @returns a promise that resolves when no click is in progress; `undefined` if none is now */
  untilReleased(): Promise<void> | undefined {
    return this.#released;
  }

  handleEvent(event: Event): void {
    const isDown = event.type.endsWith('down');
    if (isDown && 'key' in event && event.key !== ' ') return;
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

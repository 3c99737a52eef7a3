import type { Wanted } from './editor-context.js';

/** Who types hears the count when they pause: one with each key would cut off the key and the one before. */
const PAUSE_MS = 600;

/** When to say how much has been found: once for each thing that a person looks for. */
export class FoundCount {
  #isAsked = false;
  #pause = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  ask({ text, filter }: Partial<Wanted>): void {
    this.close();
    this.#isAsked = text !== undefined || filter !== undefined;
    this.#pause = text === undefined ? 0 : PAUSE_MS;
  }

  /** All of it is found. */
  isFound(say: () => void): void {
    if (this.#isAsked) this.#timer = setTimeout(say, this.#pause);
    this.#isAsked = false;
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

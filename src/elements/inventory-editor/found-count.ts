import type { Wanted } from './editor-context.js';

/** Who types hears the count when they pause: one with each key would cut off the key and the one before. */
const PAUSE_MS = 600;

/** When to say how much has been found: once for each thing that a person looks for. */
export class FoundCount {
  #isAsked = false;
  #pause = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  ask({ text, filter }: Partial<Wanted>): void {
    // Another order finds nothing else.
    if (text === undefined && filter === undefined) return;
    this.close();
    this.#isAsked = true;
    this.#pause = text === undefined ? 0 : PAUSE_MS;
  }

  /** All of it is found. @param search may begin anew before it is said */
  isFound(search: { readonly busy: boolean }, say: () => void): void {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#timer = setTimeout(() => {
      if (search.busy) this.#isAsked = true;
      else say();
    }, this.#pause);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

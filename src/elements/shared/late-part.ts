/** A module that is imported on demand, once for all elements, and again after the network failed. */
export class LatePart<T> {
  /** `undefined` until the module is loaded; `null` after the network failed. */
  there: T | null | undefined;
  readonly #import: () => Promise<T>;
  #loading: Promise<void> | undefined;

  constructor(load: () => Promise<T>) {
    this.#import = load;
  }

  load(): Promise<void> {
    this.#loading ??= this.#import().then(
      (part) => {
        this.there = part;
      },
      () => {
        this.#loading = undefined;
        this.there = null;
      },
    );
    return this.#loading;
  }

  /**
   * @param onChange called when the module is loaded, or failed to load for the first time
   * @returns the module, if it is loaded; otherwise it is loaded now
   */
  ask(onChange: () => void): T | null | undefined {
    const { there } = this;
    if (!there) void this.load().then(() => this.there !== there && onChange());
    return there;
  }
}

/** A module that is imported on demand, once for all elements, and again after the network failed. */
export class LazyModule<T> {
  /** `undefined` until the module is loaded; `null` after the network failed. */
  module: T | null | undefined;
  readonly #import: () => Promise<T>;
  #loading: Promise<void> | undefined;

  constructor(load: () => Promise<T>) {
    this.#import = load;
  }

  load(): Promise<void> {
    this.#loading ??= this.#import().then(
      (part) => {
        this.module = part;
      },
      () => {
        this.#loading = undefined;
        this.module = null;
      },
    );
    return this.#loading;
  }

  /**
   * @param onChange called when the module is loaded, or failed to load for the first time
   * @returns the module, if it is loaded; otherwise it is loaded now
   */
  request(onChange: () => void): T | null | undefined {
    const { module } = this;
    if (!module) void this.load().then(() => this.module !== module && onChange());
    return module;
  }
}

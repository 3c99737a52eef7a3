/** Loaded once for all elements, and again where the network lost it. */
export class LatePart<T> {
  /** Absent until it is loaded. */
  there: T | undefined;
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
      },
    );
    return this.#loading;
  }

  /** @returns `undefined` where it has to be loaded first @param onLoaded where it is lost, nothing is heard of it */
  ask(onLoaded: () => void): T | undefined {
    if (this.there === undefined) void this.load().then(() => this.there && onLoaded());
    return this.there;
  }
}

/** Loaded once for all elements, and again where the network lost it. */
export class LatePart<T> {
  /** Absent until it is loaded; `null`: the network has lost it. */
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

  /** @returns nothing where it has to be loaded first @param onChange it is there, or lost for the first time */
  ask(onChange: () => void): T | null | undefined {
    const { there } = this;
    if (!there) void this.load().then(() => this.there !== there && onChange());
    return there;
  }
}

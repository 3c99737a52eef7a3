/** What is said where storage fails: once for each trouble, because storage that is gone is asked again and again. */
export class StorageTrouble {
  #isSaid = false;

  /** A failing read or bookkeeping write loses nothing: the row stays, and a receipt settles it at the next visit. */
  async quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#isSaid = false;
      return done;
    } catch (error) {
      this.warn(error);
      return undefined;
    }
  }

  warn(error: unknown): void {
    if (!this.#isSaid) console.warn('vendor-inventory-widget: browser storage failed.', error);
    this.#isSaid = true;
  }
}

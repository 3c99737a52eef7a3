import type { ItemId } from '../../domain/item.js';

/**
 * Whether a vendor's ids never collide with those of others at the portal (`PortalCredentials.isIsolated`). Settings change
 * it.
 */
export type IsIsolated = (vendor: string) => boolean;

/** The vendors whose lists name each id. Usually that is one vendor. */
export class ListedIds {
  readonly #vendors = new Map<ItemId, string | readonly string[]>();
  #contested = 0;

  /** Whether an id is named by several lists. */
  get hasContested(): boolean {
    return this.#contested > 0;
  }

  /** @returns whether this makes the id contested: another list already names it, and this one did not */
  add(id: ItemId, vendor: string): boolean {
    const before = this.#vendors.get(id);
    if (before === undefined) this.#vendors.set(id, vendor);
    if (before === undefined || before === vendor) return false;
    const vendors = this.#of(id);
    if (!vendors.includes(vendor)) this.set(id, [...vendors, vendor]);
    return !vendors.includes(vendor);
  }

  remove(id: ItemId, vendor: string): void {
    const before = this.#vendors.get(id);
    if (before === vendor) this.#vendors.delete(id);
    else if (before !== undefined)
      this.set(
        id,
        this.#of(id).filter((other) => other !== vendor),
      );
  }

  set(id: ItemId, vendors: readonly string[]): void {
    if (this.#of(id).length > 1) this.#contested -= 1;
    if (vendors.length > 1) this.#contested += 1;
    const [first] = vendors;
    if (first === undefined) this.#vendors.delete(id);
    else this.#vendors.set(id, vendors.length === 1 ? first : vendors);
  }

  ownerOf(id: ItemId, isIsolated: IsIsolated): string | undefined {
    const vendors = this.#vendors.get(id);
    if (typeof vendors === 'string') return isIsolated(vendors) ? undefined : vendors;
    return vendors?.find((vendor) => !isIsolated(vendor));
  }

  #of(id: ItemId): readonly string[] {
    const vendors = this.#vendors.get(id);
    return typeof vendors === 'string' ? [vendors] : (vendors ?? []);
  }
}

import type { ItemIndex, RowOrder } from '../editor-types.js';
import { MANY } from '../item-list.js';
import type { ItemGroups } from './item-groups.js';

/**
 * Whether an item index is that of a heading: a number below those of all items, which a group keeps for the lifetime
 * of the list.
 */
export function isHeading(itemIndex: ItemIndex | undefined): itemIndex is ItemIndex {
  return itemIndex !== undefined && itemIndex < MANY;
}

/**
 * A list in the order of its groups, with a heading before each group and without the items of collapsed groups. It is
 * derived once for each order of the items, and not while a person scrolls.
 */
export class GroupedOrder {
  /** The groups that the person collapsed. They are saved with the view. */
  readonly collapsed = new Set<string>();
  /** The groups that the person collapsed during a search or filter, which starts with all groups expanded. */
  readonly #collapsedInSearch = new Set<string>();
  readonly #groups: ItemGroups;
  readonly #names: string[] = [];
  readonly #headings = new Map<string, ItemIndex>();
  #isSearch = false;
  #made:
    { readonly from: RowOrder; readonly length: number; readonly names: unknown; readonly rows: RowOrder } | undefined;

  constructor(groups: ItemGroups) {
    this.#groups = groups;
  }

  /** @param order of items that are sorted by group */
  of(order: RowOrder): RowOrder {
    const { names } = this.#groups;
    const made = this.#made;
    // The same order grows while a search runs, so its length is compared too.
    if (made?.from === order && made.length === order.length && made.names === names) return made.rows;
    const rows = this.#withHeadings(order);
    this.#made = { from: order, length: order.length, names, rows };
    return rows;
  }

  /** Call when the query changes. @param isSearch whether the query may leave out items of a group */
  search(isSearch: boolean): void {
    this.#isSearch = isSearch;
    this.#collapsedInSearch.clear();
    this.#made = undefined;
  }

  /** Whether the list has all items of each group. */
  get isWhole(): boolean {
    return !this.#isSearch;
  }

  nameOf(heading: ItemIndex): string {
    return this.#names[MANY - 1 - heading] ?? '';
  }

  isCollapsed(name: string): boolean {
    return this.#now.has(name);
  }

  toggle(name: string): void {
    if (!this.#now.delete(name)) this.#now.add(name);
    this.#made = undefined;
  }

  get #now(): Set<string> {
    return this.#isSearch ? this.#collapsedInSearch : this.collapsed;
  }

  #withHeadings(order: RowOrder): readonly ItemIndex[] {
    const rows: ItemIndex[] = [];
    let last: string | undefined;
    let isCollapsed = false;
    for (let viewIndex = 0; viewIndex < order.length; viewIndex += 1) {
      const itemIndex = order.at(viewIndex) ?? MANY;
      const name = this.#groups.nameAt(itemIndex) ?? '';
      if (name !== last) {
        rows.push(this.#headingOf(name));
        isCollapsed = this.isCollapsed(name);
        last = name;
      }
      if (!isCollapsed) rows.push(itemIndex);
    }
    return rows;
  }

  #headingOf(name: string): ItemIndex {
    const known = this.#headings.get(name);
    if (known !== undefined) return known;
    const heading = MANY - this.#names.push(name);
    this.#headings.set(name, heading);
    return heading;
  }
}

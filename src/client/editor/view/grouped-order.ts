import type { Position, RowOrder } from '../editor-types.js';
import { MANY } from '../item-list.js';
import type { ItemGroups } from './item-groups.js';

/** A place of a grouped list has a heading: a number below all positions, the same for a group as long as the list lives. */
export function isHeading(position: Position | undefined): position is Position {
  return position !== undefined && position < MANY;
}

/**
 * A list in the order of its groups, with a heading before each group and without the items of collapsed groups. It is derived
 * from the order of the items, once for each order and not while a person scrolls.
 */
export class GroupedOrder {
  /** Kept with the view of the person. */
  readonly collapsed = new Set<string>();
  /** The same while the person searches or filters: what is found is shown, wherever it is. */
  readonly #collapsedInSearch = new Set<string>();
  readonly #groups: ItemGroups;
  readonly #names: string[] = [];
  readonly #headings = new Map<string, Position>();
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
    // A list that is being found grows.
    if (made?.from === order && made.length === order.length && made.names === names) return made.rows;
    const rows = this.#withHeadings(order);
    this.#made = { from: order, length: order.length, names, rows };
    return rows;
  }

  /** The person looks for something else. @param isSearch some items of a group may be left out */
  search(isSearch: boolean): void {
    this.#isSearch = isSearch;
    this.#collapsedInSearch.clear();
    this.#made = undefined;
  }

  /** Whether every item of a group that is listed is an item of the group, and the other way round. */
  get isWhole(): boolean {
    return !this.#isSearch;
  }

  nameOf(heading: Position): string {
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

  #withHeadings(order: RowOrder): readonly Position[] {
    const rows: Position[] = [];
    let last: string | undefined;
    let isCollapsed = false;
    for (let place = 0; place < order.length; place += 1) {
      const position = order.at(place) ?? MANY;
      const name = this.#groups.nameAt(position) ?? '';
      if (name !== last) {
        rows.push(this.#headingOf(name));
        isCollapsed = this.isCollapsed(name);
        last = name;
      }
      if (!isCollapsed) rows.push(position);
    }
    return rows;
  }

  #headingOf(name: string): Position {
    const known = this.#headings.get(name);
    if (known !== undefined) return known;
    const heading = MANY - this.#names.push(name);
    this.#headings.set(name, heading);
    return heading;
  }
}

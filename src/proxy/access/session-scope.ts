import { compareIds, type ItemId } from '../../domain/item.js';
import type { ItemSelection } from '../outbox/outbox.js';
import type { ProxySession } from './session.js';

/** Largest number of ids in one query to the outbox. */
const IDS_AT_ONCE = 200;
/** Ids have at most 200 characters, so every id with a prefix sorts between the prefix and the prefix followed by these. */
const LAST_CHARACTERS = '\u{10ffff}'.repeat(200);

/**
 * The `items` claim of a session, indexed. A claim may name hundreds of ids and prefixes, and a listing checks thousands of
 * items; the cost of one check grows only with the logarithm of the number of prefixes.
 */
export class SessionScope {
  readonly #ids: ReadonlySet<string>;
  /** Sorted; no prefix begins with another one. */
  readonly #prefixes: readonly string[];
  readonly #selections: readonly ItemSelection[];

  constructor(items: readonly string[]) {
    const prefixes = items.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
    this.#prefixes = shortest(prefixes.sort(compare));
    // A pattern with an asterisk begins with its own prefix, so only ids are left.
    this.#ids = new Set(items.filter((pattern) => !this.#hasPrefixOf(pattern)));
    this.#selections = selectionsOf([...this.#ids], this.#prefixes);
  }

  has(id: ItemId): boolean {
    return this.#ids.has(id) || this.#hasPrefixOf(id);
  }

  /** Ranges and id lists, ordered by id, that together cover every item of the scope after `after`. */
  selectionsAfter(after: ItemId | undefined): readonly ItemSelection[] {
    if (after === undefined) return this.#selections;
    return this.#selections.filter(({ to }) => compare(to, after) > 0);
  }

  #hasPrefixOf(id: string): boolean {
    let [low, high] = [0, this.#prefixes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#prefixes[middle] ?? '', id) <= 0) low = middle + 1;
      else high = middle;
    }
    const nearest = this.#prefixes[low - 1];
    return nearest !== undefined && id.startsWith(nearest);
  }
}

const scopes = new WeakMap<readonly string[], SessionScope>();

/** @returns `undefined` for a session that may access all items of its vendor */
export function scopeOf({ items }: Pick<ProxySession, 'items'>): SessionScope | undefined {
  if (items === undefined) return undefined;
  const scope = scopes.get(items) ?? new SessionScope(items);
  scopes.set(items, scope);
  return scope;
}

/** @param sorted prefixes in order, so that a prefix comes before all that begin with it */
function shortest(sorted: readonly string[]): string[] {
  const covering: string[] = [];
  for (const prefix of sorted) {
    const last = covering.at(-1);
    if (last === undefined || !prefix.startsWith(last)) covering.push(prefix);
  }
  return covering;
}

function selectionsOf(ids: readonly string[], prefixes: readonly string[]): ItemSelection[] {
  const ranges = prefixes.map((prefix) => ({ from: prefix, to: prefix + LAST_CHARACTERS, id: undefined }));
  const points = ids.map((id) => ({ from: id, to: id, id }));
  const selections: { from: string; to: string; ids?: string[] }[] = [];
  for (const { from, to, id } of [...ranges, ...points].sort((a, b) => compare(a.from, b.from))) {
    const last = selections.at(-1);
    if (id !== undefined && last?.ids !== undefined && last.ids.length < IDS_AT_ONCE) {
      last.ids.push(id);
      last.to = to;
    } else {
      selections.push(id === undefined ? { from, to } : { from, to, ids: [id] });
    }
  }
  return selections;
}

function compare(a: string, b: string): number {
  return compareIds(a as ItemId, b as ItemId);
}

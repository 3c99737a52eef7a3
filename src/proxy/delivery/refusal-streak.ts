import type { ItemId } from '../../domain/item.js';

/** Different items in a row that get the same refusal before we stop believing that it is about the items. */
export const SAME_REFUSALS = 5;

export interface RefusedEdit {
  readonly seq: number;
  readonly vendor: string;
  readonly id: ItemId;
}

/** What is known of a lane's refusals since something passed. It is kept with the lane, for whoever holds it next. */
export interface Refusals {
  /** That of the last ones in a row. */
  readonly code: string;
  /** One of each item. */
  readonly edits: readonly RefusedEdit[];
  /** Parked for nothing, and not brought back yet: the storage may fail, or the process, in between. */
  readonly wronged: readonly RefusedEdit[];
}

const NONE: Refusals = { code: '', edits: [], wronged: [] };

/**
 * Tells a portal that refuses an item from one that refuses everything. Refusals park their edits at once; when five
 * different items in a row got the same one and none passed, all of them were parked for nothing. They may be days apart,
 * and each the call of another process: what one has counted is noted in the transaction that parks, and the next goes on.
 */
export class RefusalStreak {
  #refusals: Refusals;
  readonly #doubted: Set<string>;

  /** @param doubted brought back once. When the portal has taken others since, another refusal is about the item after all */
  constructor(refusals: Refusals | undefined, doubted: Set<string>) {
    this.#refusals = refusals ?? NONE;
    this.#doubted = doubted;
  }

  /** Another object when anything has changed. */
  get refusals(): Refusals {
    return this.#refusals;
  }

  /** @param edits of one call @returns whether these refusals complete the streak */
  refused(edits: readonly RefusedEdit[], codeOf: (edit: RefusedEdit) => string): boolean {
    const before = this.#refusals.wronged.length;
    for (const code of new Set(edits.map(codeOf))) {
      const alike = edits.filter((edit) => codeOf(edit) === code);
      const fresh = alike.filter(({ id }) => !this.#doubted.delete(id));
      if (fresh.length > 0) this.#refusals = withMore(this.#refusals, code, fresh);
    }
    return this.#refusals.wronged.length > before;
  }

  /** @param edits of the call that passed: such of them as were brought back have been taken after all */
  passed(edits: readonly Pick<RefusedEdit, 'id'>[]): void {
    for (const { id } of edits) this.#doubted.delete(id);
    if (this.#refusals.edits.length > 0) this.#refusals = { ...NONE, wronged: this.#refusals.wronged };
  }

  /** @param edits of `wronged`: another call may have added some meanwhile */
  broughtBack(edits: readonly RefusedEdit[]): void {
    for (const { id } of edits) this.#doubted.add(id);
    const wronged = this.#refusals.wronged.filter((edit) => !edits.includes(edit));
    this.#refusals = { ...this.#refusals, wronged };
  }
}

function withMore(known: Refusals, code: string, fresh: readonly RefusedEdit[]): Refusals {
  const before = code === known.code ? known.edits : [];
  const edits = new Map([...before, ...fresh].map(({ seq, vendor, id }) => [id, { seq, vendor, id }]));
  return edits.size < SAME_REFUSALS
    ? { code, edits: [...edits.values()], wronged: known.wronged }
    : { ...NONE, wronged: [...known.wronged, ...edits.values()] };
}

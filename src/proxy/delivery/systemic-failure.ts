import type { OpenEdit, RefusedEdit, Refusals } from '../outbox/outbox.js';

/** Different items in a row that get the same refusal before we stop believing that it is about the items. */
export const SYSTEMIC_THRESHOLD = 5;

const NONE: Refusals = { code: '', edits: [], wronged: [] };

/**
 * Tells a portal that refuses an item from one that refuses everything. Refusals park their edits at once; when five
 * different items in a row got the same one and none passed, all of them were parked for nothing. They may be days apart,
 * and each the call of another process: what one has counted is noted in the transaction that parks, and the next goes on.
 */
export class SystemicFailureDetector {
  #refusals: Refusals;
  readonly #reopened: Set<string>;

  /** @param doubted brought back once. When the portal has taken others since, another refusal is about the item after all */
  constructor(refusals: Refusals | undefined, doubted: Set<string>) {
    this.#refusals = refusals ?? NONE;
    this.#reopened = doubted;
  }

  /** Another object when anything has changed. */
  get refusals(): Refusals {
    return this.#refusals;
  }

  /** @param edits of one call @returns whether these refusals complete the streak */
  recordRejected(edits: readonly RefusedEdit[], codeOf: (edit: RefusedEdit) => string): boolean {
    const before = this.#refusals.wronged.length;
    for (const code of new Set(edits.map(codeOf))) {
      const alike = edits.filter((edit) => codeOf(edit) === code);
      const fresh = alike.filter(({ id }) => !this.#reopened.delete(id));
      if (fresh.length > 0) this.#refusals = withMore(this.#refusals, code, fresh);
    }
    return this.#refusals.wronged.length > before;
  }

  /** @param edits of the call that passed: such of them as were brought back have been taken after all */
  recordPassed(edits: readonly Pick<RefusedEdit, 'id'>[]): void {
    for (const { id } of edits) this.#reopened.delete(id);
    if (this.#refusals.edits.length > 0) this.#refusals = { ...NONE, wronged: this.#refusals.wronged };
  }

  /** @param edits of `wronged`: another call may have added some meanwhile */
  recordReopened(edits: readonly RefusedEdit[]): void {
    for (const { id } of edits) this.#reopened.add(id);
    const wronged = this.#refusals.wronged.filter((edit) => !edits.includes(edit));
    this.#refusals = { ...this.#refusals, wronged };
  }
}

function withMore(known: Refusals, code: string, fresh: readonly RefusedEdit[]): Refusals {
  const before = code === known.code ? known.edits : [];
  const edits = new Map([...before, ...fresh].map(({ seq, vendor, id }) => [id, { seq, vendor, id }]));
  return edits.size < SYSTEMIC_THRESHOLD
    ? { code, edits: [...edits.values()], wronged: known.wronged }
    : { ...NONE, wronged: [...known.wronged, ...edits.values()] };
}

/** Web pages that one edit alone must get, each after the portal took another call, before we believe that it is the edit. */
export const MAX_PAGES_ALONE = 3;

const MAX_TRACKED = 1_000;
const BATCHES = -1;

/**
 * Tells an edit that something in front of the portal answers with a web page (a web application firewall that dislikes an
 * id) from a portal that answers everybody with web pages for a while. One page proves nothing; the same edit alone, again
 * and again, between calls that pass, does. A portal of which one machine in two is broken parks an edit for nothing in one
 * case of eight, which its person may send again.
 */
export class NonApiResponses {
  readonly #sincePass = new Set<number>();
  readonly #alone = new Map<number, number>();

  /** @returns how many different edits got a page since the last call that passed; batches count as one */
  record(edits: readonly OpenEdit[]): number {
    const [edit] = edits;
    this.#sincePass.add(edit === undefined || edits.length > 1 ? BATCHES : edit.seq);
    return this.#sincePass.size;
  }

  /** One more page for this edit alone, after a call that passed. @returns whether it is the edit */
  blameEdit({ seq }: OpenEdit): boolean {
    const times = (this.#alone.get(seq) ?? 0) + 1;
    // Edits that another process took to their end stay behind here.
    if (this.#alone.size >= MAX_TRACKED) this.#alone.clear();
    this.#alone.set(seq, times);
    return times >= MAX_PAGES_ALONE && this.#alone.delete(seq);
  }

  recordPassed(edits: readonly OpenEdit[]): void {
    this.#sincePass.clear();
    for (const { seq } of edits) this.#alone.delete(seq);
  }
}

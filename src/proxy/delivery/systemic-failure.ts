import type { OpenEdit, RefusedEdit, Refusals } from '../outbox/outbox.js';

/** How often a held lane asks with one edit whether things have changed. */
export const TRIAL_INTERVAL_MS = 5 * 60_000;
/** Between two edits of a suspect, while the portal takes those of others. */
export const SUSPECT_INTERVAL_MS = 5_000;
/** Until another vendor's edit is tried, where a lane is held because the portal refuses: twice as long with each that is refused. */
const OTHER_VENDOR_MS = 2_000;

/** Different items in a row that get the same refusal before we stop believing that it is about the items. */
export const SYSTEMIC_THRESHOLD = 5;

const NONE: Refusals = { code: '', edits: [], wronged: [] };

/**
 * How long a lane is closed that is held because the portal refuses: an edit of another vendor tells soon whether it refuses
 * everything. With an isolated vendor there is no other.
 */
export function refusalPause(suspects: number, isShared: boolean): number {
  return isShared ? Math.min(TRIAL_INTERVAL_MS, OTHER_VENDOR_MS * 2 ** Math.max(0, suspects - 1)) : TRIAL_INTERVAL_MS;
}

/**
 * Tells a portal that refuses an item from one that refuses everything. Refusals park their edits at once; when five
 * different items in a row got the same one and none passed, all of them were parked for nothing. They may be days apart,
 * and each the call of another process: what one has counted is noted in the transaction that parks, and the next goes on.
 *
 * A streak may come from one vendor alone. Its vendors become suspects: the lane is held until an edit of another vendor is
 * tried, seconds later. If that one passes, the lane goes on, and only the edits of suspects leave alone, one at a time, until
 * one of theirs passes.
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

  get suspects(): ReadonlySet<string> {
    return new Set(this.#refusals.suspects);
  }

  /** When an edit of a suspect may leave; never further away than such a time is ever set. */
  trialAt(now: number): number {
    const { trialAt = 0 } = this.#refusals;
    return trialAt > now + TRIAL_INTERVAL_MS ? now : trialAt;
  }

  /** From now on edits of these vendors leave alone, and the next one then. */
  suspect(vendors: Iterable<string>, trialAt: number): void {
    this.#refusals = { ...this.#refusals, suspects: [...new Set([...this.suspects, ...vendors])], trialAt };
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
  recordPassed(edits: readonly Pick<RefusedEdit, 'id' | 'vendor'>[]): void {
    for (const { id } of edits) this.#reopened.delete(id);
    if (this.#refusals.edits.length > 0) this.#refusals = { ...this.#refusals, code: '', edits: [] };
    const passed = new Set(edits.map(({ vendor }) => vendor));
    const { suspects = [] } = this.#refusals;
    const left = suspects.filter((vendor) => !passed.has(vendor));
    if (left.length < suspects.length) this.#refusals = { ...this.#refusals, suspects: left };
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
    ? { ...known, code, edits: [...edits.values()] }
    : { ...known, code: '', edits: [], wronged: [...known.wronged, ...edits.values()] };
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

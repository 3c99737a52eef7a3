import type { OpenEdit, RefusedEdit, Refusals } from '../outbox/outbox.js';

/** Between two trial edits of a held lane. */
export const TRIAL_INTERVAL_MS = 5 * 60_000;
/** Between two edits of a suspect, while the portal takes those of others. */
export const SUSPECT_INTERVAL_MS = 5_000;
/** Until the edit of another vendor is tried, if a lane is held because of refusals. It doubles with each vendor that is refused. */
const OTHER_VENDOR_MS = 2_000;

/** If so many different items in a row get the same refusal, the cause is not the items. */
export const SYSTEMIC_THRESHOLD = 5;

const NONE: Refusals = { code: '', edits: [], wronged: [] };

/**
 * How long a lane pauses that is held because of refusals. In a shared lane the edit of another vendor shows soon whether the
 * portal refuses everything.
 */
export function refusalPause(suspects: number, isShared: boolean): number {
  return isShared ? Math.min(TRIAL_INTERVAL_MS, OTHER_VENDOR_MS * 2 ** Math.max(0, suspects - 1)) : TRIAL_INTERVAL_MS;
}

/**
 * Tells a portal that refuses an item from one that refuses everything. Each refusal is final for its edit at first. When five
 * different items in a row got the same refusal and none passed, all of them were rejected wrongly and are reopened. The
 * refusals may be days apart and in different processes, so the count is stored in the transaction that rejects an edit.
 *
 * A streak may come from one vendor alone. Its vendors become suspects: the lane is held until an edit of another vendor is
 * tried, seconds later. If that one passes, the lane goes on, and only the edits of suspects leave alone, one at a time, until
 * one of theirs passes.
 */
export class SystemicFailureDetector {
  #refusals: Refusals;
  readonly #reopened: Set<string>;

  /** @param doubted items that were reopened once. Their next refusal is about the item */
  constructor(refusals: Refusals | undefined, doubted: Set<string>) {
    this.#refusals = refusals ?? NONE;
    this.#reopened = doubted;
  }

  /** A new object after each change. */
  get refusals(): Refusals {
    return this.#refusals;
  }

  get suspects(): ReadonlySet<string> {
    return new Set(this.#refusals.suspects);
  }

  /** When an edit of a suspect may be sent. A time that is too far away comes from a clock that was set back since. */
  trialAt(now: number): number {
    const { trialAt = 0 } = this.#refusals;
    return trialAt > now + TRIAL_INTERVAL_MS ? now : trialAt;
  }

  /** Makes these vendors suspects: their edits are sent alone, the next one at `trialAt`. */
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

  /** @param edits of a call that passed; their vendors are no suspects any more */
  recordPassed(edits: readonly Pick<RefusedEdit, 'id' | 'vendor'>[]): void {
    for (const { id } of edits) this.#reopened.delete(id);
    if (this.#refusals.edits.length > 0) this.#refusals = { ...this.#refusals, code: '', edits: [] };
    const passed = new Set(edits.map(({ vendor }) => vendor));
    const { suspects = [] } = this.#refusals;
    const left = suspects.filter((vendor) => !passed.has(vendor));
    if (left.length < suspects.length) this.#refusals = { ...this.#refusals, suspects: left };
  }

  /** @param edits of `wronged`, to which another call may have added since */
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

/** An edit is refused after so many web pages in calls of its own, each after a call that passed. */
export const MAX_PAGES_ALONE = 3;

const MAX_TRACKED = 1_000;
const BATCHES = -1;

/**
 * Tells an edit that a firewall in front of the portal answers with a web page from a portal that answers every call with web
 * pages for a while. One page proves nothing; several for the same edit alone, between calls that pass, do. If one of two
 * machines of the portal is broken, one edit in eight is refused wrongly, and its person may retry it.
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
    // Entries of edits that another process settled are never deleted one by one.
    if (this.#alone.size >= MAX_TRACKED) this.#alone.clear();
    this.#alone.set(seq, times);
    return times >= MAX_PAGES_ALONE && this.#alone.delete(seq);
  }

  recordPassed(edits: readonly OpenEdit[]): void {
    this.#sincePass.clear();
    for (const { seq } of edits) this.#alone.delete(seq);
  }
}

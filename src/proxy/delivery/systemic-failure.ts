import type { OpenEdit, RejectedEdit, Rejections } from '../outbox/outbox.js';

/** The interval between two trial edits of a held lane. */
export const TRIAL_INTERVAL_MS = 5 * 60_000;
/** The interval between two edits of suspects, while the portal accepts edits of other vendors. */
export const SUSPECT_INTERVAL_MS = 5_000;
/**
 * The delay until an edit of another vendor is tried, if a lane is held because of rejections. It doubles with each
 * rejected vendor.
 */
const OTHER_VENDOR_MS = 2_000;

/** If this many different items in a row get the same rejection, the cause is not the items. */
export const SYSTEMIC_THRESHOLD = 5;

const NONE: Rejections = { code: '', edits: [], wronglyRejected: [] };

/**
 * How long a lane pauses that is held because of rejections. In a shared lane, an edit of another vendor soon shows
 * whether the portal rejects everything.
 */
export function rejectionPause(suspects: number, isShared: boolean): number {
  return isShared ? Math.min(TRIAL_INTERVAL_MS, OTHER_VENDOR_MS * 2 ** Math.max(0, suspects - 1)) : TRIAL_INTERVAL_MS;
}

/**
 * Distinguishes a portal that rejects an item from one that rejects everything. Each rejection is final for its edit at
 * first. When five different items in a row got the same rejection and none passed, all of them were rejected wrongly
 * and are reopened. The rejections may be days apart and in different processes, so the count is stored in the
 * transaction that rejects an edit.
 *
 * A streak may come from one vendor alone. Its vendors become suspects: the lane is held until an edit of another
 * vendor is tried, seconds later. If that one passes, the lane goes on, and the edits of suspects are sent one at a
 * time, until one of theirs passes.
 */
export class SystemicFailureDetector {
  #rejections: Rejections;
  readonly #reopened: Set<string>;

  /** @param reopened items that were reopened once. Their next rejection is about the item */
  constructor(rejections: Rejections | undefined, reopened: Set<string>) {
    this.#rejections = rejections ?? NONE;
    this.#reopened = reopened;
  }

  /** A new object after each change. */
  get rejections(): Rejections {
    return this.#rejections;
  }

  get suspects(): ReadonlySet<string> {
    return new Set(this.#rejections.suspects);
  }

  /**
   * When an edit of a suspect may be sent. A time that is too far in the future comes from a clock that was set back.
   */
  trialAt(now: number): number {
    const { trialAt = 0 } = this.#rejections;
    return trialAt > now + TRIAL_INTERVAL_MS ? now : trialAt;
  }

  /** @returns the first edit of the suspect that was tried the longest time ago */
  nextTrial(due: readonly OpenEdit[]): OpenEdit | undefined {
    for (const suspect of this.suspects) {
      const trial = due.find(({ vendor }) => vendor === suspect);
      if (trial !== undefined) return trial;
    }
    return undefined;
  }

  /** Lets the other suspects go first next time. Otherwise one whose edits are all rejected would keep them waiting. */
  recordTrial({ vendor }: OpenEdit, trialAt: number): void {
    const others = [...this.suspects].filter((suspect) => suspect !== vendor);
    this.#rejections = { ...this.#rejections, suspects: [...others, vendor], trialAt };
  }

  /** Makes these vendors suspects: their edits are sent alone, the next one at `trialAt`. */
  suspect(vendors: Iterable<string>, trialAt: number): void {
    this.#rejections = { ...this.#rejections, suspects: [...new Set([...this.suspects, ...vendors])], trialAt };
  }

  /** @param edits of one call @returns whether these rejections complete a streak */
  recordRejected(edits: readonly RejectedEdit[], codeOf: (edit: RejectedEdit) => string): boolean {
    const before = this.#rejections.wronglyRejected.length;
    for (const code of new Set(edits.map(codeOf))) {
      const sameCode = edits.filter((edit) => codeOf(edit) === code);
      const fresh = sameCode.filter(({ id }) => !this.#reopened.delete(id));
      if (fresh.length > 0) this.#rejections = addRejections(this.#rejections, code, fresh);
    }
    return this.#rejections.wronglyRejected.length > before;
  }

  /** @param edits of a call that passed; their vendors are no longer suspects */
  recordPassed(edits: readonly Pick<RejectedEdit, 'id' | 'vendor'>[]): void {
    for (const { id } of edits) this.#reopened.delete(id);
    if (this.#rejections.edits.length > 0) this.#rejections = { ...this.#rejections, code: '', edits: [] };
    const passed = new Set(edits.map(({ vendor }) => vendor));
    const { suspects = [] } = this.#rejections;
    const remaining = suspects.filter((vendor) => !passed.has(vendor));
    if (remaining.length < suspects.length) this.#rejections = { ...this.#rejections, suspects: remaining };
  }

  /** @param edits of `wronglyRejected`, to which another call may have added since */
  recordReopened(edits: readonly RejectedEdit[]): void {
    for (const { id } of edits) this.#reopened.add(id);
    const wronglyRejected = this.#rejections.wronglyRejected.filter((edit) => !edits.includes(edit));
    this.#rejections = { ...this.#rejections, wronglyRejected };
  }
}

function addRejections(known: Rejections, code: string, fresh: readonly RejectedEdit[]): Rejections {
  const before = code === known.code ? known.edits : [];
  const edits = new Map([...before, ...fresh].map(({ seq, vendor, id }) => [id, { seq, vendor, id }]));
  return edits.size < SYSTEMIC_THRESHOLD
    ? { ...known, code, edits: [...edits.values()] }
    : { ...known, code: '', edits: [], wronglyRejected: [...known.wronglyRejected, ...edits.values()] };
}

/** An edit is rejected after this many web pages for it alone, each after a call that passed. */
export const MAX_PAGES_ALONE = 3;

const MAX_TRACKED = 1_000;
const BATCHES = -1;

/**
 * Distinguishes an edit that a firewall in front of the portal answers with a web page from a portal that answers every
 * call with web pages for a while. One page proves nothing; several for the same edit alone, between calls that pass,
 * do. If one of two machines of the portal is broken, one edit in eight is rejected wrongly, and its author may retry
 * it.
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

  /** Counts a page for this edit alone, after a call that passed. @returns whether the edit is the cause */
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

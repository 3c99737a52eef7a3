import { isLonePage, PROBE_MS, unproven, type PolicyContext } from './lane-policy.js';
import type { LaneState, Lease, OpenEdit, Outbox } from './outbox.js';
import type { UpdateOutcome } from './outcome.js';
import { RefusalStreak } from './refusal-streak.js';
import { SaidAgain } from './said-again.js';
import { WebPages } from './web-pages.js';

type Refused = Extract<UpdateOutcome, { kind: 'refused' }>;

const REFUSES = 'portal_refuses';

/** What this process has seen of a lane and the outbox does not keep: a restart only asks a few calls more. */
export interface Doubts {
  readonly streak: RefusalStreak;
  readonly pages: WebPages;
  readonly again: SaidAgain;
}

export function newDoubts(): Doubts {
  return { streak: new RefusalStreak(), pages: new WebPages(), again: new SaidAgain() };
}

/** One stay in a lane: the lease, and the lane's state as it moves. */
export class LaneVisit {
  readonly lease: Lease;
  readonly credential: string;
  readonly streak: RefusalStreak;
  readonly pages: WebPages;
  readonly again: SaidAgain;
  state: LaneState;

  constructor(lease: Lease, credential: string, { streak, pages, again }: Doubts) {
    this.lease = lease;
    this.credential = credential;
    this.streak = streak;
    this.pages = pages;
    this.again = again;
    // Another credential than the one that was held deserves a try at once.
    const { provenBy, held } = lease.state;
    const changed = provenBy !== undefined && provenBy !== credential && provenBy !== unproven(credential);
    this.state = changed && held !== undefined ? { failures: 0, notBefore: 0 } : lease.state;
  }

  /** Whether this answer, a web page, is about the one edit of the call. */
  isTheEdit(edits: readonly OpenEdit[], answer: UpdateOutcome, context: PolicyContext): boolean {
    const [edit] = edits;
    return edit !== undefined && isLonePage(edits, answer, this.state, context) && this.pages.isTheEdit(edit);
  }

  /** Holds the lane where these refusals are the portal's. */
  doubt(edits: readonly OpenEdit[], { code, each }: Refused, now: number): void {
    // What the portal took before it may refuse for having it: that speaks against nobody.
    const fresh = edits.filter(({ again }) => !again);
    if (this.streak.refused(fresh, ({ id }) => each?.get(id) ?? code)) this.#hold(now);
  }

  /** Where the storage fails the next visit asks again: nobody else knows what was parked for nothing. */
  async bringBack(outbox: Outbox, now: number): Promise<void> {
    const { wronged } = this.streak;
    if (wronged.length === 0) return;
    await outbox.unpark(this.lease, wronged, REFUSES, now);
    this.streak.broughtBack(wronged);
    // The visit that held the lane could not note it.
    if (this.state.held === undefined) this.#hold(now);
  }

  /** Some of these edits passed. */
  notePass(edits: readonly OpenEdit[]): void {
    this.pages.passed(edits);
    this.streak.passed();
  }

  #hold(now: number): void {
    const notBefore = Math.max(this.state.notBefore, now + PROBE_MS);
    this.state = { ...this.state, held: REFUSES, notBefore };
  }
}

import type { LaneNote, LaneState, Lease, OpenEdit, Outbox, Refusals } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import { isLonePage, type PolicyContext, PROBE_MS, SaidAgain, unproven } from './policy.js';
import { RefusalStreak, WebPages } from './systemic-failure.js';

type Refused = Extract<UpdateOutcome, { kind: 'refused' }>;

const REFUSES = 'portal_refuses';

/** What this process has seen of a lane and the outbox does not keep: a restart only asks a few calls more. */
export interface Doubts {
  /** Items of edits that were brought back. */
  readonly doubted: Set<string>;
  readonly pages: WebPages;
  readonly again: SaidAgain;
}

export function newDoubts(): Doubts {
  return { doubted: new Set(), pages: new WebPages(), again: new SaidAgain() };
}

/** One stay in a lane: the lease, and the lane's state as it moves. */
export class LaneVisit {
  readonly lease: Lease;
  readonly credential: string;
  readonly pages: WebPages;
  readonly again: SaidAgain;
  state: LaneState;
  readonly #closedUntil: () => number;
  readonly #streak: RefusalStreak;
  #noted: Refusals;

  /** @param closedUntil for all lanes of its caller */
  constructor(lease: Lease, credential: string, { doubted, pages, again }: Doubts, closedUntil: () => number) {
    this.lease = lease;
    this.#closedUntil = closedUntil;
    this.credential = credential;
    this.#streak = new RefusalStreak(lease.state.refusals, doubted);
    this.#noted = this.#streak.refusals;
    this.pages = pages;
    this.again = again;
    // Another credential than the one that was held deserves a try at once.
    const { provenBy, held } = lease.state;
    const changed = provenBy !== undefined && provenBy !== credential && provenBy !== unproven(credential);
    this.state = changed && held !== undefined ? { failures: 0, notBefore: 0 } : lease.state;
  }

  /** When the next call may leave, be it that the portal said so to another lane of the caller. */
  get notBefore(): number {
    return Math.max(this.state.notBefore, this.#closedUntil());
  }

  /** For the lane's next holder. */
  get left(): LaneState {
    return { ...this.state, notBefore: this.notBefore, refusals: this.#streak.refusals };
  }

  /** @returns what the outbox does not have yet: whoever asks hands it over */
  unnoted(): LaneNote | undefined {
    const { refusals } = this.#streak;
    if (refusals === this.#noted) return undefined;
    this.#noted = refusals;
    return { refusals };
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
    if (this.#streak.refused(fresh, ({ id }) => each?.get(id) ?? code)) this.#hold(now);
  }

  /** The next visit does it where the storage fails, or the process. */
  async bringBack(outbox: Outbox, now: number): Promise<void> {
    const { wronged } = this.#streak.refusals;
    if (wronged.length === 0) return;
    await outbox.unpark(this.lease, wronged, REFUSES, now);
    this.#streak.broughtBack(wronged);
    // Whoever held the lane was killed before that was noted.
    if (this.state.held === undefined) this.#hold(now);
  }

  /** Some of these edits passed. */
  notePass(edits: readonly OpenEdit[]): void {
    this.pages.passed(edits);
    this.#streak.passed(edits);
  }

  #hold(now: number): void {
    const notBefore = Math.max(this.state.notBefore, now + PROBE_MS);
    this.state = { ...this.state, held: REFUSES, notBefore };
  }
}

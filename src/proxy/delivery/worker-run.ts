import type { LaneNote, LaneState, Lease, OpenEdit, Outbox, Refusals } from '../outbox/outbox.js';
import { unverifiedCredential } from '../portal/credentials.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import { isPageForSingleEdit, type PolicyContext, TRIAL_INTERVAL_MS, ResendTracker } from './policy.js';
import { SystemicFailureDetector, NonApiResponses } from './systemic-failure.js';

type Refused = Extract<UpdateOutcome, { kind: 'refused' }>;

const REFUSES = 'portal_refuses';

/** What this process has seen of a lane and the outbox does not keep: a restart only asks a few calls more. */
export interface LaneMemory {
  /** Items of edits that were brought back. */
  readonly reopened: Set<string>;
  readonly pages: NonApiResponses;
  readonly resends: ResendTracker;
}

export function newLaneMemory(): LaneMemory {
  return { reopened: new Set(), pages: new NonApiResponses(), resends: new ResendTracker() };
}

/** One stay in a lane: the lease, and the lane's state as it moves. */
export class WorkerRun {
  readonly lease: Lease;
  readonly credential: string;
  readonly pages: NonApiResponses;
  readonly resends: ResendTracker;
  state: LaneState;
  readonly #closedUntil: () => number;
  readonly #detector: SystemicFailureDetector;
  #recorded: Refusals;

  /** @param closedUntil for all lanes of its caller */
  constructor(
    lease: Lease,
    credential: string,
    { reopened: doubted, pages, resends: again }: LaneMemory,
    closedUntil: () => number,
  ) {
    this.lease = lease;
    this.#closedUntil = closedUntil;
    this.credential = credential;
    this.#detector = new SystemicFailureDetector(lease.state.refusals, doubted);
    this.#recorded = this.#detector.refusals;
    this.pages = pages;
    this.resends = again;
    // Another credential than the one that was held deserves a try at once.
    const { provenBy, held } = lease.state;
    const changed = provenBy !== undefined && provenBy !== credential && provenBy !== unverifiedCredential(credential);
    this.state = changed && held !== undefined ? { failures: 0, notBefore: 0 } : lease.state;
  }

  /** When the next call may leave, be it that the portal said so to another lane of the caller. */
  get notBefore(): number {
    return Math.max(this.state.notBefore, this.#closedUntil());
  }

  /** For the lane's next holder. */
  get finalState(): LaneState {
    return { ...this.state, notBefore: this.notBefore, refusals: this.#detector.refusals };
  }

  /** @returns what the outbox does not have yet: whoever asks hands it over */
  takeChanges(): LaneNote | undefined {
    const { refusals } = this.#detector;
    if (refusals === this.#recorded) return undefined;
    this.#recorded = refusals;
    return { refusals };
  }

  /** Whether this answer, a web page, is about the one edit of the call. */
  isTheEdit(edits: readonly OpenEdit[], answer: UpdateOutcome, context: PolicyContext): boolean {
    const [edit] = edits;
    return edit !== undefined && isPageForSingleEdit(edits, answer, this.state, context) && this.pages.blameEdit(edit);
  }

  /** Holds the lane where these refusals are the portal's. */
  recordRejection(edits: readonly OpenEdit[], { code, each }: Refused, now: number): void {
    // What the portal took before it may refuse for having it: that speaks against nobody.
    const fresh = edits.filter(({ again }) => !again);
    if (this.#detector.recordRejected(fresh, ({ id }) => each?.get(id) ?? code)) this.#hold(now);
  }

  /** The next visit does it where the storage fails, or the process. */
  async reopenWronglyRejected(outbox: Outbox, now: number): Promise<void> {
    const { wronged } = this.#detector.refusals;
    if (wronged.length === 0) return;
    await outbox.unpark(this.lease, wronged, REFUSES, now);
    this.#detector.recordReopened(wronged);
    // Whoever held the lane was killed before that was noted.
    if (this.state.held === undefined) this.#hold(now);
  }

  /** Some of these edits passed. */
  recordPass(edits: readonly OpenEdit[]): void {
    this.pages.recordPassed(edits);
    this.#detector.recordPassed(edits);
  }

  #hold(now: number): void {
    const notBefore = Math.max(this.state.notBefore, now + TRIAL_INTERVAL_MS);
    this.state = { ...this.state, held: REFUSES, notBefore };
  }
}

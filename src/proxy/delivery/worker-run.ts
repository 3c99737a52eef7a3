import type { LaneNote, LaneState, Lease, OpenEdit, Outbox, Postponed, Refusals } from '../outbox/outbox.js';
import { SHARED_LANE, unverifiedCredential } from '../portal/credentials.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import { isClosedCircuit, isPageForSingleEdit, type PolicyContext, ResendTracker } from './policy.js';
import {
  NonApiResponses,
  refusalPause,
  SUSPECT_INTERVAL_MS,
  SYSTEMIC_THRESHOLD,
  SystemicFailureDetector,
  TRIAL_INTERVAL_MS,
} from './systemic-failure.js';

type Refused = Extract<UpdateOutcome, { kind: 'refused' }>;

const REFUSES = 'portal_refuses';

/** What this process remembers of a lane and does not store: a restart costs a few more calls. */
export interface LaneMemory {
  /** Items of edits that were reopened. */
  readonly reopened: Set<string>;
  readonly pages: NonApiResponses;
  readonly resends: ResendTracker;
}

export function newLaneMemory(): LaneMemory {
  return { reopened: new Set(), pages: new NonApiResponses(), resends: new ResendTracker() };
}

/** One worker run in a lane: the lease, and the state of the lane as it changes. */
export class WorkerRun {
  readonly lease: Lease;
  readonly credential: string;
  readonly pages: NonApiResponses;
  readonly resends: ResendTracker;
  state: LaneState;
  readonly #closedUntil: () => number;
  readonly #detector: SystemicFailureDetector;
  #recorded: Refusals;
  #recordedProof: string | undefined;

  /** @param closedUntil until when no lane of the client may call */
  constructor(
    lease: Lease,
    credential: string,
    { reopened: doubted, pages, resends: again }: LaneMemory,
    closedUntil: () => number,
  ) {
    this.lease = lease;
    this.#closedUntil = closedUntil;
    this.credential = credential;
    this.pages = pages;
    this.resends = again;
    // A new credential is tried at once.
    const { provenBy, held, refusals } = lease.state;
    const changed = provenBy !== undefined && provenBy !== credential && provenBy !== unverifiedCredential(credential);
    this.#detector = new SystemicFailureDetector(
      changed && refusals ? { ...refusals, suspects: [] } : refusals,
      doubted,
    );
    this.#recorded = this.#detector.refusals;
    this.#recordedProof = provenBy;
    this.state = changed && held !== undefined ? { failures: 0, notBefore: 0 } : lease.state;
  }

  /** When the next call may be sent, which the portal may have said to another lane of the client. */
  get notBefore(): number {
    return Math.max(this.state.notBefore, this.#closedUntil());
  }

  /** For the lane's next holder. */
  get finalState(): LaneState {
    return { ...this.state, notBefore: this.notBefore, refusals: this.#detector.refusals };
  }

  /** @returns the changes that are not stored yet; the caller stores them */
  takeChanges(): LaneNote | undefined {
    const { refusals } = this.#detector;
    const { provenBy } = this.state;
    // Without it, the next holder would take the first refusal for a portal that refuses everything.
    const isProven = provenBy === this.credential && provenBy !== this.#recordedProof;
    if (refusals === this.#recorded && !isProven) return undefined;
    this.#recorded = refusals;
    if (!isProven) return { refusals };
    this.#recordedProof = provenBy;
    return { refusals, provenBy };
  }

  /** Which of the due edits may be sent now, and which have to wait. */
  choose(due: readonly OpenEdit[], now: number): Choice {
    const suspects = this.#detector.suspects;
    if (suspects.size === 0 || (this.state.held !== REFUSES && !isClosedCircuit(this.state))) return { edits: due };
    const trialAt = this.#detector.trialAt(now);
    const others = due.filter(({ vendor }) => !suspects.has(vendor));
    if (this.state.held === REFUSES) {
      if (others.length > 0) return { edits: others };
      if (trialAt <= now) return { edits: due };
      // An edit of another vendor that is accepted during the pause is tried soon.
      this.state = { ...this.state, notBefore: Math.min(trialAt, now + this.refusalPause([])) };
      return { edits: [] };
    }
    if (others.length === due.length) return { edits: due };
    const trial = trialAt <= now ? due.find(({ vendor }) => suspects.has(vendor)) : undefined;
    const until = trial === undefined ? trialAt : now + SUSPECT_INTERVAL_MS;
    if (trial !== undefined) this.#detector.suspect([], until);
    return {
      edits: trial === undefined ? others : [trial],
      postponed: { vendors: [...suspects], until, except: trial?.seq },
    };
  }

  /** How long the lane is closed if the portal refuses this call, and the lane is held because of that. */
  refusalPause(edits: readonly OpenEdit[]): number {
    const suspects = new Set([...this.#detector.suspects, ...edits.map(({ vendor }) => vendor)]);
    return refusalPause(suspects.size, this.lease.lane === SHARED_LANE);
  }

  /** Whether this answer, a web page, is about the one edit of the call. */
  isTheEdit(edits: readonly OpenEdit[], answer: UpdateOutcome, context: PolicyContext): boolean {
    const [edit] = edits;
    return edit !== undefined && isPageForSingleEdit(edits, answer, this.state, context) && this.pages.blameEdit(edit);
  }

  /** The lane is held because the portal refused this call, or was before it. */
  recordHeldRejection(edits: readonly OpenEdit[], now: number): void {
    this.#suspect(edits, now);
  }

  /**
   * Whether one vendor had so many refusals in a call that is split that the edits of others would wait for it too long: then its
   * edits go on alone.
   */
  isSplitTooLong([edit]: readonly OpenEdit[], refusals: Map<string, number>, now: number): boolean {
    if (edit === undefined || this.lease.lane !== SHARED_LANE || this.state.held !== undefined) return false;
    const count = (refusals.get(edit.vendor) ?? 0) + 1;
    refusals.set(edit.vendor, count);
    if (count < SYSTEMIC_THRESHOLD) return false;
    this.#detector.suspect([edit.vendor], now + SUSPECT_INTERVAL_MS);
    return true;
  }

  /** Holds the lane where these refusals are the portal's. */
  recordRejection(edits: readonly OpenEdit[], { code, each }: Refused, now: number): void {
    // A resend may be rejected as a duplicate; it does not count.
    const fresh = edits.filter(({ again }) => !again);
    if (this.#detector.recordRejected(fresh, ({ id }) => each?.get(id) ?? code)) this.#hold(now);
  }

  /** If the storage or the process fails, the next run reopens them. */
  async reopenWronglyRejected(outbox: Outbox, now: number): Promise<void> {
    const { wronged } = this.#detector.refusals;
    if (wronged.length === 0) return;
    await outbox.reopen(this.lease, wronged, REFUSES, now);
    this.#detector.recordReopened(wronged);
    // The earlier holder of the lane was killed before the hold was stored.
    if (this.state.held === undefined) this.#hold(now);
  }

  /** The call of these edits passed, at least for some of them. */
  recordPass(edits: readonly OpenEdit[], wasHeld: boolean, now: number): void {
    this.pages.recordPassed(edits);
    this.#detector.recordPassed(edits);
    // The portal takes the edits of other vendors, so those of suspects are sent one at a time.
    if (wasHeld && this.#detector.suspects.size > 0) this.#detector.suspect([], now + SUSPECT_INTERVAL_MS);
  }

  #hold(now: number): void {
    this.#suspect(this.#detector.refusals.wronged, now);
    const notBefore = Math.max(this.state.notBefore, now + this.refusalPause([]));
    this.state = { ...this.state, held: REFUSES, notBefore };
  }

  #suspect(edits: readonly Pick<OpenEdit, 'vendor'>[], now: number): void {
    const isTrialOver = this.#detector.trialAt(now) <= now;
    this.#detector.suspect(
      edits.map(({ vendor }) => vendor),
      isTrialOver || this.state.held === undefined ? now + TRIAL_INTERVAL_MS : this.#detector.trialAt(now),
    );
  }
}

/** Of the due edits. */
interface Choice {
  readonly edits: readonly OpenEdit[];
  /** What has to wait before these leave. */
  readonly postponed?: Postponed;
}

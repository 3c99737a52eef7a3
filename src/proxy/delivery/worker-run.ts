import type { LanePatch, LaneState, Lease, OpenEdit, Outbox, Postponed, Rejections } from '../outbox/outbox.js';
import { type DeliveryLimits, SHARED_LANE, unverifiedCredential } from '../portal/credentials.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import {
  isClosedCircuit,
  isPageForSingleEdit,
  isRetry,
  planCalls,
  type PolicyContext,
  ResendTracker,
} from './policy.js';
import {
  NonApiResponses,
  rejectionPause,
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
  /** Whether edits that failed before were due, and the last calls had none of them. */
  isRetryTurn: boolean;
}

export function createLaneMemory(): LaneMemory {
  return { reopened: new Set(), pages: new NonApiResponses(), resends: new ResendTracker(), isRetryTurn: false };
}

/** One worker run in a lane: the lease, and the state of the lane as it changes. */
export class WorkerRun {
  readonly lease: Lease;
  readonly credential: string;
  readonly pages: NonApiResponses;
  readonly resends: ResendTracker;
  state: LaneState;
  readonly #closedUntil: () => number;
  readonly #memory: LaneMemory;
  readonly #detector: SystemicFailureDetector;
  #recorded: Rejections;
  #recordedProof: string | undefined;

  /** @param closedUntil until when no lane of the client may call */
  constructor(lease: Lease, credential: string, memory: LaneMemory, closedUntil: () => number) {
    const { reopened, pages, resends } = memory;
    this.#memory = memory;
    this.lease = lease;
    this.#closedUntil = closedUntil;
    this.credential = credential;
    this.pages = pages;
    this.resends = resends;
    // A new credential is tried at once.
    const { verifiedCredential, held, rejections } = lease.state;
    const changed =
      verifiedCredential !== undefined &&
      verifiedCredential !== credential &&
      verifiedCredential !== unverifiedCredential(credential);
    this.#detector = new SystemicFailureDetector(
      changed && rejections ? { ...rejections, suspects: [] } : rejections,
      reopened,
    );
    this.#recorded = this.#detector.rejections;
    this.#recordedProof = verifiedCredential;
    this.state = changed && held !== undefined ? { failures: 0, notBefore: 0 } : lease.state;
  }

  /** When the next call may be sent. The portal may have asked another lane of the same client to wait. */
  get notBefore(): number {
    return Math.max(this.state.notBefore, this.#closedUntil());
  }

  /** For the lane's next holder. */
  get finalState(): LaneState {
    return { ...this.state, notBefore: this.notBefore, rejections: this.#detector.rejections };
  }

  /** @returns the changes that are not stored yet; the caller stores them */
  takeChanges(): LanePatch | undefined {
    const { rejections } = this.#detector;
    const { verifiedCredential } = this.state;
    // Otherwise the next holder would take the first rejection for a portal that rejects everything.
    const isNewlyVerified = verifiedCredential === this.credential && verifiedCredential !== this.#recordedProof;
    if (rejections === this.#recorded && !isNewlyVerified) return undefined;
    this.#recorded = rejections;
    if (!isNewlyVerified) return { rejections };
    this.#recordedProof = verifiedCredential;
    return { rejections, verifiedCredential };
  }

  /** Splits the due edits into those that may be sent now and those that have to wait. */
  choose(due: readonly OpenEdit[], now: number): Choice {
    const suspects = this.#detector.suspects;
    if (suspects.size === 0 || (this.state.held !== REFUSES && !isClosedCircuit(this.state))) return { edits: due };
    const trialAt = this.#detector.trialAt(now);
    const others = due.filter(({ vendor }) => !suspects.has(vendor));
    if (this.state.held === REFUSES) {
      if (others.length > 0) return { edits: others };
      if (trialAt <= now) return { edits: due };
      // An edit of another vendor that is accepted during the pause is tried soon.
      this.state = { ...this.state, notBefore: Math.min(trialAt, now + this.rejectionPause([])) };
      return { edits: [] };
    }
    if (others.length === due.length) return { edits: due };
    const trial = trialAt <= now ? this.#detector.nextTrial(due) : undefined;
    const until = trial === undefined ? trialAt : now + SUSPECT_INTERVAL_MS;
    if (trial !== undefined) this.#detector.recordTrial(trial, until);
    return {
      edits: trial === undefined ? others : [trial],
      postponed: { vendors: [...suspects], until, except: trial?.seq },
    };
  }

  /**
   * Plans the next calls. Edits that failed before and edits that were not tried take turns: otherwise a list that failed
   * once would wait for as long as people go on to make edits, which are sent before lists.
   */
  plan(edits: readonly OpenEdit[], limits: DeliveryLimits): (readonly OpenEdit[])[] {
    const calls = planCalls(edits, this.state, limits, this.#memory.isRetryTurn);
    this.#memory.isRetryTurn = edits.some(isRetry) && !calls.flat().some(isRetry);
    return calls;
  }

  /** How long the lane is closed if the portal refuses this call, and the lane is held because of that. */
  rejectionPause(edits: readonly OpenEdit[]): number {
    const suspects = new Set([...this.#detector.suspects, ...edits.map(({ vendor }) => vendor)]);
    return rejectionPause(suspects.size, this.lease.lane === SHARED_LANE);
  }

  /** Whether this response, a web page, is caused by the one edit of the call. */
  isCausedByEdit(edits: readonly OpenEdit[], outcome: UpdateOutcome, context: PolicyContext): boolean {
    const [edit] = edits;
    return edit !== undefined && isPageForSingleEdit(edits, outcome, this.state, context) && this.pages.blameEdit(edit);
  }

  /** Records a rejected call of a lane that is held, by this rejection or since before. */
  recordHeldRejection(edits: readonly OpenEdit[], now: number): void {
    this.#suspect(edits, now);
  }

  /**
   * Whether one vendor had so many rejections in a split call that the edits of others would wait too long. Then its
   * edits are sent one at a time.
   */
  isSplitTooLong([edit]: readonly OpenEdit[], rejections: Map<string, number>, now: number): boolean {
    if (edit === undefined || this.lease.lane !== SHARED_LANE || this.state.held !== undefined) return false;
    const count = (rejections.get(edit.vendor) ?? 0) + 1;
    rejections.set(edit.vendor, count);
    if (count < SYSTEMIC_THRESHOLD) return false;
    this.#detector.suspect([edit.vendor], now + SUSPECT_INTERVAL_MS);
    return true;
  }

  /** Holds the lane if these rejections complete a systemic failure. */
  recordRejection(edits: readonly OpenEdit[], { code, codesByItem }: Refused, now: number): void {
    // A resend may be rejected as a duplicate; it does not count.
    const fresh = edits.filter(({ isResend }) => !isResend);
    if (this.#detector.recordRejected(fresh, ({ id }) => codesByItem?.get(id) ?? code)) this.#hold(now);
  }

  /** If the storage or the process fails, the next run reopens them. */
  async reopenWronglyRejected(outbox: Outbox, now: number): Promise<void> {
    const { wronglyRejected } = this.#detector.rejections;
    if (wronglyRejected.length === 0) return;
    await outbox.reopen(this.lease, wronglyRejected, REFUSES, now);
    this.#detector.recordReopened(wronglyRejected);
    // The earlier holder of the lane was killed before the hold was stored.
    if (this.state.held === undefined) this.#hold(now);
  }

  /** The portal accepted the call of these edits, or at least some of them. */
  recordPass(edits: readonly OpenEdit[], wasHeld: boolean, now: number): void {
    this.pages.recordPassed(edits);
    this.#detector.recordPassed(edits);
    // The portal accepts edits of other vendors, so the edits of suspects are sent one at a time.
    if (wasHeld && this.#detector.suspects.size > 0) this.#detector.suspect([], now + SUSPECT_INTERVAL_MS);
  }

  #hold(now: number): void {
    this.#suspect(this.#detector.rejections.wronglyRejected, now);
    const notBefore = Math.max(this.state.notBefore, now + this.rejectionPause([]));
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

/** How the due edits are split. */
interface Choice {
  readonly edits: readonly OpenEdit[];
  /** The edits that wait, stored before the others are sent. */
  readonly postponed?: Postponed;
}

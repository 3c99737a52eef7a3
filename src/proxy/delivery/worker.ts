import { findForeignItems } from '../access/item-ownership.js';
import type { LaneOf, LaneState, Lease, OpenEdit, Outbox } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import type { DeliveryLimits } from '../portal/credentials.js';
import type { PortalConnection } from '../portal/portal-client.js';
import { applyItemResults } from '../portal/read-answer.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';
import { logCall, logAbandonedResends, logHold, logTimestampsAhead } from './delivery-log.js';
import { planCalls, isClosedCircuit, nextState, TRIAL_CANDIDATES, settleEdits } from './policy.js';
import { createSendDeadline } from './lease-deadline.js';
import { RateLimiter } from './rate-limiter.js';
import { type LaneMemory, WorkerRun, newLaneMemory } from './worker-run.js';

export interface WorkerOptions {
  readonly outbox: Outbox;
  readonly connectionFor: (lane: string) => PortalConnection;
  readonly limits: () => DeliveryLimits;
  readonly clock: Clock;
  /** Milliseconds since the epoch, steady. */
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** A stamp after this, in milliseconds since the epoch, is further ahead of the portal's clock than it may be. */
  readonly maxTimestamp: () => number;
  /** Whose the item of this edit is by now, where the operator's lists say so. */
  readonly catalogOwner: (edit: OpenEdit) => string | undefined;
  /** The lane by which a vendor's edits leave under the present settings. */
  readonly laneOf: LaneOf;
  /** Moves edits into the lanes of the present settings. */
  readonly moveLanes: () => Promise<void>;
  readonly stopping: () => boolean;
  /** Resolves after so many milliseconds, or early when stopping. */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly onOutcome: (outcome: UpdateOutcome) => void;
  /** Whether other lanes may wait for the place of this one. */
  readonly isCrowded: () => boolean;
}

/** So long a lane keeps its place where others may wait for it: each vendor may have one, and much to send. */
const MAX_RUN_MS = 2_000;

/** What a web page means once it is clear that one edit gets it and no other. */
const REJECTED_BY_PAGES = { kind: 'refused', code: 'web page' } as const;

/**
 * Works off one lane while it holds the lease: choose, open, send, settle, until nothing is due, the gate closes, or it is
 * another lane's turn.
 */
export class Worker {
  readonly rateLimiter: RateLimiter;
  readonly #options: WorkerOptions;
  readonly #memories = new Map<string, LaneMemory>();
  readonly #runs = new WeakMap<Lease, WorkerRun>();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.rateLimiter = new RateLimiter(options);
  }

  async work(lease: Lease): Promise<void> {
    const { outbox, now, stopping, isCrowded } = this.#options;
    const portal = this.#options.connectionFor(lease.lane);
    const turnEnds = now() + MAX_RUN_MS;
    const closedUntil = (): number => this.rateLimiter.closedUntil(portal.clientId);
    const visit = new WorkerRun(lease, await portal.credential, this.#memoryOf(lease.lane), closedUntil);
    this.#runs.set(lease, visit);
    await visit.reopenWronglyRejected(outbox, now());
    let restMs: number | undefined;
    // A lane is leased for what is due in it.
    for (let isDue = true; isDue && !stopping() && visit.notBefore <= now();) {
      // First the pace, then the choice: what came in the meantime by hand goes ahead, and what is claimed can no longer
      // be replaced by a newer wish.
      // A long wait is better waited for without the lease, which would run out.
      restMs = await this.rateLimiter.acquire(portal.clientId, lease.want.leaseMs / 2);
      if (restMs !== undefined) break;
      if (this.#isOver(lease, portal) || visit.notBefore > now()) break;
      const limits = this.#options.limits();
      const most = limits.items * limits.inFlight;
      const due = await this.#due(lease, isClosedCircuit(visit.state) ? most : Math.max(most, TRIAL_CANDIDATES));
      const choice = visit.choose(due, now());
      if (choice.postponed !== undefined) await outbox.postpone(lease, choice.postponed, now());
      const calls = planCalls(choice.edits, visit.state, limits);
      const sent = await Promise.allSettled(calls.map((edits, at) => this.#send(visit, portal, edits, at > 0)));
      // Not before all have ended: whoever got the lane meanwhile would send again what is still on its way.
      for (const call of sent) if (call.status === 'rejected') throw call.reason;
      // That the hold is over is in the storage, where alarms look, before all that has gathered meanwhile is delivered.
      if (lease.state.held !== undefined && visit.state.held === undefined) break;
      if (isCrowded() && now() >= turnEnds) break;
      isDue = (await outbox.due(lease, now(), 1)).length > 0;
    }
    const rest = restMs === undefined ? undefined : { now: now(), forMs: restMs };
    await outbox.releaseLane(lease, visit.finalState, rest);
    this.logHold(lease);
    // What made it wait was other settings, where they were read again meanwhile.
    const isChanged = (await this.#options.connectionFor(lease.lane).credential) !== visit.credential;
    if (isChanged && !isClosedCircuit(visit.state)) await outbox.limitWaits(now(), lease.want.unsureMs);
  }

  /** In the lane may be edits that a crash left open there, or that a process with older settings accepted. */
  async #due(lease: Lease, most: number): Promise<readonly OpenEdit[]> {
    const { outbox, now, laneOf, moveLanes } = this.#options;
    const due = await outbox.due(lease, now(), most);
    if (due.every(({ vendor }) => laneOf(vendor) === lease.lane)) return due;
    await moveLanes();
    return outbox.due(lease, now(), most);
  }

  /** What is known of the lane by now, where a visit ended in the middle. */
  stateOf(lease: Lease): LaneState {
    return this.#runs.get(lease)?.finalState ?? lease.state;
  }

  /** Says where the visit has changed whether the lane is held. */
  logHold(lease: Lease): void {
    logHold(lease.lane, lease.state, this.stateOf(lease), this.#options);
  }

  /** No more calls in this visit: it is time to stop, or settings were read again, and the next visit goes by those. */
  #isOver({ lane }: Lease, portal: PortalConnection): boolean {
    const { connectionFor: portalOf, stopping } = this.#options;
    return stopping() || portalOf(lane) !== portal;
  }

  /** One call, and where the portal refuses it, its halves, until the bad edit stands alone. */
  async #send(visit: WorkerRun, portal: PortalConnection, wanted: readonly OpenEdit[], paced: boolean): Promise<void> {
    const { outbox, clock, now, random, catalogOwner: listedOwner, onOutcome } = this.#options;
    const { lease } = visit;
    const parts = [wanted];
    /** By vendor. */
    const refusals = new Map<string, number>();
    let waits = paced;
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const restMs = waits ? await this.rateLimiter.acquire(portal.clientId, lease.want.leaseMs / 2) : undefined;
      waits = true;
      // Another call, of this round or of this caller, may have closed the lane while this one waited for its turn.
      const isClosed = visit.notBefore > now() || restMs !== undefined;
      if (isClosed || this.#isOver(lease, portal)) return this.#putBack(lease, [part, ...parts].flat());
      await this.#assignOwners(lease, part);
      const hasTime = createSendDeadline(clock, lease.want);
      // Settings and lists may be read again, too, while a token is waited for.
      let isOff = false;
      const mayLeave = (): boolean => {
        isOff = this.#isOver(lease, portal) || findForeignItems(part, listedOwner).length > 0;
        return !isOff && hasTime();
      };
      const edits = await outbox.openAttempt(lease, part, now());
      if (edits.length === 0) continue;
      const before = visit.state;
      const answer = await this.#call(lease, edits, () => portal.update(edits, mayLeave));
      if (isOff) return this.#putBack(lease, [edits, ...parts].flat());
      onOutcome(answer);
      // What was asked by other settings is no word on those that have come meanwhile.
      if (this.#options.connectionFor(lease.lane) === portal)
        this.rateLimiter.recordOutcome(portal.clientId, answer, now());
      const context = {
        now: now(),
        wall: Math.floor(clock.wall()),
        random,
        credential: visit.credential,
        wasOpen: isClosedCircuit(before),
        refusalPauseMs: visit.refusalPause(edits),
        pages: answer.kind === 'held' ? visit.pages.record(edits) : 0,
      };
      const outcome = visit.isTheEdit(edits, answer, context)
        ? { ...REJECTED_BY_PAGES, afterMs: answer.afterMs }
        : answer;
      visit.state = nextState(visit.state, outcome, context);
      const refused = outcome.kind === 'refused' && visit.state.held === undefined;
      if (refused && edits.length > 1 && outcome.each === undefined) {
        const middle = Math.ceil(edits.length / 2);
        parts.push(edits.slice(middle), edits.slice(0, middle));
        if (!(await this.#shouldContinue(visit, outcome))) return this.#putBack(lease, parts.flat());
        continue;
      }
      // Parked for themselves, or with others for a portal that refuses everything.
      if (refused) visit.recordRejection(edits, outcome, now());
      else if (outcome.kind === 'refused') visit.recordHeldRejection(edits, now());
      if (outcome.kind === 'delivered') visit.recordPass(edits, before.held !== undefined, now());
      const isSplitTooLong = refused && parts.length > 0 && visit.isSplitTooLong(edits, refusals, now());
      const ends = visit.resends.settle(settleEdits(edits, outcome, visit.state, context), now());
      await outbox.settle(lease, ends.settlements, now(), visit.takeChanges());
      logAbandonedResends(ends.givenUp, this.#options);
      await visit.reopenWronglyRejected(outbox, now());
      // What makes one part wait makes the others wait with it.
      if (parts.length > 0 && (isSplitTooLong || !(await this.#shouldContinue(visit, outcome)))) {
        return this.#putBack(lease, parts.flat(), reasonOf(outcome));
      }
    }
  }

  /**
   * Whether the next part of a split batch may leave in this visit. Where the portal answers and only wants us to wait, a
   * short wait is sat out here, so that the halves stay halves.
   */
  async #shouldContinue({ state, notBefore, lease }: WorkerRun, { kind }: UpdateOutcome): Promise<boolean> {
    const wait = notBefore - this.#options.now();
    if (wait <= 0) return true;
    const answers = kind === 'delivered' || kind === 'refused';
    if (!answers || state.held !== undefined || wait > lease.want.leaseMs / 2) return false;
    // Whoever goes on after a kill has to wait as well.
    await this.#options.outbox.settle(lease, [], this.#options.now(), { notBefore });
    await this.#options.pause(wait);
    return true;
  }

  /** What is for another's item is refused, and left out by whoever opens the attempt. */
  async #assignOwners(lease: Lease, edits: readonly OpenEdit[]): Promise<void> {
    const { outbox, clock, catalogOwner: listedOwner } = this.#options;
    const others = findForeignItems(edits, listedOwner);
    if (others.length === 0) return;
    // Of a batch that is split they are open.
    const open = others.map(({ edit }) => edit);
    await this.#putBack(lease, open);
    await outbox.giveItems(lease.lane, others, Math.floor(clock.wall()));
  }

  /** Not sent, so not applied: as if nobody had claimed it. */
  async #putBack(lease: Lease, edits: readonly OpenEdit[], reason?: string): Promise<void> {
    const { outbox, now } = this.#options;
    if (edits.length === 0) return;
    const waiting = edits.map((edit) => ({ edit, kind: 'waiting', reason, dueAt: now(), uncertain: false }) as const);
    await outbox.settle(lease, waiting, now());
  }

  async #call(
    { lane }: Lease,
    edits: readonly OpenEdit[],
    update: () => Promise<UpdateOutcome>,
  ): Promise<UpdateOutcome> {
    const { clock } = this.#options;
    const started = clock.monotonic();
    const outcome = applyItemResults(edits, await update());
    const milliseconds = Math.round(clock.monotonic() - started);
    logCall({ lane, items: edits.length, outcome, milliseconds }, this.#options);
    logTimestampsAhead(edits, this.#options);
    return outcome;
  }

  #memoryOf(lane: string): LaneMemory {
    const doubts = this.#memories.get(lane) ?? newLaneMemory();
    this.#memories.set(lane, doubts);
    return doubts;
  }
}

function reasonOf(outcome: UpdateOutcome): string | undefined {
  return 'reason' in outcome ? outcome.reason : undefined;
}

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
  /** The latest timestamp that the portal's clock allows, in milliseconds since the epoch. */
  readonly maxTimestamp: () => number;
  /** The vendor of the item of this edit by the operator's lists, if one names it. */
  readonly catalogOwner: (edit: OpenEdit) => string | undefined;
  /** The lane by which a vendor's edits leave under the present settings. */
  readonly laneOf: LaneOf;
  /** Moves edits into the lanes of the present settings. */
  readonly moveLanes: () => Promise<void>;
  readonly stopping: () => boolean;
  /** Resolves after so many milliseconds, or early when stopping. */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly onOutcome: (outcome: UpdateOutcome) => void;
  /** Whether other lanes may wait for a free worker. */
  readonly isCrowded: () => boolean;
}

/** The longest run in a lane while other lanes may wait for a free worker. */
const MAX_RUN_MS = 2_000;

/** The outcome for an edit that alone gets web pages. */
const REJECTED_BY_PAGES = { kind: 'refused', code: 'web page' } as const;

/**
 * Delivers the edits of one lane under a lease: it chooses edits, begins an attempt, sends it and records its outcome, until
 * nothing is due, the circuit breaker opens, or other lanes wait.
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
    // The lane was leased because something is due in it.
    for (let isDue = true; isDue && !stopping() && visit.notBefore <= now();) {
      // Edits are chosen after the wait of the rate limiter, so that interactive edits go ahead and newer edits can still
      // replace older ones. A long wait is spent without the lease, which would run out.
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
      // All calls have to end first: the next holder of the lane would resend the edits of calls in flight.
      for (const call of sent) if (call.status === 'rejected') throw call.reason;
      // The end of the hold is stored, so that alarms see it, before the backlog is delivered.
      if (lease.state.held !== undefined && visit.state.held === undefined) break;
      if (isCrowded() && now() >= turnEnds) break;
      isDue = (await outbox.due(lease, now(), 1)).length > 0;
    }
    const rest = restMs === undefined ? undefined : { now: now(), forMs: restMs };
    await outbox.releaseLease(lease, visit.finalState, rest);
    this.logHold(lease);
    // If the settings were read again during the run, the wait is due to the old ones.
    const isChanged = (await this.#options.connectionFor(lease.lane).credential) !== visit.credential;
    if (isChanged && !isClosedCircuit(visit.state)) await outbox.capDelays(now(), lease.want.unsureMs);
  }

  /** The lane may have edits that a crash left open there, or that a process with older settings accepted. */
  async #due(lease: Lease, most: number): Promise<readonly OpenEdit[]> {
    const { outbox, now, laneOf, moveLanes } = this.#options;
    const due = await outbox.due(lease, now(), most);
    if (due.every(({ vendor }) => laneOf(vendor) === lease.lane)) return due;
    await moveLanes();
    return outbox.due(lease, now(), most);
  }

  /** The state of the lane so far, if a run ended early. */
  stateOf(lease: Lease): LaneState {
    return this.#runs.get(lease)?.finalState ?? lease.state;
  }

  /** Logs that the run has changed whether the lane is held. */
  logHold(lease: Lease): void {
    logHold(lease.lane, lease.state, this.stateOf(lease), this.#options);
  }

  /** Whether the run has to end, because delivery stops or the settings were read again. */
  #isOver({ lane }: Lease, portal: PortalConnection): boolean {
    const { connectionFor: portalOf, stopping } = this.#options;
    return stopping() || portalOf(lane) !== portal;
  }

  /** Sends one call, and if the portal refuses it, its halves, until the refused edit is alone. */
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
      // Another call of this round, or of this client, may have closed the lane during the wait.
      const isClosed = visit.notBefore > now() || restMs !== undefined;
      if (isClosed || this.#isOver(lease, portal)) return this.#putBack(lease, [part, ...parts].flat());
      await this.#assignOwners(lease, part);
      const hasTime = createSendDeadline(clock, lease.want);
      // Settings and lists may also be read again during a token request.
      let isOff = false;
      const mayLeave = (): boolean => {
        isOff = this.#isOver(lease, portal) || findForeignItems(part, listedOwner).length > 0;
        return !isOff && hasTime();
      };
      const edits = await outbox.beginAttempt(lease, part, now());
      if (edits.length === 0) continue;
      const before = visit.state;
      const answer = await this.#call(lease, edits, () => portal.update(edits, mayLeave));
      if (isOff) return this.#putBack(lease, [edits, ...parts].flat());
      onOutcome(answer);
      // A response to a call with older settings says nothing about the present ones.
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
      // They are refused each for itself, or counted as refusals of a portal that refuses everything.
      if (refused) visit.recordRejection(edits, outcome, now());
      else if (outcome.kind === 'refused') visit.recordHeldRejection(edits, now());
      if (outcome.kind === 'delivered') visit.recordPass(edits, before.held !== undefined, now());
      const isSplitTooLong = refused && parts.length > 0 && visit.isSplitTooLong(edits, refusals, now());
      const ends = visit.resends.settle(settleEdits(edits, outcome, visit.state, context), now());
      await outbox.settle(lease, ends.settlements, now(), visit.takeChanges());
      logAbandonedResends(ends.givenUp, this.#options);
      await visit.reopenWronglyRejected(outbox, now());
      // If one part has to wait, so have the others.
      if (parts.length > 0 && (isSplitTooLong || !(await this.#shouldContinue(visit, outcome)))) {
        return this.#putBack(lease, parts.flat(), reasonOf(outcome));
      }
    }
  }

  /**
   * Whether the next part of a split batch may be sent in this run. If the portal responds and only asks for a short wait, the
   * run waits here, so that the batch stays split.
   */
  async #shouldContinue({ state, notBefore, lease }: WorkerRun, { kind }: UpdateOutcome): Promise<boolean> {
    const wait = notBefore - this.#options.now();
    if (wait <= 0) return true;
    const answers = kind === 'delivered' || kind === 'refused';
    if (!answers || state.held !== undefined || wait > lease.want.leaseMs / 2) return false;
    // The next holder has to wait as well, if this process is killed.
    await this.#options.outbox.settle(lease, [], this.#options.now(), { notBefore });
    await this.#options.pause(wait);
    return true;
  }

  /** Refuses the edits of items that the lists assign to another vendor; `beginAttempt` leaves them out. */
  async #assignOwners(lease: Lease, edits: readonly OpenEdit[]): Promise<void> {
    const { outbox, clock, catalogOwner: listedOwner } = this.#options;
    const others = findForeignItems(edits, listedOwner);
    if (others.length === 0) return;
    // In a split batch they have an open attempt.
    const open = others.map(({ edit }) => edit);
    await this.#putBack(lease, open);
    await outbox.giveItems(lease.lane, others, Math.floor(clock.wall()));
  }

  /** Makes edits due again that were not sent. */
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

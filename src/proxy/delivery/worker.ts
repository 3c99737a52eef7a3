import { findForeignItems } from '../access/item-ownership.js';
import type { LaneOf, LaneState, Lease, LeaseRequest, OpenEdit, Outbox } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';
import type { DeliveryLimits } from '../portal/credentials.js';
import type { PortalConnection } from '../portal/portal-client.js';
import { applyItemResults } from '../portal/read-answer.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import type { Metrics } from '../runtime/metrics.js';
import { logCall, logAbandonedResends, logHold, logTimestampsAhead } from './delivery-log.js';
import { isClosedCircuit, nextState, type PolicyContext, TRIAL_CANDIDATES, toAttemptOutcomes } from './policy.js';
import { RateLimiter } from './rate-limiter.js';
import { type LaneMemory, WorkerRun, createLaneMemory } from './worker-run.js';

export interface WorkerOptions {
  readonly outbox: Outbox;
  readonly connectionFor: (lane: string) => PortalConnection;
  readonly limits: () => DeliveryLimits;
  readonly clock: Clock;
  /** Milliseconds since the epoch, on a clock that changes of the wall clock do not affect. */
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** The latest timestamp that the portal's clock allows, in milliseconds since the epoch. */
  readonly maxTimestamp: () => number;
  /** The vendor of the item of this edit by the operator's lists, if one names it. */
  readonly catalogOwner: (edit: OpenEdit) => string | undefined;
  /** The lane of a vendor's edits under the present settings. */
  readonly laneOf: LaneOf;
  /** Moves edits into the lanes of the present settings. */
  readonly moveLanes: () => Promise<void>;
  readonly stopping: () => boolean;
  /** Resolves after that many milliseconds, or early when stopping. */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly onOutcome: (outcome: UpdateOutcome) => void;
  /** Whether other lanes may wait for a free worker. */
  readonly isCrowded: () => boolean;
}

/** The longest run in a lane while other lanes may wait for a free worker. */
const MAX_RUN_MS = 2_000;

/** The outcome for an edit whose own calls get web pages while others pass. */
const REJECTED_BY_PAGES = { kind: 'refused', code: 'web page' } as const;

interface Attempt {
  readonly edits: readonly OpenEdit[];
  /** The state of the lane when the call was sent. */
  readonly before: LaneState;
  /** Absent if the settings or lists changed before the call was sent. */
  readonly response: UpdateOutcome | undefined;
}

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
    const runEndsAt = now() + MAX_RUN_MS;
    const closedUntil = (): number => this.rateLimiter.closedUntil(portal.clientId);
    const run = new WorkerRun(lease, await portal.credential, this.#memoryOf(lease.lane), closedUntil);
    this.#runs.set(lease, run);
    await run.reopenWronglyRejected(outbox, now());
    let restMs: number | undefined;
    // The lane was leased because something is due in it.
    for (let isDue = true; isDue && !stopping() && run.notBefore <= now();) {
      // Edits are chosen after the wait of the rate limiter, so that interactive edits go ahead and newer edits can still
      // replace older ones. A long wait is spent without the lease, which would run out.
      restMs = await this.rateLimiter.acquire(portal.clientId, lease.want.leaseMs / 2);
      if (restMs !== undefined) break;
      if (this.#mustEnd(lease, portal) || run.notBefore > now()) break;
      const limits = this.#options.limits();
      const maxEdits = limits.items * limits.inFlight;
      const due = await this.#dueEdits(
        lease,
        isClosedCircuit(run.state) ? maxEdits : Math.max(maxEdits, TRIAL_CANDIDATES),
      );
      const choice = run.choose(due, now());
      if (choice.postponed !== undefined) await outbox.postpone(lease, choice.postponed, now());
      const calls = run.plan(choice.edits, limits);
      const sent = await Promise.allSettled(calls.map((edits, at) => this.#send(run, portal, edits, at > 0)));
      // All calls have to end first: the next holder of the lane would resend the edits of calls in flight.
      for (const call of sent) if (call.status === 'rejected') throw call.reason;
      // The end of the hold is stored, so that alarms see it, before the backlog is delivered.
      if (lease.state.held !== undefined && run.state.held === undefined) break;
      if (isCrowded() && now() >= runEndsAt) break;
      isDue = (await outbox.due(lease, now(), 1)).length > 0;
    }
    const rest = restMs === undefined ? undefined : { now: now(), forMs: restMs };
    await outbox.releaseLease(lease, run.finalState, rest);
    this.logHold(lease);
    // If the settings were read again during the run, the wait is due to the old ones.
    const isChanged = (await this.#options.connectionFor(lease.lane).credential) !== run.credential;
    if (isChanged && !isClosedCircuit(run.state)) await outbox.capDelays(now(), lease.want.uncertainMs);
  }

  /**
   * The lane may contain edits that an earlier holder left open when it crashed, or that a process with older settings
   * accepted.
   */
  async #dueEdits(lease: Lease, limit: number): Promise<readonly OpenEdit[]> {
    const { outbox, now, laneOf, moveLanes } = this.#options;
    const due = await outbox.due(lease, now(), limit);
    if (due.every(({ vendor }) => laneOf(vendor) === lease.lane)) return due;
    await moveLanes();
    return outbox.due(lease, now(), limit);
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
  #mustEnd({ lane }: Lease, portal: PortalConnection): boolean {
    const { connectionFor, stopping } = this.#options;
    return stopping() || connectionFor(lane) !== portal;
  }

  /** Sends one call, and if the portal rejects it, its halves, until the rejected edit is alone. */
  async #send(run: WorkerRun, portal: PortalConnection, batch: readonly OpenEdit[], isLimited: boolean): Promise<void> {
    const { outbox, now } = this.#options;
    const { lease } = run;
    const parts = [batch];
    /** By vendor. */
    const rejections = new Map<string, number>();
    let hasToWait = isLimited;
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const restMs = hasToWait ? await this.rateLimiter.acquire(portal.clientId, lease.want.leaseMs / 2) : undefined;
      hasToWait = true;
      // Another call of this round, or another lane of this client, may have closed the lane during the wait.
      const isClosed = run.notBefore > now() || restMs !== undefined;
      if (isClosed || this.#mustEnd(lease, portal)) return this.#putBack(lease, [part, ...parts].flat());
      const attempt = await this.#attempt(run, portal, part);
      if (attempt === undefined) continue;
      const { edits, before, response } = attempt;
      if (response === undefined) return this.#putBack(lease, [edits, ...parts].flat());
      const context = this.#policyContext(run, edits, before, response);
      const outcome = run.isCausedByEdit(edits, response, context)
        ? { ...REJECTED_BY_PAGES, afterMs: response.afterMs }
        : response;
      run.state = nextState(run.state, outcome, context);
      const refused = outcome.kind === 'refused' && run.state.held === undefined;
      if (refused && edits.length > 1 && outcome.codesByItem === undefined) {
        const middle = Math.ceil(edits.length / 2);
        parts.push(edits.slice(middle), edits.slice(0, middle));
        if (!(await this.#shouldContinue(run, outcome))) return this.#putBack(lease, parts.flat());
        continue;
      }
      // Each edit is rejected by itself, or the rejection counts towards a systemic failure.
      if (refused) run.recordRejection(edits, outcome, now());
      else if (outcome.kind === 'refused') run.recordHeldRejection(edits, now());
      if (outcome.kind === 'delivered') run.recordPass(edits, before.held !== undefined, now());
      const isSplitTooLong = refused && parts.length > 0 && run.isSplitTooLong(edits, rejections, now());
      const ends = run.resends.recordOutcomes(toAttemptOutcomes(edits, outcome, run.state, context), now());
      await outbox.recordOutcomes(lease, ends.attemptOutcomes, now(), run.takeChanges());
      logAbandonedResends(ends.givenUp, this.#options);
      await run.reopenWronglyRejected(outbox, now());
      // If one part has to wait, the other parts wait too.
      if (parts.length > 0 && (isSplitTooLong || !(await this.#shouldContinue(run, outcome)))) {
        return this.#putBack(lease, parts.flat(), reasonOf(outcome));
      }
    }
  }

  /** Sends these edits in one call. @returns `undefined` if none of them has to be sent any more */
  async #attempt(run: WorkerRun, portal: PortalConnection, part: readonly OpenEdit[]): Promise<Attempt | undefined> {
    const { outbox, clock, now, catalogOwner, onOutcome } = this.#options;
    const { lease } = run;
    await this.#assignOwners(lease, part);
    const isBeforeDeadline = createSendDeadline(clock, lease.want);
    // Settings and lists may also change during a token request.
    let isStale = false;
    const canSend = (): boolean => {
      isStale = this.#mustEnd(lease, portal) || findForeignItems(part, catalogOwner).length > 0;
      return !isStale && isBeforeDeadline();
    };
    const edits = await outbox.beginAttempt(lease, part, now());
    if (edits.length === 0) return undefined;
    const before = run.state;
    const response = await this.#call(lease, edits, () => portal.update(edits, canSend));
    if (isStale) return { edits, before, response: undefined };
    onOutcome(response);
    // A response to a call with older settings says nothing about the present ones.
    if (this.#options.connectionFor(lease.lane) === portal)
      this.rateLimiter.recordOutcome(portal.clientId, response, now());
    return { edits, before, response };
  }

  #policyContext(
    run: WorkerRun,
    edits: readonly OpenEdit[],
    before: LaneState,
    response: UpdateOutcome,
  ): PolicyContext {
    const { clock, now, random } = this.#options;
    return {
      now: now(),
      wall: Math.floor(clock.wall()),
      random,
      credential: run.credential,
      wasClosed: isClosedCircuit(before),
      refusalPauseMs: run.rejectionPause(edits),
      pages: response.kind === 'held' ? run.pages.record(edits) : 0,
    };
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
    await this.#options.outbox.recordOutcomes(lease, [], this.#options.now(), { notBefore });
    await this.#options.pause(wait);
    return true;
  }

  /** Refuses the edits of items that the lists assign to another vendor; `beginAttempt` leaves them out. */
  async #assignOwners(lease: Lease, edits: readonly OpenEdit[]): Promise<void> {
    const { outbox, clock, catalogOwner } = this.#options;
    const foreign = findForeignItems(edits, catalogOwner);
    if (foreign.length === 0) return;
    // In a split batch they have an open attempt.
    const open = foreign.map(({ edit }) => edit);
    await this.#putBack(lease, open);
    await outbox.assignOwner(lease.lane, foreign, Math.floor(clock.wall()));
  }

  /** Makes edits due again that were not sent. */
  async #putBack(lease: Lease, edits: readonly OpenEdit[], reason?: string): Promise<void> {
    const { outbox, now } = this.#options;
    if (edits.length === 0) return;
    const waiting = edits.map((edit) => ({ edit, kind: 'waiting', reason, dueAt: now(), uncertain: false }) as const);
    await outbox.recordOutcomes(lease, waiting, now());
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
    const memory = this.#memories.get(lane) ?? createLaneMemory();
    this.#memories.set(lane, memory);
    return memory;
  }
}

function reasonOf(outcome: UpdateOutcome): string | undefined {
  return 'reason' in outcome ? outcome.reason : undefined;
}

/**
 * Measures the time since before an attempt begins; checked right before its call is sent. A process that was suspended
 * in between may have lost the lane, and the portal checks no fencing token: the next holder may have sent newer
 * values. So a call is sent only while the lease lasts for the whole call and for the time in which it may still
 * arrive.
 */
function createSendDeadline(clock: Clock, { leaseMs, uncertainMs }: LeaseRequest): () => boolean {
  const passed = measureElapsed(clock);
  return () => passed() < leaseMs - uncertainMs;
}

/** The longest time that any of the clocks measures, because each clock stops in some kind of sleep. */
function measureElapsed(clock: Clock): () => number {
  const read = (): readonly number[] => [clock.monotonic(), clock.wall(), clock.uptime?.() ?? 0];
  const before = read();
  return () => Math.max(...read().map((time, at) => time - (before[at] ?? time)));
}

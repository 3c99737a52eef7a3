import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { Worker } from '../../../src/proxy/delivery/worker.js';
import type { PortalConnection } from '../../../src/proxy/portal/portal-client.js';
import { noMetrics } from '../../../src/proxy/runtime/metrics.js';
import {
  LeaseLost,
  type AcceptedEdit,
  type Lease,
  type OpenEdit,
  type Outbox,
} from '../../../src/proxy/outbox/outbox.js';
import type { UpdateOutcome } from '../../../src/proxy/portal/outcome.js';
import { accept, batch, edit, NOW } from '../../support/outbox-batches.js';
import { OutboxFile } from '../../support/outbox-file.js';
import { tryProperty } from '../../support/try-property.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { viewerOf } from '../../support/viewer.js';
import { leaseLane } from '../../support/lease-lane.js';

const SECOND = 1000;
const LEASE_MS = 60 * SECOND;
/** A call that has not arrived so long after it was sent never will. */
const UNSURE_MS = 20 * SECOND;

interface Story {
  readonly edits: readonly (readonly [item: string, available: boolean])[];
  /** The size of the steps in which time passes. */
  readonly leaps: readonly number[];
  /** For each call in turn: whether its response is lost. */
  readonly lost: readonly boolean[];
  readonly scheduler: fc.Scheduler;
}

const story: fc.Arbitrary<Story> = fc.record({
  edits: fc.array(fc.tuple(fc.constantFrom('boat', 'kayak'), fc.boolean()), { minLength: 1, maxLength: 6 }),
  leaps: fc.array(fc.constantFrom(5 * SECOND, 70 * SECOND), { minLength: 2, maxLength: 8 }),
  lost: fc.array(fc.boolean(), { maxLength: 6 }),
  scheduler: fc.scheduler(),
});

describe('two workers that take a lane from each other, in any order of events', () => {
  it('deliver every edit, the newest of an item last, and a worker without the lease changes nothing', async (t) => {
    await tryProperty(t, fc.asyncProperty(story, tell), { numRuns: 20 });
  });
});

async function tell({ edits, leaps, lost, scheduler }: Story): Promise<void> {
  const file = new OutboxFile();
  try {
    const world = new World(file.open(), scheduler, lost);
    const accepted: AcceptedEdit[] = [];
    const vendor = async (): Promise<void> => {
      for (const [item, available] of edits) {
        await world.turn('an edit');
        const newEdit = edit(item, { available });
        await accept(world.outbox, newEdit);
        accepted.push(newEdit);
      }
    };
    const time = async (): Promise<void> => {
      for (const leap of leaps) await world.turn('time').then(() => world.clock.jump(leap));
    };
    let isOver = false;
    const worker = async (): Promise<void> => {
      while (!isOver) await world.visit();
    };
    const life = Promise.all([vendor(), time()]).then(() => (isOver = true));

    await scheduler.waitFor(Promise.all([life, worker(), worker()]), allHaveCome);
    while ((await world.outbox.nextDueAt()) !== undefined) {
      world.clock.jump(LEASE_MS);
      await scheduler.waitFor(world.visit(), allHaveCome);
    }

    assert.deepEqual(world.broken, []);
    const ids = accepted.map(({ edit_id }) => edit_id);
    for (const { id, state, updated_at } of await world.outbox.receipts(viewerOf(batch([]).vendor), ids)) {
      assert.ok(state === 'delivered' || state === 'superseded', `an edit of ${id} is ${state}`);
      if (state === 'delivered') assert.ok(world.answered.has(`${id} ${updated_at}`), 'delivered is what was answered');
    }
    for (const { id, available } of new Map(accepted.map((newEdit) => [newEdit.id, newEdit])).values()) {
      assert.equal(world.held.get(id), available, `the last value of ${id} arrived last`);
    }
  } finally {
    await file.remove();
  }
}

/** A commit takes a turn of the event loop: its caller continues before the next step is chosen. */
async function allHaveCome(act: () => Promise<void>): Promise<void> {
  await act();
  for (let turn = 0; turn < 4; turn += 1) await nextTurn();
}

/** An outbox, a portal that orders by arrival, and a scheduler that chooses the next step. */
class World {
  readonly clock = new VirtualClock(NOW);
  readonly outbox: Outbox;
  readonly held = new Map<string, boolean>();
  readonly answered = new Set<string>();
  readonly broken: string[] = [];
  readonly #scheduler: fc.Scheduler;
  readonly #lost: boolean[];
  #fence = 0;

  constructor(outbox: Outbox, scheduler: fc.Scheduler, lost: readonly boolean[]) {
    this.outbox = outbox;
    this.#scheduler = scheduler;
    this.#lost = [...lost];
  }

  turn(what: string): Promise<void> {
    return this.#scheduler.schedule(Promise.resolve(), what);
  }

  /** Works as a process does: leases the lane, sends all due edits and releases it. */
  async visit(): Promise<void> {
    await this.turn('a lease');
    const lease = await leaseLane(this.outbox, { now: this.clock.wall(), leaseMs: LEASE_MS, uncertainMs: UNSURE_MS });
    if (lease === undefined) return;
    this.#fence = lease.fence;
    try {
      await this.#worker().work(lease);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  #worker(): Worker {
    const portal: PortalConnection = {
      credential: 'guest-house',
      clientId: '',
      update: (...call) => this.#update(...call),
    };
    return new Worker({
      outbox: this.#inTurns(),
      connectionFor: () => portal,
      limits: () => ({ items: 100, bytes: 100_000, inFlight: 1, callsPerSecond: 1000, isShared: false }),
      clock: this.clock,
      now: () => this.clock.wall(),
      random: () => 0,
      log: () => undefined,
      metrics: noMetrics,
      maxTimestamp: () => Infinity,
      catalogOwner: () => undefined,
      stopping: () => false,
      pause: () => Promise.resolve(),
      onOutcome: () => undefined,
      isCrowded: () => false,
      laneOf: () => '',
      moveLanes: () => Promise.resolve(),
    });
  }

  /** The outbox of one worker, which may lose its lease before each call. */
  #inTurns(): Outbox {
    const { outbox } = this;
    const under = async <T>(what: string, lease: Lease, work: () => Promise<T>): Promise<T> => {
      await this.turn(what);
      const result = await work();
      if (lease.fence < this.#fence) this.broken.push(`${what} under a lease that was lost`);
      return result;
    };
    return {
      ...outbox,
      due: (lease, now, most) => under('a look', lease, () => outbox.due(lease, now, most)),
      beginAttempt: (lease, edits, now) => under('an attempt', lease, () => outbox.beginAttempt(lease, edits, now)),
      recordOutcomes: (lease, ...end) => under('an end', lease, () => outbox.recordOutcomes(lease, ...end)),
      releaseLease: (lease, state, rest) => under('a release', lease, () => outbox.releaseLease(lease, state, rest)),
    };
  }

  async #update(items: readonly OpenEdit[], canLeave = () => true): Promise<UpdateOutcome> {
    const isLost = this.#lost.shift() === true;
    await this.turn('a call');
    if (!canLeave()) return { kind: 'retry', reason: 'portal_unreachable' };
    const leftAt = this.clock.wall();
    await this.turn('a landing');
    if (this.clock.wall() - leftAt >= UNSURE_MS) return { kind: 'unknown', reason: 'portal_unreachable' };
    for (const { id, available } of items) this.held.set(id, available);
    await this.turn('an answer');
    if (isLost) return { kind: 'unknown', reason: 'portal_unreachable' };
    for (const { id, updated_at } of items) this.answered.add(`${id} ${updated_at}`);
    return { kind: 'delivered' };
  }
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EditId } from '../../src/domain/edit.js';
import type { ItemId, Timestamp } from '../../src/domain/item.js';
import type {
  AcceptBatchCommand,
  AcceptedEdit,
  Decision,
  Lease,
  OpenEdit,
  Outbox,
  AttemptOutcome,
} from '../../src/proxy/outbox/outbox.js';
import { viewerOf } from './viewer.js';
import { leaseLane } from './lease-lane.js';

/** Compares two outboxes: after the same steps, both have to give the same results. */
const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WANT = { leaseMs: 30 * SECOND, uncertainMs: 20 * SECOND };
const VENDORS = ['vendor-a', 'vendor-b'] as const;
const ITEMS = { 'vendor-a': ['a', 'b'], 'vendor-b': ['x', 'a'] } as const;

type Vendor = (typeof VENDORS)[number];
type Ending = 'delivered' | 'refused' | 'waits' | 'lost' | 'stays open';

export type Step =
  | {
      readonly do: 'accept';
      readonly vendor: Vendor;
      readonly requests: readonly EditRequest[];
      readonly late: boolean;
    }
  | { readonly do: 'repeat'; readonly at: number }
  | { readonly do: 'decide'; readonly at: number; readonly verdict: 'retry' | 'discard' }
  | { readonly do: 'send'; readonly most: number; readonly endings: readonly Ending[]; readonly split: boolean }
  | { readonly do: 'settle'; readonly ending: Ending }
  | { readonly do: 'reopen' | 'release' | 'prune' | 'settings' }
  | { readonly do: 'give'; readonly vendor: Vendor; readonly from: Vendor }
  | { readonly do: 'pass'; readonly seconds: number };

interface EditRequest {
  readonly item: number;
  readonly available: boolean;
  /** The index of the item's earlier timestamp that the edit is based on. */
  readonly base: number | undefined;
}

const request = fc.record({
  item: fc.nat(1),
  available: fc.boolean(),
  base: fc.option(fc.nat(5), { nil: undefined }),
});
const ending = fc.constantFrom<Ending>(
  'delivered',
  'delivered',
  'delivered',
  'refused',
  'waits',
  'lost',
  'lost',
  'stays open',
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('accept' as const),
      vendor: fc.constantFrom(...VENDORS),
      requests: fc.uniqueArray(request, { minLength: 1, maxLength: 2, selector: ({ item }) => item }),
      late: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), at: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      at: fc.nat(),
      verdict: fc.constantFrom('retry', 'discard'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      most: fc.integer({ min: 1, max: 9 }),
      endings: fc.array(ending, { minLength: 1, maxLength: 5 }),
      split: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), ending }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reopen', 'release', 'prune', 'settings') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('give' as const),
      vendor: fc.constantFrom(...VENDORS),
      from: fc.constantFrom(...VENDORS),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 1, 2, 9, 25) }) },
);

const requestFor = (item: number): Step => ({
  do: 'accept',
  vendor: 'vendor-a',
  requests: [{ item, available: false, base: undefined }],
  late: false,
});
const send = (most: number, ...endings: Extract<Step, { do: 'send' }>['endings']): Step => ({
  do: 'send',
  most,
  endings,
  split: false,
});
const pass = (seconds: number): Step => ({ do: 'pass', seconds });

/** An example in which outboxes once differed: an old edit that is to be sent again. */
export const SENT_AGAIN: Step[] = [
  ...[requestFor(0), send(1, 'lost', 'delivered'), requestFor(0), pass(1), send(1, 'delivered'), send(1, 'delivered')],
  ...[
    requestFor(1),
    requestFor(0),
    send(1, 'waits'),
    pass(1),
    requestFor(0),
    pass(1),
    { do: 'settle', ending: 'delivered' } as const,
  ],
  ...[requestFor(0), { do: 'reopen' } as const, requestFor(0), pass(9)],
  ...[{ do: 'decide', at: 0, verdict: 'retry' } as const, { do: 'decide', at: 0, verdict: 'retry' } as const],
  ...[send(2, 'delivered', 'refused', 'delivered'), { do: 'prune' } as const, pass(1), requestFor(0)],
  ...[{ do: 'repeat', at: 0 } as const, send(1, 'delivered')],
];

export const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' });

/** Applies the same steps to two outboxes, and compares their results after each step. */
export class OutboxAgreement {
  readonly #one: Outbox;
  readonly #other: Outbox;
  readonly #batches: AcceptBatchCommand[] = [];
  readonly #edits: { readonly vendor: Vendor; readonly id: EditId }[] = [];
  readonly #stamps = new Map<string, Timestamp[]>();
  #leases: readonly [Lease, Lease] | undefined;
  #open: readonly OpenEdit[] = [];
  #refused: readonly OpenEdit[] = [];
  #now = T0;
  /** The lane of all vendors until the settings change; `undefined`: each vendor has its own. */
  #lane: string | undefined = '';
  #taken = 0;

  constructor(one: Outbox, other: Outbox) {
    this.#one = one;
    this.#other = other;
  }

  async take(next: Step): Promise<void> {
    await this.#take(next);
    // An item whose owner has given it up returns to that owner if lanes are moved before the new owner has used it.
    if (next.do !== 'accept' && next.do !== 'give') await this.#both((outbox) => this.#moveLanes(outbox));
    this.#taken += 1;
    await this.#compare();
  }

  async #take(next: Step): Promise<void> {
    switch (next.do) {
      case 'accept':
        return this.#accept(next.vendor, next.requests, next.late);
      case 'repeat': {
        const batch = this.#batches.at(next.at % this.#batches.length);
        if (batch !== undefined) await this.#both((outbox) => outbox.accept(batch));
        return;
      }
      case 'decide':
        return this.#decide(next.at, next.verdict);
      case 'send':
        return this.#send(next);
      case 'settle':
        return this.#settle(this.#open, [next.ending]);
      case 'reopen': {
        const refused = this.#refused;
        await this.#held((outbox, lease) => outbox.reopen(lease, refused, 'portal_refuses', this.#now));
        return;
      }
      case 'release':
        return this.#release();
      case 'prune':
        await this.#one.prune({ settled: this.#now - 3 * SECOND, keys: this.#now - 9 * SECOND });
        await this.#other.prune({ settled: this.#now - 3 * SECOND, keys: this.#now - 9 * SECOND });
        return;
      case 'settings':
        // Open attempts stay open, in the lane in which they were made.
        await this.#release();
        this.#lane = this.#lane === '' ? 'another' : this.#lane === 'another' ? undefined : '';
        return;
      case 'give': {
        const items = [{ id: 'a' as ItemId, vendor: next.vendor, from: next.from }];
        await this.#both((outbox) => outbox.assignOwner(this.#laneOf(next.vendor), items, this.#now));
        return;
      }
      case 'pass':
        this.#now += next.seconds * SECOND;
    }
  }

  async #accept(vendor: Vendor, requests: readonly EditRequest[], late: boolean): Promise<void> {
    const key = `key-${String(this.#batches.length)}`;
    const edits = requests.map(({ item, available, base }): AcceptedEdit => {
      const id = (ITEMS[vendor][item] ?? 'a') as ItemId;
      const known = this.#stamps.get(id) ?? [];
      const edit_id = `edit-${String(this.#edits.length)}` as EditId;
      this.#edits.push({ vendor, id: edit_id });
      const seen = base === undefined ? undefined : known.at(base % known.length);
      return { id, available, edit_id, updated_at: at(this.#now), ...(seen !== undefined && { base: seen }) };
    });
    const sentAt = this.#now + (late ? 5 * MINUTE : 0);
    const more = { digest: key, lane: this.#laneOf(vendor), now: this.#now, portalOffset: 0, timestampUnit: 1, sentAt };
    const person = late ? { subject: 'person-b', name: 'Person B' } : { subject: 'person-a' };
    const batch: AcceptBatchCommand = { vendor, ...person, idempotencyKey: key, edits, ...more };
    this.#batches.push(batch);
    const accepted = await this.#both((outbox) => outbox.accept(batch));
    for (const { id, updated_at } of accepted.kind === 'accepted' ? accepted.receipts : []) {
      this.#stamps.set(id, [...(this.#stamps.get(id) ?? []), updated_at]);
    }
  }

  async #decide(index: number, kind: 'retry' | 'discard'): Promise<void> {
    const known = this.#edits.at(index % this.#edits.length);
    if (known === undefined) return;
    const newId = `edit-${String(this.#edits.length)}` as EditId;
    const request = { newId, portalOffset: 0, timestampUnit: 1 };
    const verdict: Decision['verdict'] = kind === 'discard' ? { kind, resend: request } : { kind, ...request };
    const decision = { vendor: known.vendor, by: 'person-b', editId: known.id, verdict, now: this.#now };
    const decided = await this.#both((outbox) => outbox.decide(decision));
    // A discard creates an edit only if the portal may have the discarded value. An id without an edit does no harm here.
    if (decided.kind === 'decided') this.#edits.push({ vendor: known.vendor, id: newId });
  }

  async #send({ most, endings, split }: Extract<Step, { do: 'send' }>): Promise<void> {
    if (this.#leases === undefined) await this.#lease();
    if (this.#leases === undefined) return;
    const due = await this.#held(async (outbox, lease) => bySeq(await outbox.due(lease, this.#now, 1000)));
    const wanted = (due ?? []).slice(0, most);
    let open = (await this.#held((outbox, lease) => outbox.beginAttempt(lease, wanted, this.#now))) ?? [];
    if (split) open = (await this.#held((outbox, lease) => outbox.beginAttempt(lease, open, this.#now))) ?? [];
    this.#open = [...this.#open, ...open];
    await this.#settle(open, endings);
  }

  async #settle(edits: readonly OpenEdit[], endings: readonly Ending[]): Promise<void> {
    const attemptOutcomes = edits.flatMap((edit, index) => {
      return outcomeOf(edit, endings[index % endings.length] ?? 'delivered', this.#now) ?? [];
    });
    await this.#held((outbox, lease) => outbox.recordOutcomes(lease, attemptOutcomes, this.#now));
    const settled = new Set(attemptOutcomes.map(({ edit }) => edit.seq));
    this.#open = this.#open.filter(({ seq }) => !settled.has(seq));
    this.#refused = attemptOutcomes.flatMap(({ kind, edit }) => (kind === 'refused' ? [edit] : []));
  }

  async #lease(): Promise<void> {
    const [one, other] = [await this.#leaseOf(this.#one), await this.#leaseOf(this.#other)];
    assert.deepEqual(other?.state, one?.state);
    this.#open = [];
    this.#leases = one && other && [one, other];
  }

  /** Each outbox may choose another lane first, so all lanes with due edits are leased. */
  async #leaseOf(outbox: Outbox): Promise<Lease | undefined> {
    const wanted = this.#laneOf(VENDORS[this.#taken % VENDORS.length] ?? '');
    const leases: Lease[] = [];
    for (let lease; (lease = await leaseLane(outbox, { ...WANT, now: this.#now })) !== undefined;) {
      leases.push(lease);
      if (lease.lane !== wanted) await this.#moveLanes(outbox);
    }
    for (const lease of leases) {
      if (lease.lane !== wanted) await outbox.releaseLease(lease, { failures: 0, notBefore: this.#now });
    }
    return leases.find(({ lane }) => lane === wanted);
  }

  #laneOf(vendor: string): string {
    return this.#lane ?? vendor;
  }

  #moveLanes(outbox: Outbox): Promise<void> {
    return outbox.moveLanes((vendor) => this.#laneOf(vendor), this.#now);
  }

  /** Releases the lease, sometimes with open attempts, as if the process stopped in the middle. */
  async #release(): Promise<void> {
    const state = { failures: this.#open.length, notBefore: this.#now + SECOND };
    const rest = { now: this.#now, forMs: this.#open.length * 2 * SECOND };
    await this.#held((outbox, lease) => outbox.releaseLease(lease, state, rest));
    this.#leases = undefined;
  }

  async #both<T>(act: (outbox: Outbox) => Promise<T>): Promise<T> {
    const [one, other] = [await act(this.#one), await act(this.#other)];
    assert.deepEqual(plain(other), plain(one));
    return one;
  }

  async #held<T>(act: (outbox: Outbox, lease: Lease) => Promise<T>): Promise<T | undefined> {
    if (this.#leases === undefined) return undefined;
    const [one, other] = this.#leases;
    return this.#both((outbox) => act(outbox, outbox === this.#one ? one : other));
  }

  #listed(outbox: Outbox, vendor: Vendor, page: { readonly since?: number }): Promise<object[]> {
    return outbox.list(viewerOf(vendor, 'person-b'), { limit: 99, ...page });
  }

  async #compare(): Promise<void> {
    for (const vendor of VENDORS) {
      const ids = this.#edits.map(({ id }) => id);
      await this.#both((outbox) => outbox.receipts(viewerOf(vendor), ids));
      await this.#both((outbox) => outbox.history(vendor, { limit: 99 }));
      await this.#both((outbox) => this.#listed(outbox, vendor, {}));
      await this.#both((outbox) => this.#listed(outbox, vendor, { since: 0 }));
      await this.#both((outbox) => outbox.revision(vendor));
    }
    await this.#both((outbox) => outbox.waiting({ limit: 99 }));
    await this.#both((outbox) => outbox.count());
    await this.#both((outbox) => outbox.heldLanes());
    await this.#both(async (outbox) => Math.max((await outbox.nextDueAt()) ?? Infinity, this.#now));
  }
}

function outcomeOf(edit: OpenEdit, ending: Ending, now: number): AttemptOutcome | undefined {
  switch (ending) {
    case 'delivered':
      return { edit, kind: 'delivered' };
    case 'refused':
      return { edit, kind: 'refused', reason: 'item_refused' };
    case 'waits':
    case 'lost': {
      const uncertain = ending === 'lost';
      return { edit, kind: 'waiting', reason: 'portal_error', dueAt: now + SECOND, uncertain };
    }
    case 'stays open':
      return undefined;
  }
}

/** The order among vendors may differ between outboxes, the set of due edits may not. */
function bySeq(edits: readonly OpenEdit[]): OpenEdit[] {
  return [...edits].sort((a, b) => a.seq - b.seq);
}

/** Treats an absent field and an undefined one as the same. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function at(time: number): Timestamp {
  return new Date(time).toISOString() as Timestamp;
}

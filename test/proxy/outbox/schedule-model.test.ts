import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ScheduleRequest } from '../../../src/contract/schedules.js';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId, Timestamp } from '../../../src/domain/item.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { BusyTime } from '../../../src/proxy/outbox/calendar-feeds.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import type { ScheduleCommand } from '../../../src/proxy/outbox/schedules.js';
import { viewerOf } from '../../support/viewer.js';
import { tryProperty } from '../../support/try-property.js';
import { batch, edit } from './outbox-contract.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const VENDOR = 'vendor-a';
const ITEM = 'boat' as ItemId;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** A life is about a week; the campaign sets PROPERTY_RUNS. */
const LIVES = 40;

/** Berlin's summer of 2026: the nights in which a day has 23 and 25 hours. */
const SUMMER = [Date.parse('2026-03-29T01:00Z'), Date.parse('2026-10-25T01:00Z')] as const;
/** Each life begins two days before one of them. */
const STARTS = [Date.parse('2026-03-26T23:00Z'), Date.parse('2026-10-22T22:00Z')] as const;

/** By hand, as the schedules do it by a library. No time here is one that a night leaves out or has twice. */
function berlin(day: string, hour: number): number {
  const local = Date.parse(`${day}T00:00Z`) + hour * HOUR;
  const winter = local - HOUR;
  return winter >= SUMMER[0] && local - 2 * HOUR < SUMMER[1] ? local - 2 * HOUR : winter;
}

/** The first midnight in Berlin at or after the start of a life, and the days after it. */
function dayAfter(start: number, days: number): string {
  return new Date(start + 12 * HOUR + days * DAY).toISOString().slice(0, 10);
}

type Kind = 'until' | 'once' | 'weekly' | 'feed';

type Step =
  | { readonly do: 'pass' | 'outage'; readonly minutes: number }
  /** The wall clock is set. */
  | { readonly do: 'clock'; readonly minutes: number }
  | { readonly do: 'person'; readonly available: boolean }
  | { readonly do: 'read' }
  | { readonly do: 'remove' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(15, 60, 300, 1440) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('outage' as const), minutes: fc.constantFrom(30, 600, 2880) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('clock' as const), minutes: fc.constantFrom(-1500, -90, 90, 1500) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('person' as const), available: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const) }) },
);

interface Plan {
  readonly request: ScheduleRequest;
  readonly occurrences: readonly BusyTime[];
}

/** A schedule of this kind, and when it closes, by the test's own account. */
function plan(kind: Kind, start: number): Plan {
  const days = Array.from({ length: 30 }, (_, at) => dayAfter(start, at));
  const [first = '', second = '', third = ''] = days;
  const shared = { items: [ITEM], time_zone: 'Europe/Berlin' };
  switch (kind) {
    case 'until':
      return {
        request: { ...shared, until: `${third}T09:00` },
        occurrences: [{ begin: start, end: berlin(third, 9) }],
      };
    case 'once':
      return {
        request: { ...shared, from: `${second}T00:00`, until: `${third}T00:00` },
        occurrences: [{ begin: berlin(second, 0), end: berlin(third, 0) }],
      };
    case 'weekly': {
      const last = days.at(-2) ?? '';
      return {
        request: { ...shared, until: `${last}T00:00`, repeat: { days: ['sat', 'mon'], from: '00:00', until: '00:00' } },
        occurrences: days.flatMap((day, at) => {
          const name = DAYS[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7];
          const next = days[at + 1];
          return (name === 'sat' || name === 'mon') && next !== undefined && day < last
            ? [{ begin: berlin(day, 0), end: berlin(next, 0) }]
            : [];
        }),
      };
    }
    case 'feed':
      return {
        request: { ...shared, feed: 'https://calendar.example.com/' },
        occurrences: [first, second, third].map((day) => ({ begin: berlin(day, 10), end: berlin(day, 22) })),
      };
  }
}

/** One life of a schedule, and of what a person does beside it. */
class Life {
  readonly #outbox: Outbox = openMemoryOutbox();
  readonly #plan: Plan;
  #now: number;
  #made = 0;
  #seen = 0;
  #isRemoved = false;
  #isQuiet = true;
  /** The closing under way. */
  #open: BusyTime | undefined;
  #isOverridden = false;
  readonly #carriedOut = new Set<BusyTime>();
  readonly #met = new Set<BusyTime>();

  constructor(kind: Kind, start: number) {
    this.#now = start;
    this.#plan = plan(kind, start);
  }

  async run(steps: readonly Step[]): Promise<void> {
    await this.#set(true);
    await this.#put();
    await this.#tick();
    for (const each of steps) await this.#step(each);
    this.#now += 40 * DAY;
    await this.#tick();
    await this.#tick();
    assert.ok(this.#isRemoved || this.#isOverridden || this.#open === undefined, 'a closing has not ended');
    // Without a person and a clock that is set, each occurrence that a runner saw was carried out.
    if (this.#isQuiet) assert.deepEqual(this.#carriedOut, this.#met);
    await this.#outbox.close();
  }

  async #step(next: Step): Promise<void> {
    switch (next.do) {
      case 'pass':
        for (let left = next.minutes; left > 0; left -= 15) {
          this.#now += 15 * 60_000;
          await this.#tick();
        }
        return;
      case 'outage':
        this.#now += next.minutes * 60_000;
        return;
      case 'clock':
        this.#isQuiet = false;
        this.#now += next.minutes * 60_000;
        return this.#tick();
      case 'person':
        this.#isQuiet = false;
        return this.#set(next.available);
      case 'read':
        return this.#read();
      case 'remove':
        this.#isQuiet = false;
        this.#isRemoved = true;
        await this.#outbox.schedules.remove(VENDOR, 's');
    }
  }

  #command(): ScheduleCommand {
    const newId = (): EditId => `edit-${String((this.#made += 1))}` as EditId;
    return { lane: '', now: this.#now, portalOffset: 0, timestampUnit: 1, newId, hasOtherOwner: () => false };
  }

  async #put(): Promise<void> {
    const { request, occurrences } = this.#plan;
    const result = await this.#outbox.schedules.put({
      ...this.#command(),
      vendor: VENDOR,
      subject: 'ada',
      id: 's',
      request,
      ...(request.feed !== undefined && { reading: { kind: 'read', busy: occurrences } }),
    });
    assert.equal(result.kind, 'stored');
  }

  async #set(available: boolean): Promise<void> {
    const updated_at = new Date(this.#now).toISOString() as Timestamp;
    const one = edit(ITEM, available, { updated_at, edit_id: `person-${String((this.#made += 1))}` as EditId });
    assert.equal((await this.#outbox.accept(batch([one], { now: this.#now }))).kind, 'accepted');
    this.#isOverridden = true;
  }

  /** The calendar is read as it was. */
  async #read(): Promise<void> {
    const [claim] = await this.#outbox.calendarFeeds.claimDue(this.#now, 1, () => `claim-${String((this.#made += 1))}`);
    if (claim === undefined) return;
    this.#meet();
    await this.#outbox.calendarFeeds.record(claim, { kind: 'read', busy: this.#plan.occurrences }, this.#command());
    await this.#look();
  }

  /** Two proxies look at the same time. */
  async #tick(): Promise<void> {
    this.#meet();
    const { schedules } = this.#outbox;
    await Promise.all(
      [1, 2].map(async () => {
        for (const due of await schedules.due(this.#now, 10)) await schedules.run(due, this.#command());
      }),
    );
    await this.#look();
  }

  #meet(): void {
    for (const occurrence of this.#plan.occurrences) if (this.#isDuring(occurrence)) this.#met.add(occurrence);
  }

  #isDuring({ begin, end }: BusyTime): boolean {
    return begin <= this.#now && this.#now < end;
  }

  /** Holds each edit that a schedule has made since to the promises. */
  async #look(): Promise<void> {
    const entries = await this.#outbox.history(VENDOR, { limit: 100 });
    const made = entries.filter(({ by }) => by === 'schedule').reverse();
    for (const { to } of made.slice(this.#seen)) {
      assert.ok(!this.#isRemoved, 'a schedule that is gone changed an item');
      if (to) this.#onOpened();
      else this.#onClosed();
    }
    this.#seen = made.length;
    const listed = await this.#outbox.list(viewerOf(VENDOR), { limit: 1 });
    assert.equal(listed.length, 1);
  }

  #onOpened(): void {
    assert.ok(this.#open !== undefined, 'it opened what it had not closed');
    assert.ok(this.#now >= this.#open.end, 'it opened before the end');
    assert.ok(!this.#isOverridden, 'it opened what a person had set');
    this.#open = undefined;
  }

  #onClosed(): void {
    const found = this.#plan.occurrences.find((occurrence) => this.#isDuring(occurrence));
    assert.ok(found !== undefined, 'it closed outside of all times');
    assert.ok(!this.#carriedOut.has(found), 'it closed twice for one time');
    this.#carriedOut.add(found);
    this.#open = found;
    this.#isOverridden = false;
  }
}

describe('a schedule', () => {
  it('carries out each closing once, late after an outage and never after it was cancelled, whatever the clock says', async (t) => {
    await tryProperty(
      t,
      fc.asyncProperty(
        fc.constantFrom<Kind>('until', 'once', 'weekly', 'feed'),
        fc.constantFrom(...STARTS),
        fc.array(step, { minLength: 4, maxLength: 25 }),
        async (kind, start, steps) => new Life(kind, start).run(steps),
      ),
      { numRuns: LIVES },
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { listing, type Listing, type Receipt, receipts } from '../../../src/contract/widget.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import type { ProxyOptions } from '../../../src/proxy/options.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { tryProperty } from '../../support/try-property.js';
import type { NetworkFault } from '../../support/unreliable-portal.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const IDS = ['boat', 'kayak'];
/** Longer than any life: the portal never applies what it has accepted. */
const FORGETS = DAY;

/** A life is about two days. */
const LIVES = 8;

type Step =
  | { readonly do: 'post' | 'change'; readonly id: string; readonly available: boolean }
  | { readonly do: 'pass' | 'applies after'; readonly milliseconds: number }
  | { readonly do: 'watch'; readonly minutes: number }
  | { readonly do: 'network fault'; readonly networkFault: NetworkFault };

const item = { id: fc.constantFrom(...IDS), available: fc.boolean() };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('post' as const), ...item }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), ...item }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('watch' as const), minutes: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      milliseconds: fc.constantFrom(1, 500, 20 * SECOND, 3 * MINUTE, HOUR, 25 * HOUR),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('applies after' as const),
      milliseconds: fc.constantFrom(0, 30 * SECOND, 10 * MINUTE, FORGETS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('network fault' as const),
      networkFault: fc.constantFrom<NetworkFault>(
        'none',
        'none',
        'unreachable',
        'answer lost',
        'answer cut short',
        'too many',
      ),
    }),
  },
);

/** What the portal held, by the test's own account of it. */
interface Held {
  readonly at: number;
  readonly id: string;
  readonly available: boolean;
}

describe('a portal that confirms late, forgets, or changes values, and lists its items', () => {
  for (const says of ['accepted', 'delivered'] as const) {
    it(`shows nothing as live that was not, and no false drift, where an update is ${says} by its answer`, async (t) => {
      await tryProperty(
        t,
        fc.asyncProperty(fc.array(step, { maxLength: 24, size: 'max' }), (steps) => live(t, steps, says)),
        { numRuns: LIVES },
      );
    });
  }
});

async function live(t: TestContext, steps: readonly Step[], says: 'accepted' | 'delivered'): Promise<void> {
  const life = new Life(t, says);
  await life.start();
  for (const next of steps) {
    // What is delivered by its answer is applied by then: the profile says so.
    if (says === 'delivered' && next.do === 'applies after') continue;
    await life.take(next);
    await life.check();
  }
  await life.take({ do: 'network fault', networkFault: 'none' });
  await life.take({ do: 'pass', milliseconds: 2 * HOUR });
  await life.take({ do: 'watch', minutes: 5 });
  await life.check();
  await life.checkRest();
}

class Life {
  readonly #fixture: OpenProxy;
  readonly #accepted: Receipt[] = [];
  readonly #changes: Held[] = [];
  readonly #delays: { readonly since: number; readonly delay: number }[] = [{ since: 0, delay: 0 }];
  readonly #status: number;

  constructor(t: TestContext, says: 'accepted' | 'delivered') {
    this.#status = says === 'accepted' ? 202 : 200;
    this.#fixture = openProxy(t, {
      profile: portalProfile.parse({
        statuses: { 202: 'accepted' },
        listing: { path: '/v1/items', paging: 'page', vendor: 'boat-tours' },
      }),
      authenticate: everybodyIsAda,
    });
  }

  async start(): Promise<void> {
    await this.#turn(0);
    this.#fixture.proxy.start();
  }

  async take(next: Step): Promise<void> {
    const { clock, portal, ask } = this.#fixture;
    switch (next.do) {
      case 'post': {
        const inventory = [
          { id: next.id, available: next.available, updated_at: new Date(clock.wall()).toISOString() },
        ];
        const response = await ask('POST', '/v1/inventory', { token: 'ada', body: { inventory } });
        this.#accepted.push(...receipts.parse(await response.json()).receipts);
        await clock.pass(1);
        return;
      }
      case 'change':
        await portal.change(next.id, next.available);
        this.#changes.push({ at: clock.wall(), id: next.id, available: next.available });
        await clock.pass(1);
        return;
      case 'watch':
        for (let minutes = 0; minutes < next.minutes; minutes += 1) {
          await this.#page();
          await clock.pass(MINUTE);
        }
        return;
      case 'pass':
        await clock.pass(next.milliseconds);
        return;
      case 'applies after':
        await this.#turn(next.milliseconds);
        return;
      case 'network fault':
        portal.networkFault = next.networkFault;
    }
  }

  /** Whatever is shown has been true since it was shown to be. */
  async check(): Promise<void> {
    // Time passes until the page has come.
    const { inventory } = await this.#page();
    const held = await this.#held();
    const ends = await this.#receipts();
    const now = this.#fixture.clock.wall();
    for (const row of inventory) {
      const delivered = ends.filter(({ id, state }) => id === row.id && state === 'delivered').at(-1);
      const valuesSince = (since: number): readonly boolean[] => valuesIn(held, row.id, since, now);
      if (row.state === 'delivered') {
        const made = Date.parse(delivered?.updated_at ?? '');
        assert.ok(
          valuesSince(made).includes(row.available === true),
          `${row.id} was never ${String(row.available)} there`,
        );
      }
      if (row.on_portal === 'changed') {
        const settled = Date.parse(delivered?.settled_at ?? '');
        assert.ok(valuesSince(settled).includes(row.available === true), `${row.id} has no other value there`);
      }
    }
  }

  /** After hours of quiet, and with a page open, what is shown as the portal's value is the portal's value. */
  async checkRest(): Promise<void> {
    const { inventory } = await this.#page();
    const held = await this.#held();
    const now = this.#fixture.clock.wall();
    for (const row of inventory) {
      const value = valuesIn(held, row.id, now, now)[0];
      const isOpen = row.state !== undefined && row.state !== 'delivered';
      assert.ok(isOpen || row.available === value, `${row.id} is ${String(value)} there, shown ${JSON.stringify(row)}`);
      if (isOpen) assert.equal(row.reason, 'portal_confirms');
    }
    const { received } = await this.#fixture.outbox.count();
    assert.ok(this.#status === 202 || received === 0, 'what the portal has taken waits for nothing');
  }

  async #turn(delay: number): Promise<void> {
    const { portal, clock } = this.#fixture;
    const list = { list: 'page', list_path: '/v1/items', list_page: 1 };
    await portal.turn({ ...list, taken_status: this.#status, applied_after: delay });
    this.#delays.push({ since: clock.wall(), delay });
  }

  async #page(): Promise<Listing> {
    const { clock, ask } = this.#fixture;
    const response = await clock.passUntil(ask('GET', '/v1/inventory', { token: 'ada' }), 10 * SECOND);
    return listing.parse(await response.json());
  }

  async #receipts(): Promise<readonly Receipt[]> {
    if (this.#accepted.length === 0) return [];
    const ids = this.#accepted.map(({ edit_id }) => edit_id).join();
    const response = await this.#fixture.ask('GET', `/v1/receipts?ids=${ids}`, { token: 'ada' });
    return receipts.parse(await response.json()).receipts;
  }

  /** All that the portal has applied so far, in the order of the times. */
  async #held(): Promise<readonly Held[]> {
    const updates = (await this.#fixture.portal.updates()).filter(
      ({ applied, accepted }) => applied || accepted === true,
    );
    const applied = updates.flatMap(({ at, inventory }) => {
      const arrived = Date.parse(at);
      const delay = this.#delays.filter(({ since }) => since <= arrived).at(-1)?.delay ?? 0;
      return (inventory ?? []).map(({ id, available }) => ({ at: arrived + delay, id, available }));
    });
    const now = this.#fixture.clock.wall();
    return [...applied, ...this.#changes].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
  }
}

/** The values that the portal held of this item at any time between these two. */
function valuesIn(held: readonly Held[], id: string, since: number, until: number): readonly boolean[] {
  const ofItem = held.filter((one) => one.id === id);
  const before = ofItem.filter(({ at }) => at <= since).at(-1);
  const within = ofItem.filter(({ at }) => at > since && at <= until);
  return [...(before === undefined ? [] : [before]), ...within].map(({ available }) => available);
}

const everybodyIsAda: ProxyOptions['authenticate'] = () => {
  const permissions = new Set(['view', 'edit'] as const);
  return Promise.resolve({ vendor: 'boat-tours', subject: 'ada', permissions, expiresAt: Date.UTC(2100, 0) });
};

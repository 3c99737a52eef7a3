import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createTokenCache, type TokenGrant } from '../../../src/proxy/portal/token-cache.js';
import { tryProperty } from '../../support/try-property.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const LIFETIME_SECONDS = 300;
/** After the time of an early renewal, before the expiry. */
const PASSING_MS = 250_000;

interface Story {
  readonly callers: number;
  readonly calls: number;
  /** How often the portal invalidates its token. */
  readonly revocations: number;
  /** How often time passes. */
  readonly passings: number;
  readonly scheduler: fc.Scheduler;
}

const story: fc.Arbitrary<Story> = fc.record({
  callers: fc.integer({ min: 1, max: 4 }),
  calls: fc.integer({ min: 1, max: 3 }),
  revocations: fc.nat(3),
  passings: fc.nat(2),
  scheduler: fc.scheduler(),
});

describe('the portal’s token, in any order of events', () => {
  it('is requested by one request at a time, and only after it was invalidated or expired', async (t) => {
    await tryProperty(t, fc.asyncProperty(story, tell), { numRuns: 100 });
  });
});

async function tell({ callers, calls, revocations, passings, scheduler }: Story): Promise<void> {
  const clock = new VirtualClock();
  const portal = new OneTokenPortal(scheduler);
  const cache = createTokenCache({
    requests: [() => portal.grant()],
    renewalMarginSeconds: 60,
    fallbackLifetimeSeconds: LIFETIME_SECONDS,
    clock,
    random: () => 0.5,
  });
  const call = async (): Promise<boolean> => {
    const { value, generation } = await cache.get();
    const isTaken = await portal.take(value.reveal());
    if (!isTaken) cache.invalidate(generation);
    return isTaken;
  };
  const caller = async (): Promise<void> => {
    for (let made = 0; made < calls; made += 1) await call();
  };
  const event = (name: string, happen: () => void): Promise<void> =>
    scheduler.schedule(Promise.resolve(), name).then(happen);

  await scheduler.waitFor(
    Promise.all([
      ...Array.from({ length: callers }, caller),
      ...Array.from({ length: revocations }, () => event('the portal forgets', () => portal.forget())),
      ...Array.from({ length: passings }, () => event('time passes', () => clock.jump(PASSING_MS))),
    ]),
  );

  assert.equal(portal.mostAtOnce, 1);
  assert.ok(portal.grants <= 1 + revocations + passings, `${String(portal.grants)} requests`);
  // At rest, one rejection may be left, of a token that was lost on its way. Running requests have to end too.
  const last = [await scheduler.waitFor(call()), await scheduler.waitFor(call()), await scheduler.waitFor(call())];
  assert.ok(last.includes(true), 'there is a token that serves');
}

/** Accepts only the newest token: each new one invalidates the one before. Requests and responses take some time. */
class OneTokenPortal {
  grants = 0;
  mostAtOnce = 0;
  #atOnce = 0;
  #live: string | undefined;
  readonly #scheduler: fc.Scheduler;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  async grant(): Promise<TokenGrant> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    await this.#travel('a token request');
    this.grants += 1;
    const accessToken = `token-${String(this.grants)}`;
    this.#live = accessToken;
    await this.#travel('a token');
    this.#atOnce -= 1;
    return { accessToken, expiresIn: LIFETIME_SECONDS };
  }

  async take(token: string): Promise<boolean> {
    await this.#travel('an update');
    const isTaken = token === this.#live;
    await this.#travel('an answer');
    return isTaken;
  }

  forget(): void {
    this.#live = undefined;
  }

  #travel(what: string): Promise<void> {
    return this.#scheduler.schedule(Promise.resolve(), what);
  }
}

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Clock } from '../../../src/proxy/runtime/clock.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('a proxy that is suspended for longer than its lease, between an attempt and its call', () => {
  for (const [what, isAsleep] of [
    ['because its process was stopped', false],
    ['because its machine slept', true],
  ] as const) {
    it(`does not send an older value after another proxy has sent a newer one, ${what}`, async (t) => {
      const time = new VirtualClock(Date.now());
      const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
      const quick = openProxy(t, { clock: time, outbox });
      const machine = new Machine(time, isAsleep);
      const still = openProxy(t, {
        clock: machine.clock,
        outbox: { ...outbox, beginAttempt: (...attempt) => machine.standStillAfter(outbox.beginAttempt(...attempt)) },
        portal: quick.portal.account,
        fetch: quick.portal.fetch,
      });
      await post(quick, true);
      still.proxy.start();
      await time.pass(SECOND);
      quick.proxy.start();

      const newest = await post(quick, false);
      await time.pass(10 * MINUTE);

      const states = (await receiptsOf(quick, newest)).map(({ state }) => state);
      const kayak = (await quick.portal.items()).find(({ id }) => String(id) === 'kayak');
      assert.deepEqual([states, kayak?.by_arrival.available], [['delivered'], false]);
    });
  }
});

/** Suspended for two minutes after its first attempt. */
class Machine {
  readonly clock: Clock;
  readonly #time: VirtualClock;
  readonly #isAsleep: boolean;
  #slept = 0;
  #stoodStill = false;

  constructor(time: VirtualClock, isAsleep: boolean) {
    this.#time = time;
    this.#isAsleep = isAsleep;
    this.clock = {
      wall: () => time.wall(),
      monotonic: () => time.monotonic() - this.#slept,
      uptime: () => time.uptime(),
      after: (milliseconds, callback) => time.after(milliseconds, callback),
    };
  }

  async standStillAfter<T>(attempt: Promise<T>): Promise<T> {
    const opened = await attempt;
    if (this.#stoodStill) return opened;
    this.#stoodStill = true;
    await new Promise<void>((wake) => this.#time.after(2 * MINUTE, wake));
    if (this.#isAsleep) this.#slept = 2 * MINUTE;
    return opened;
  }
}

async function post({ ask, clock }: OpenProxy, available: boolean): Promise<string[]> {
  const inventory = [{ id: 'kayak', available, updated_at: new Date(clock.wall()).toISOString() }];
  const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
  return receipts.parse(await answer.json()).receipts.map(({ edit_id }) => edit_id);
}

async function receiptsOf({ ask }: OpenProxy, edits: readonly string[]): Promise<{ readonly state: string }[]> {
  const answer = await ask('GET', `/v1/receipts?ids=${edits.join(',')}`, { token: await embedToken() });
  return receipts.parse(await answer.json()).receipts;
}

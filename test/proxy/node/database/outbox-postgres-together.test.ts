import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Receipt } from '../../../../src/contract/widget.js';
import {
  openPostgresOutbox,
  type PostgresOutboxOptions,
} from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import {
  type LaneState,
  type Lease,
  LeaseLost,
  type OpenEdit,
  type Outbox,
  type AttemptOutcome,
  StorageFailed,
} from '../../../../src/proxy/outbox/outbox.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { batch, edit } from '../../outbox/outbox-contract.js';
import { viewerOf } from '../../../support/viewer.js';
import { leaseLane } from '../../../support/lease-lane.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
const WANT = { leaseMs: 30 * SECOND, uncertainMs: 20 * SECOND };
const IDLE: LaneState = { failures: 0, notBefore: 0 };

const server = await PostgresServer.start();
after(() => server.stop());

/** A test with two outboxes on one database. */
function test(
  title: string,
  options: PostgresOutboxOptions,
  body: (one: Outbox, other: Outbox, schema: string) => Promise<void>,
): void {
  it(title, async () => {
    const schema = server.newSchema();
    const open = (): Promise<Outbox> => openPostgresOutbox(server.url, { schema, ...options });
    const [one, other] = await Promise.all([open(), open()]);
    try {
      await body(one, other, schema);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
}

async function openAll(outbox: Outbox, lease: Lease, now: number): Promise<readonly OpenEdit[]> {
  return outbox.beginAttempt(lease, await outbox.due(lease, now, 1000), now);
}

/** Leases a lane and delivers everything that is due. */
async function roundOf(outbox: Outbox, now: number, settle: (open: OpenEdit) => AttemptOutcome): Promise<void> {
  const lease = await leaseLane(outbox, { ...WANT, now });
  assert.ok(lease);
  await outbox.recordOutcomes(lease, (await openAll(outbox, lease, now)).map(settle), now);
  await outbox.releaseLease(lease, IDLE);
}

/** Whether a time is the expected one, apart from the time that earlier calls took. */
function isNear(time: number | undefined, right: number): boolean {
  return time !== undefined && Math.abs(time - right) < 15 * SECOND;
}

/** Single edits, because a batch with a conflict would be tried again. */
async function acceptAtOneMoment(...both: readonly Outbox[]): Promise<void> {
  for (let round = 0; round < 30; round += 1) {
    await Promise.all(
      both.map((outbox, at) => outbox.accept(batch([edit(`item-${String(round)}-${String(at)}`, true)]))),
    );
  }
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await sleep(20);
  }
}

const caller = { clock: 'caller' } as const;
const database = { clock: 'database' } as const;

describe('two proxies on one PostgreSQL', () => {
  test(
    'share the offset of the portal’s clock, even if the clock of one is a day ahead',
    database,
    async (one, other) => {
      await one.storePortalOffset(-10 * 60 * SECOND, Date.now());

      const told = await other.portalOffset(Date.now() + DAY);

      assert.ok(Math.abs((told ?? 0) + 10 * 60 * SECOND + DAY) < 15 * SECOND, String(told));
    },
  );

  test('lease each lane to one of them', caller, async (one, other) => {
    const lanes = ['a', 'b', 'c', 'd', 'e'];
    for (const lane of lanes) await one.accept(batch([edit(lane, true)], { lane, vendor: lane }));

    const leases = await Promise.all(
      Array.from({ length: 16 }, (_, index) => leaseLane(index % 2 === 0 ? one : other, { ...WANT, now: T0 })),
    );

    const leased = leases.flatMap((lease) => lease?.lane ?? []);
    assert.deepEqual(leased.sort(), lanes);
  });

  test('lease many lanes in one claim, and none twice', caller, async (one, other) => {
    const lanes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const lane of lanes) await one.accept(batch([edit(lane, true)], { lane, vendor: lane }));

    const first = await one.leaseLanes({ ...WANT, now: T0 }, 3);
    const others = await Promise.all([one, other].map((outbox) => outbox.leaseLanes({ ...WANT, now: T0 }, 2)));

    assert.equal(first.length, 3);
    assert.deepEqual([first, ...others].flatMap((leases) => leases.map(({ lane }) => lane)).sort(), lanes);
  });

  test('reserve the calls of one client in sequence', caller, async (one, other) => {
    const call = { client: 'client', intervalMs: 500, maxWaitMs: 60 * SECOND, now: T0 };

    const waits = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? one : other).reserveCall(call)),
    );
    const tooLate = await one.reserveCall({ ...call, maxWaitMs: 3 * SECOND });
    const another = await other.reserveCall({ ...call, client: 'another' });
    const later = await other.reserveCall({ ...call, now: T0 + 4 * SECOND });

    assert.deepEqual(
      waits.sort((a, b) => a - b),
      [0, 500, 1000, 1500, 2000, 2500, 3000, 3500],
    );
    assert.deepEqual([tooLate, another, later], [4 * SECOND, 0, 0]);
  });

  test('lease the other lanes while one lane is blocked', caller, async (one, other, schema) => {
    for (const lane of ['a', 'b']) await one.accept(batch([edit(lane, true)], { lane, vendor: lane }));
    const still = new Client(server.url);
    await still.connect();
    try {
      await still.query(`BEGIN; SELECT 1 FROM ${schema}.lane WHERE name = 'a' FOR UPDATE`);

      // A claim that waited for the blocked lane would fail after a timeout.
      const leased = await leaseLane(other, { ...WANT, now: T0 });

      assert.equal(leased?.lane, 'b');
    } finally {
      await still.end();
    }
  });

  test('accept the edits of one vendor while a write of another is blocked', caller, async (one, other, schema) => {
    await one.accept(batch([edit('a', true)], { vendor: 'vendor-a', lane: 'a' }));
    const still = new Client(server.url);
    await still.connect();
    try {
      await still.query(`BEGIN; SELECT 1 FROM ${schema}.vendor WHERE name = 'vendor-a' FOR UPDATE`);
      const stuck = one.accept(batch([edit('b', true)], { vendor: 'vendor-a', lane: 'a' }));
      while ((await server.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length === 0) await sleep(10);

      const answer = await other.accept(batch([edit('c', true)], { vendor: 'vendor-b', lane: 'b' }));

      assert.equal(answer.kind, 'accepted');
      await still.query('COMMIT');
      assert.equal((await stuck).kind, 'accepted');
    } finally {
      await still.end();
    }
  });

  test('assign an id of one lane to the first of two vendors that use it concurrently', caller, async (one, other) => {
    for (let round = 0; round < 10; round += 1) {
      const id = `item-${String(round)}`;
      const answers = await Promise.all([
        one.accept(batch([edit(id, true)], { vendor: 'vendor-a' })),
        other.accept(batch([edit(id, true)], { vendor: 'vendor-b' })),
      ]);

      assert.deepEqual(answers.map(({ kind }) => kind).sort(), ['accepted', 'item_unknown']);
    }
  });

  test('reject every change by the one that lost its lease', caller, async (one, other) => {
    const newEdit = edit('a', true);
    await one.accept(batch([newEdit]));
    const lost = await leaseLane(one, { ...WANT, now: T0 });
    assert.ok(lost);
    const open = await openAll(one, lost, T0);

    const taken = await leaseLane(other, { ...WANT, now: T0 + WANT.leaseMs });

    assert.ok(taken);
    await assert.rejects(
      one.recordOutcomes(
        lost,
        open.map((edited) => ({ edit: edited, kind: 'delivered' })),
        T0,
      ),
      LeaseLost,
    );
    await assert.rejects(one.beginAttempt(lost, open, T0), LeaseLost);
    await assert.rejects(one.due(lost, T0, 9), LeaseLost);
    await assert.rejects(one.reopen(lost, open, 'portal_refuses', T0), LeaseLost);
    await assert.rejects(one.releaseLease(lost, IDLE), LeaseLost);
    const [receipt] = await other.receipts(viewerOf('vendor-a'), [newEdit.edit_id]);
    assert.equal(receipt?.state, 'received');
    assert.equal((await openAll(other, taken, T0 + WANT.leaseMs)).length, 1);
  });

  test('take over the open attempts of one whose connections were cut', database, async (one, other) => {
    await one.accept(batch([edit('a', true)], { now: Date.now() }));
    const want = { leaseMs: 300, uncertainMs: 20 * SECOND };
    const lease = await leaseLane(one, { ...want, now: Date.now() });
    assert.ok(lease);
    const open = await openAll(one, lease, Date.now());
    await server.cutConnections();

    const taken = await eventually(() =>
      leaseLane(other, { ...want, now: Date.now() }).catch((error: unknown) => {
        assert.ok(error instanceof StorageFailed);
        return undefined;
      }),
    );

    const again = await openAll(other, taken, Date.now());
    assert.deepEqual(
      again.map(({ id, attempts, updated_at }) => [id, attempts, updated_at]),
      open.map(({ id, attempts, updated_at }) => [id, attempts + 1, updated_at]),
    );
    await assert.rejects(
      one.recordOutcomes(
        lease,
        open.map((edited) => ({ edit: edited, kind: 'delivered' })),
        Date.now(),
      ),
      LeaseLost,
    );
  });

  test('keep a lease even if their clocks are a day apart', database, async (one, other) => {
    await one.accept(batch([edit('a', true)], { now: T0 }));
    const lease = await leaseLane(one, { ...WANT, now: T0 });
    assert.ok(lease);

    const early = await leaseLane(other, { ...WANT, now: T0 + DAY });
    await one.releaseLease(lease, IDLE);
    const free = await leaseLane(other, { ...WANT, now: T0 + DAY });

    assert.equal(early, undefined);
    assert.equal(free?.lane, lease.lane);
  });

  test(
    'lease a lane when its cooldown is over, even if the clock of the database was set back',
    caller,
    async (one, other) => {
      await one.accept(batch([edit('a', true)], { now: T0 }));
      const lease = await leaseLane(one, { ...WANT, now: T0 });
      assert.ok(lease);
      await one.releaseLease(lease, IDLE, { now: T0, forMs: 500 });

      const early = await leaseLane(other, { ...WANT, now: T0 - DAY });
      const due = await other.nextDueAt();
      const free = await leaseLane(other, { ...WANT, now: T0 - DAY + 500 });

      assert.deepEqual([early, due, free?.lane], [undefined, T0 - DAY + 500, lease.lane]);
    },
  );

  for (const ahead of [DAY, -DAY]) {
    const apart = `the clock of the other is ${String(ahead / DAY)} days ahead`;

    test(`resend a value if an older one may arrive later, though ${apart}`, database, async (one, other) => {
      const now = T0 + ahead;
      await one.accept(batch([edit('a', true)], { now: T0 }));
      await roundOf(one, T0, (open) => ({ edit: open, kind: 'waiting', dueAt: T0, uncertain: true }));
      await other.accept(batch([edit('a', false)], { now: T0 }));
      await roundOf(other, now, (open) => ({ edit: open, kind: 'delivered' }));
      await roundOf(other, now, (open) => ({ edit: open, kind: 'delivered' }));

      await leaseLane(one, { ...WANT, now: T0 });
      const due = [await one.nextDueAt(), ((await other.nextDueAt()) ?? 0) - ahead];

      for (const at of due) assert.ok(isNear(at, T0 + WANT.uncertainMs), `in ${String((at ?? 0) - T0)} ms`);
    });

    test(`wait until the due time of a lane, though ${apart}`, database, async (one, other) => {
      const [now, dueAt] = [T0 + ahead, T0 + 60 * SECOND];
      await one.accept(batch([edit('a', true)], { now: T0 }));
      await roundOf(one, T0, (open) => ({ edit: open, kind: 'waiting', dueAt, uncertain: false }));
      await one.accept(batch([edit('b', true)], { now: T0, lane: 'pausing', vendor: 'vendor-b' }));
      const pausing = await leaseLane(one, { ...WANT, now: T0 });
      assert.ok(pausing);
      await one.releaseLease(pausing, { failures: 1, notBefore: dueAt });

      const early = await leaseLane(other, { ...WANT, now });
      const next = ((await other.nextDueAt()) ?? 0) - ahead;
      await other.capDelays(now, 30 * SECOND);
      const leases = [await leaseLane(other, { ...WANT, now }), await leaseLane(other, { ...WANT, now })];

      assert.equal(early, undefined);
      assert.ok(isNear(next, dueAt), `in ${String(next - T0)} ms`);
      assert.deepEqual(leases.map((lease) => lease?.lane).sort(), ['', 'pausing']);
      const told = leases.find((lease) => lease?.lane === 'pausing')?.state.notBefore;
      assert.ok(isNear(told, now), `in ${String((told ?? 0) - now)} ms`);
    });
  }

  test('wait no longer if the clock of the database is set back', caller, async (one, other) => {
    const dueAt = T0 + 60 * SECOND;
    await one.accept(batch([edit('a', true)], { now: T0 }));
    await roundOf(one, T0, (open) => ({ edit: open, kind: 'waiting', dueAt, uncertain: false }));
    await one.accept(batch([edit('b', true)], { now: T0, lane: 'pausing', vendor: 'vendor-b' }));
    const pausing = await leaseLane(one, { ...WANT, now: T0 });
    assert.ok(pausing);
    await one.releaseLease(pausing, { failures: 1, notBefore: dueAt }, { now: T0, forMs: 0 });

    const leases: (Lease | undefined)[] = [];
    for (const later of [0, 59, 60, 60]) {
      leases.push(await leaseLane(other, { ...WANT, now: T0 - 30 * 60 * SECOND + later * SECOND }));
    }

    assert.deepEqual(leases.map((lease) => lease?.lane).sort(), ['', 'pausing', undefined, undefined]);
  });

  test('keep a lease no longer than its time if the clock of the database is set back', caller, async (one, other) => {
    await one.accept(batch([edit('a', true)], { now: T0 }));
    const lease = await leaseLane(one, { ...WANT, now: T0 });
    assert.ok(lease);
    await openAll(one, lease, T0 + 20 * SECOND);
    const setBack = T0 - DAY;

    const leases = [0, WANT.leaseMs - 1, WANT.leaseMs].map(
      (later) => async () => leaseLane(other, { ...WANT, now: setBack + later }),
    );
    const leased: boolean[] = [];
    for (const next of leases) leased.push((await next()) !== undefined);

    assert.deepEqual(leased, [false, false, true]);
  });

  test('return the end of a lease on their own clock', database, async (one, other) => {
    await one.accept(batch([edit('a', true)], { now: T0 }));
    await leaseLane(one, { ...WANT, now: T0 });

    await leaseLane(other, { ...WANT, now: T0 + DAY });
    const due = (await other.nextDueAt()) ?? 0;

    assert.ok(Math.abs(due - (T0 + DAY + WANT.leaseMs)) < 15 * SECOND, `${String(due - T0 - DAY)} ms from now`);
  });

  test('never skip a change that is committed after a later one', caller, async (one, other) => {
    const each = 60;
    const accepting = Promise.all(
      Array.from({ length: 2 * each }, async (_, index) => {
        await sleep(index % 29);
        const outbox = index % 2 === 0 ? one : other;
        return outbox.accept(batch([edit(`item-${String(index)}`, true)], { vendor: 'vendor-a' }));
      }),
    );
    const seen: string[] = [];
    let since = 0;

    // Reads the changes after its revision, as a page does.
    while (seen.length < 2 * each) {
      const page = await other.list(viewerOf('vendor-a'), { limit: 7, since });
      seen.push(...page.map(({ id }) => id));
      since = page.at(-1)?.revision ?? since;
      if (page.length === 0) await Promise.race([accepting, sleep(1)]);
    }

    await accepting;
    assert.equal(new Set(seen).size, 2 * each);
    assert.equal(await one.revision('vendor-a'), 2 * each);
  });

  test('give each edit its own sequence number and timestamp, in one order', caller, async (one, other) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? one : other).accept(batch([edit('a', index % 3 === 0)])),
      ),
    );

    const receipts = answers.flatMap((answer): readonly Receipt[] =>
      answer.kind === 'accepted' ? answer.receipts : [],
    );
    const inOrder = receipts.sort((a, b) => a.seq - b.seq);
    assert.deepEqual(
      inOrder.map(({ seq }) => seq),
      inOrder.map((_, index) => index + 1),
    );
    const stamps = inOrder.map(({ updated_at }) => updated_at);
    assert.deepEqual(stamps, [...new Set(stamps)].sort());
    const { accepted, received, superseded } = await one.count();
    assert.deepEqual([accepted, received, superseded], [40, 1, 39]);
  });

  test('accept concurrent edits at the first attempt', caller, async (one, other) => {
    await acceptAtOneMoment(one, other);

    assert.equal((await one.count()).accepted, 60);
  });

  test('accept concurrent edits with repeatable read as the default isolation', caller, async (one, other) => {
    await server.query(`ALTER ROLE postgres SET default_transaction_isolation = 'repeatable read'`);
    try {
      await server.cutConnections();
      await acceptAtOneMoment(one, other);
    } finally {
      await server.query('ALTER ROLE postgres RESET default_transaction_isolation');
    }

    assert.equal((await one.count()).accepted, 60);
  });

  test('are each notified once of a change by the other', caller, async (one, other) => {
    const notifications = new EventEmitter();
    const heard: string[] = [];
    one.subscribe((vendor) => heard.push(`one ${vendor}`));
    other.subscribe((vendor) => {
      heard.push(`other ${vendor}`);
      notifications.emit('heard');
    });

    const told = once(notifications, 'heard');
    await one.accept(batch([edit('a', true)], { vendor: 'a vendor with spaces' }));
    await told;

    assert.deepEqual(heard.sort(), ['one a vendor with spaces', 'other a vendor with spaces']);
  });

  test('are notified again after the connection was lost', caller, async (one, other) => {
    const heard: string[] = [];
    other.subscribe((vendor) => heard.push(vendor));
    await server.cutConnections();

    const vendor = await eventually(async () => {
      await one.accept(batch([edit('a', true)])).catch(() => undefined);
      return heard[0];
    });

    assert.equal(vendor, 'vendor-a');
  });
});

describe('a PostgreSQL outbox whose connections are lost', () => {
  test('reconnects with the next call', caller, async (one) => {
    await one.accept(batch([edit('a', true)]));
    await server.cutConnections();

    const answer = await one.accept(batch([edit('b', true)]));

    assert.equal(answer.kind, 'accepted');
  });

  test('fails every call while the database is down, and succeeds after that', caller, async (one) => {
    const request = batch([edit('a', true)]);
    await one.accept(request);

    await server.restart(async () => {
      await assert.rejects(one.accept(batch([edit('b', true)])), StorageFailed);
      await assert.rejects(one.list(viewerOf('vendor-a'), { limit: 9 }), StorageFailed);
      await assert.rejects(leaseLane(one, { ...WANT, now: T0 }), StorageFailed);
    });

    assert.equal((await one.accept(request)).kind, 'accepted');
    assert.equal((await one.count()).accepted, 1);
  });

  test(
    'stores all or nothing of a batch during which a connection is cut, as its key shows',
    caller,
    async (one, _other, schema) => {
      const requests = Array.from({ length: 200 }, (_, index) => batch([edit(`item-${String(index)}`, true)]));
      const answered: string[] = [];
      const cutting = (async () => {
        for (let times = 0; times < 5; times += 1) {
          await sleep(15);
          await server.cutConnections();
        }
      })();

      for (const request of requests) {
        const answer = await one.accept(request).catch((error: unknown) => error);
        if (answer instanceof Error) assert.ok(answer instanceof StorageFailed, String(answer));
        else answered.push(request.idempotencyKey);
      }
      await cutting;

      const stored = await server.query<{ key: string }>(`SELECT key FROM ${schema}.idempotency`);
      const keys = new Set(stored.map(({ key }) => key));
      assert.deepEqual(
        answered.filter((key) => !keys.has(key)),
        [],
      );
      for (const request of requests) await one.accept(request);
      assert.equal((await one.count()).accepted, requests.length);
    },
  );
});

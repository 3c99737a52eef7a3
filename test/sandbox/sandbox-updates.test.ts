import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSandboxPortal, type SandboxOptions, type SandboxPortal } from '../../src/sandbox/sandbox-portal.js';
import { ask, CLIENT, getToken, JSON_TYPE, KAYAK, lastEntry } from './ask-portal.js';

const CANOE = { ...KAYAK, id: 'canoe' };

interface Update {
  readonly items?: readonly object[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** A portal in this variant, and a function that sends an update to it. */
async function open(habits: object, options: Partial<SandboxOptions> = {}, faults: object = {}) {
  const portal = createSandboxPortal({ ...CLIENT, ...options });
  assert.equal((await ask(portal, 'PUT', '/sandbox/habits', JSON.stringify(habits))).status, 200);
  const authorization = `Bearer ${await getToken(portal)}`;
  assert.equal((await ask(portal, 'PUT', '/sandbox/faults', JSON.stringify(faults))).status, 200);
  const update = ({ items = [KAYAK], headers = {}, path = '/v1/inventory' }: Update = {}): Promise<Response> =>
    ask(portal, 'POST', path, JSON.stringify({ inventory: items }), {
      ...JSON_TYPE,
      authorization,
      ...headers,
    });
  return { portal, update };
}

async function timesApplied(portal: SandboxPortal): Promise<number[]> {
  const { items } = (await (await ask(portal, 'GET', '/sandbox/items')).json()) as { items: { updates: number }[] };
  return items.map(({ updates }) => updates);
}

describe('a portal with another path and content type', () => {
  test('accepts updates only at that path with that content type', async () => {
    const habits = {
      update_path: '/v1/inventory:batch',
      update_headers: { 'Content-Type': 'application/merge-patch+json' },
    };
    const { portal, update } = await open(habits);
    const headers = { 'content-type': 'application/merge-patch+json' };

    const statuses = [
      (await update({ headers, path: '/v1/inventory:batch' })).status,
      (await update({ path: '/v1/inventory:batch' })).status,
      (await update({ headers, path: '/v1/inventory' })).status,
    ];

    assert.deepEqual(statuses, [200, 400, 404]);
    assert.deepEqual(await timesApplied(portal), [1]);
  });
});

describe('a portal that requires a further header', () => {
  test('accepts no update without it or with another value', async () => {
    // fetch trims header values.
    const { portal, update } = await open({ update_headers: { 'X-Version': '2 ' } });

    const statuses: number[] = [];
    for (const headers of [{}, { 'x-version': '1' }, { 'x-version': '2' }]) {
      statuses.push((await update({ headers })).status);
    }

    assert.deepEqual(statuses, [400, 400, 200]);
    assert.deepEqual(await timesApplied(portal), [1]);
  });
});

describe('a portal with idempotency keys', () => {
  const keyed = { idempotency_header: 'Idempotency-Key', taken_status: 202 };

  test('applies each key once, repeats its response, and records the repetition', async () => {
    const { portal, update } = await open(keyed);
    const headers = { 'idempotency-key': 'one' };

    const answers = [await update({ headers }), await update({ headers })];

    assert.deepEqual(
      await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()])),
      [1, 2].map(() => [202, '{"status":"ok"}']),
    );
    assert.deepEqual(await timesApplied(portal), [1]);
    const entry = await lastEntry(portal);
    assert.deepEqual([entry?.repeated, entry?.applied], [true, false]);
  });

  test('accepts no update without a key, and no other update with a used key', async () => {
    const { portal, update } = await open(keyed);
    const headers = { 'idempotency-key': 'one' };

    const statuses = [
      (await update()).status,
      (await update({ headers })).status,
      (await update({ headers, items: [CANOE] })).status,
    ];

    assert.deepEqual(statuses, [400, 202, 422]);
    assert.deepEqual(await timesApplied(portal), [1]);
  });

  test('processes a refused update again', async () => {
    const { portal, update } = await open(keyed, {}, { refuse_items: ['kayak'] });
    const headers = { 'idempotency-key': 'one' };
    const first = await update({ headers });
    await ask(portal, 'PUT', '/sandbox/faults', '{}');

    const second = await update({ headers });

    assert.deepEqual([first.status, second.status], [422, 202]);
  });

  test('processes a partly accepted update again', async () => {
    const { portal, update } = await open({ ...keyed, results: 'each' }, {}, { refuse_items: ['canoe'] });
    const [headers, items] = [{ 'idempotency-key': 'one' }, [KAYAK, CANOE]];
    const answers = [await update({ headers, items })];
    await ask(portal, 'PUT', '/sandbox/faults', '{}');
    answers.push(await update({ headers, items }));

    const results = await Promise.all(
      answers.map(async (answer) => ((await answer.json()) as { results: { status: number }[] }).results),
    );

    assert.deepEqual(
      results.map((items) => items.map(({ status }) => status)),
      [
        [202, 422],
        [202, 202],
      ],
    );
  });
});

describe('a portal with a timestamp precision', () => {
  for (const [stamps, taken] of [
    ['any', ['', '.5', '.500', '.500000']],
    ['milliseconds', ['.500']],
    ['seconds', ['']],
  ] as const) {
    test(`accepts only timestamps of the precision ${stamps}`, async () => {
      const { update } = await open({ stamps, taken_status: 201, refused_status: 400 });

      const statuses: number[] = [];
      for (const fraction of ['', '.5', '.500', '.500000']) {
        const item = { ...KAYAK, updated_at: `2026-11-21T08:30:00${fraction}Z` };
        statuses.push((await update({ items: [item] })).status);
      }

      const expected = ['', '.5', '.500', '.500000'].map((fraction) =>
        (taken as readonly string[]).includes(fraction) ? 201 : 400,
      );
      assert.deepEqual(statuses, expected);
    });
  }
});

describe('a portal with limits', () => {
  test('accepts no update with more items', async () => {
    const { update } = await open({ most_items: 1 });

    const statuses = [(await update()).status, (await update({ items: [KAYAK, CANOE] })).status];

    assert.deepEqual(statuses, [200, 422]);
  });

  test('accepts an update of exactly its byte limit, and no larger one', async () => {
    const { update } = await open({ most_bytes: 1024 });
    const items = Array.from({ length: 12 }, () => KAYAK);
    const room = 1024 - JSON.stringify({ inventory: [KAYAK, ...items] }).length;

    const statuses: number[] = [];
    for (const more of [room, room + 1]) {
      statuses.push((await update({ items: [{ ...KAYAK, id: KAYAK.id + 'k'.repeat(more) }, ...items] })).status);
    }

    assert.deepEqual(statuses, [200, 413]);
  });

  test('answers 429 with Retry-After to the third call in a second if it accepts two', async () => {
    let now = Date.parse('2026-11-21T08:30:00.000Z');
    const { portal, update } = await open({ calls_per_second: 2 }, { now: () => now });

    const answers = [await update()];
    now += 400;
    answers.push(await update(), await update());
    now += 600;
    answers.push(await update(), await update());

    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('retry-after')]),
      [
        [200, null],
        [200, null],
        [429, '1'],
        [200, null],
        [429, '1'],
      ],
    );
    assert.deepEqual(await timesApplied(portal), [3]);
  });

  test('accepts one call in two seconds if its limit is half a call per second', async () => {
    let now = 0;
    const { update } = await open({ calls_per_second: 0.5, too_many_status: 503 }, { now: () => now });

    const answers = [];
    for (now of [0, 1000, 2000]) answers.push(await update());

    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('retry-after')]),
      [
        [200, null],
        [503, '1'],
        [200, null],
      ],
    );
  });

  test('accepts a call after the clock was set back', async () => {
    let now = Date.parse('2026-11-21T08:30:00.000Z');
    const { update } = await open({ calls_per_second: 1 }, { now: () => now });
    const first = await update();
    now -= 3_600_000;

    const second = await update();

    assert.deepEqual([first.status, second.status], [200, 200]);
  });

  test('does not count calls during an outage', async () => {
    const { portal, update } = await open({ calls_per_second: 1 }, { now: () => 0 }, { down: true });
    const first = await update();
    await ask(portal, 'PUT', '/sandbox/faults', '{}');

    const second = await update();

    assert.deepEqual([first.status, second.status], [503, 200]);
  });

  for (const [says_when, told] of [
    ['ratelimit', [null, '"updates";r=0;t=1']],
    ['no', [null, null]],
  ] as const) {
    test(`sends the time of the next call as ${says_when}`, async () => {
      const { update } = await open({ calls_per_second: 1, says_when }, { now: () => 0 });
      await update();

      const { status, headers } = await update();

      assert.deepEqual([status, headers.get('retry-after'), headers.get('ratelimit')], [429, ...told]);
    });
  }

  test('accepts one of two simultaneous calls', async () => {
    const { portal, update } = await open({ calls_in_flight: 1 });

    const answers = await Promise.all([update(), update()]);

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 429]);
    assert.deepEqual(await timesApplied(portal), [1]);
  });

  test('accepts the next call only after it has answered the previous one', async () => {
    const answers: (() => void)[] = [];
    const delay = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
    const { portal, update } = await open({ calls_in_flight: 1 }, { delay }, { delay_ms: 1 });
    const first = update();
    while (answers.length === 0) await nextTurn();
    await ask(portal, 'PUT', '/sandbox/faults', '{}');

    const second = await update();
    answers.forEach((answer) => {
      answer();
    });
    const statuses = [(await first).status, second.status, (await update()).status];

    assert.deepEqual(statuses, [200, 429, 200]);
  });
});

describe('a portal that answers accepted updates without content', () => {
  for (const [habits, told] of [
    [{ taken_status: 204 }, [204, '']],
    [{ taken_status: 204, errors: 'in_success' }, [200, '{"success":true,"code":204}']],
  ] as const) {
    test(`answers ${JSON.stringify(habits)} with ${JSON.stringify(told)}`, async () => {
      const { update } = await open(habits);

      const answer = await update();

      assert.deepEqual([answer.status, await answer.text()], told);
    });
  }
});

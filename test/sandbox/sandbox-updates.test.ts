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

/** A portal of these habits, and one caller of it. */
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

describe('a portal with an address and a type of its own', () => {
  test('takes updates there, of that type', async () => {
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

describe('a portal that wants more in the head of an update', () => {
  test('takes none without it, and none with another value', async () => {
    // fetch takes the blanks off both ends.
    const { portal, update } = await open({ update_headers: { 'X-Version': '2 ' } });

    const statuses: number[] = [];
    for (const headers of [{}, { 'x-version': '1' }, { 'x-version': '2' }]) {
      statuses.push((await update({ headers })).status);
    }

    assert.deepEqual(statuses, [400, 400, 200]);
    assert.deepEqual(await timesApplied(portal), [1]);
  });
});

describe('a portal that has a name for each update', () => {
  const named = { idempotency_header: 'Idempotency-Key', taken_status: 202 };

  test('applies one of each name, answers it alike again, and says so in the journal', async () => {
    const { portal, update } = await open(named);
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

  test('takes none without a name, and no other under one that was taken', async () => {
    const { portal, update } = await open(named);
    const headers = { 'idempotency-key': 'one' };

    const statuses = [
      (await update()).status,
      (await update({ headers })).status,
      (await update({ headers, items: [CANOE] })).status,
    ];

    assert.deepEqual(statuses, [400, 202, 422]);
    assert.deepEqual(await timesApplied(portal), [1]);
  });

  test('judges again what it has refused', async () => {
    const { portal, update } = await open(named, {}, { refuse_items: ['kayak'] });
    const headers = { 'idempotency-key': 'one' };
    const first = await update({ headers });
    await ask(portal, 'PUT', '/sandbox/faults', '{}');

    const second = await update({ headers });

    assert.deepEqual([first.status, second.status], [422, 202]);
  });

  test('judges again what it has taken in part', async () => {
    const { portal, update } = await open({ ...named, results: 'each' }, {}, { refuse_items: ['canoe'] });
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

describe('a portal that is exact about a second', () => {
  for (const [stamps, taken] of [
    ['any', ['', '.5', '.500', '.500000']],
    ['milliseconds', ['.500']],
    ['seconds', ['']],
  ] as const) {
    test(`takes of ${stamps} what is that, and nothing else`, async () => {
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

describe('a portal with limits of its own', () => {
  test('takes no update of more items', async () => {
    const { update } = await open({ most_items: 1 });

    const statuses = [(await update()).status, (await update({ items: [KAYAK, CANOE] })).status];

    assert.deepEqual(statuses, [200, 422]);
  });

  test('takes no update of more bytes, and one of as many', async () => {
    const { update } = await open({ most_bytes: 1024 });
    const items = Array.from({ length: 12 }, () => KAYAK);
    const room = 1024 - JSON.stringify({ inventory: [KAYAK, ...items] }).length;

    const statuses: number[] = [];
    for (const more of [room, room + 1]) {
      statuses.push((await update({ items: [{ ...KAYAK, id: KAYAK.id + 'k'.repeat(more) }, ...items] })).status);
    }

    assert.deepEqual(statuses, [200, 413]);
  });

  test('says 429 to the third of a second where it takes two, and when the next is welcome', async () => {
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

  test('takes one in two seconds where it is half a call', async () => {
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

  test('lets nobody wait for a clock that is set back', async () => {
    let now = Date.parse('2026-11-21T08:30:00.000Z');
    const { update } = await open({ calls_per_second: 1 }, { now: () => now });
    const first = await update();
    now -= 3_600_000;

    const second = await update();

    assert.deepEqual([first.status, second.status], [200, 200]);
  });

  test('counts none that met an outage', async () => {
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
    test(`says it as ${says_when}`, async () => {
      const { update } = await open({ calls_per_second: 1, says_when }, { now: () => 0 });
      await update();

      const { status, headers } = await update();

      assert.deepEqual([status, headers.get('retry-after'), headers.get('ratelimit')], [429, ...told]);
    });
  }

  test('takes one of two that come at once', async () => {
    const { portal, update } = await open({ calls_in_flight: 1 });

    const answers = await Promise.all([update(), update()]);

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 429]);
    assert.deepEqual(await timesApplied(portal), [1]);
  });

  test('takes one at a time, and the next when that one is answered', async () => {
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

describe('a portal that has nothing to say of what it took', () => {
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

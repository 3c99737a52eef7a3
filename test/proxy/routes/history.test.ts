import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { history, type HistoryEntry } from '../../../src/contract/history.js';
import type { EditBatch } from '../../../src/contract/widget.js';
import type { EditId } from '../../../src/domain/edit.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const HOUR = 3_600_000;

interface Fixture extends OpenProxy {
  post(subject: string, ids: string | readonly string[], more?: Edit): Promise<void>;
  /** Ids of the items of the edits that match. */
  read(query: string): Promise<string[]>;
  entries(path: string, claims?: Claims): Promise<HistoryEntry[]>;
}

type Edit = Partial<EditBatch['inventory'][number]>;
type Claims = Parameters<typeof embedToken>[0];

function open(t: TestContext): Fixture {
  const fixture = openProxy(t);
  return {
    ...fixture,
    async post(subject, ids, more = {}) {
      const updated_at = new Date(fixture.clock.wall()).toISOString();
      const body = { inventory: [ids].flat().map((id) => ({ id, available: true, updated_at, ...more })) };
      const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken({ subject }), body });
      assert.equal(answer.status, 202);
    },
    async read(query) {
      return (await this.entries(`/v1/history?${query}`)).map(({ id }) => id);
    },
    async entries(path, claims = { permissions: ['view', 'history'] }) {
      const answer = await fixture.ask('GET', path, { token: await embedToken(claims) });
      return history.parse(await answer.json()).history;
    },
  };
}

const BAD = [
  'day=2026-11-21',
  'time_zone=UTC',
  'day=2026-02-30&time_zone=UTC',
  'day=2026-11-21&time_zone=Mars',
  'limit=0',
  'limit=1001',
  'collapse=day',
  'change_set=a%20b',
  'subject=ada&subject=ben',
];

describe('the history', () => {
  it('is filtered by person, item, state and time', async (t) => {
    const fixture = open(t);
    await fixture.post('ada', 'kayak');
    await fixture.post('ben', 'boat');
    await fixture.post('ben', 'kayak');
    const [now, soon] = [0, HOUR].map((more) => new Date(fixture.clock.wall() + more).toISOString());

    assert.deepEqual(await fixture.read(''), ['kayak', 'boat', 'kayak']);
    assert.deepEqual(await fixture.read('subject=ben'), ['kayak', 'boat']);
    assert.deepEqual(await fixture.read('subject=ben&item=kayak'), ['kayak']);
    assert.deepEqual(await fixture.read('state=superseded'), ['kayak']);
    assert.deepEqual(await fixture.read('state=delivered'), []);
    assert.deepEqual(await fixture.read(`from=${String(now)}&until=${String(soon)}`), ['kayak', 'boat', 'kayak']);
    assert.deepEqual(await fixture.read(`until=${String(now)}`), []);
    assert.deepEqual(await fixture.read(`from=${String(soon)}`), []);
  });

  it('is filtered by the day of a time zone', async (t) => {
    const fixture = open(t);
    await fixture.post('ada', 'kayak');
    const [day, before] = [0, 24 * HOUR].map((less) =>
      new Date(fixture.clock.wall() - less).toISOString().slice(0, 10),
    );

    assert.deepEqual(await fixture.read(`day=${String(day)}&time_zone=UTC`), ['kayak']);
    assert.deepEqual(await fixture.read(`day=${String(before)}&time_zone=UTC`), []);
    // Where it is a day earlier (11 hours behind UTC) or later (14 hours ahead) at the same moment.
    const zone = fixture.clock.wall() % (24 * HOUR) < 11 * HOUR ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
    const local = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(fixture.clock.wall());
    assert.notEqual(local, day);
    assert.deepEqual(await fixture.read(`day=${local}&time_zone=${zone}`), ['kayak']);
    assert.deepEqual(await fixture.read(`day=${String(day)}&time_zone=${zone}`), []);
  });

  it('has one entry for each change set and person, with a summary of the edits', async (t) => {
    const fixture = open(t);
    const change_set = 'storm' as EditId;
    await fixture.post('ada', ['kayak', 'boat', 'sauna']);
    await fixture.post('ada', ['kayak', 'boat'], { available: false, change_set });
    await fixture.post('ada', ['sauna'], { available: false, change_set });
    await fixture.post('ben', 'boat', { change_set });

    const [bens, adas, ...singles] = await fixture.entries('/v1/history?collapse=change_set');

    assert.deepEqual([bens?.id, bens?.summary], ['boat', undefined]);
    assert.deepEqual(adas?.summary, {
      available: 0,
      unavailable: 3,
      revertible: 2,
      states: { received: 2, superseded: 1 },
    });
    assert.equal(singles.length, 3);
    assert.deepEqual(await fixture.read('change_set=storm&subject=ada'), ['sauna', 'boat', 'kayak']);
    assert.deepEqual(await fixture.read('change_set=storm&limit=1'), ['boat']);
  });

  it('rejects filters that it cannot read', async (t) => {
    const { ask } = open(t);
    const token = await embedToken({ permissions: ['view', 'history'] });

    for (const query of ['state=lost', 'from=yesterday', 'until=2026-11-21', 'cursor=x', 'item=', 'colour=red', ...BAD])
      await expectProblem(await ask('GET', `/v1/history?${query}`, { token }), 'invalid_query');
  });
});

describe('a change set', () => {
  it('can be read with the permission to edit, and marks the items that still have its values', async (t) => {
    const fixture = open(t);
    await fixture.post('ada', ['kayak', 'boat']);
    await fixture.post('ada', ['kayak', 'boat'], { available: false, change_set: 'storm' as EditId });
    await fixture.post('ben', 'boat');

    const entries = await fixture.entries('/v1/change-sets/storm', { subject: 'ben', permissions: ['view', 'edit'] });

    assert.deepEqual(
      entries.map(({ id, from, to, current }) => [id, from, to, current]),
      [
        ['boat', true, false, undefined],
        ['kayak', true, false, true],
      ],
    );
  });

  it('is unknown without a visible item, and forbidden without the permission to edit', async (t) => {
    const fixture = open(t);
    await fixture.post('ada', 'kayak', { change_set: 'storm' as EditId });
    const ask = async (claims: Claims, id = 'storm'): Promise<Response> =>
      fixture.ask('GET', `/v1/change-sets/${id}`, { token: await embedToken(claims) });

    await expectProblem(await ask({ items: ['boat'] }), 'change_set_unknown');
    await expectProblem(await ask({ vendor: 'pottery' }), 'change_set_unknown');
    await expectProblem(await ask({}, 'calm'), 'change_set_unknown');
    await expectProblem(await ask({}, 'a%20b'), 'change_set_unknown');
    await expectProblem(await ask({ permissions: ['view'] }), 'permission_missing');
    await expectProblem(await ask({ permissions: ['edit'] }), 'permission_missing');
  });
});

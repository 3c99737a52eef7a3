import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ProblemCode } from '../../../src/contract/problem.js';
import { session } from '../../../src/contract/widget.js';
import type { Clock } from '../../../src/proxy/runtime/clock.js';
import type { Log } from '../../../src/proxy/runtime/log.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import type { Authenticate } from '../../../src/proxy/access/session.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { viewerOf } from '../../support/viewer.js';

/** What the host says of a person, right or wrong. */
export interface Told {
  readonly vendor?: unknown;
  readonly subject?: unknown;
  readonly name?: unknown;
  readonly permissions?: unknown;
  readonly items?: unknown;
  /** Milliseconds since the epoch, a whole second. */
  readonly expiresAt?: unknown;
}

export interface WayIn {
  readonly authenticate: Authenticate;
  /** The headers by which this person proves it. */
  show(told: Told): Promise<Record<string, string>>;
}

/** Every way to say who is asking: whoever comes in by one is the same to all routes. */
export function authenticateContract(
  name: string,
  open: (t: TestContext, surroundings: { readonly clock: Clock; readonly log: Log }) => Promise<WayIn>,
  /** What a session of another shape is answered with. */
  garbled: ProblemCode,
): void {
  async function start(t: TestContext) {
    const clock = new VirtualClock(Math.floor(Date.now() / 1000) * 1000);
    let log: Log = () => undefined;
    const way = await open(t, { clock, log: (...line) => log(...line) });
    const lines: string[] = [];
    log = (level, event, fields) => void lines.push(JSON.stringify({ level, event, ...fields }));
    const opened = openProxy(t, { authenticate: way.authenticate, clock, log });
    const ada: Told = {
      vendor: 'boat-tours',
      subject: 'ada',
      permissions: ['view', 'edit'],
      expiresAt: clock.wall() + 300_000,
    };
    return {
      ...opened,
      clock,
      lines,
      session: async (changes: Told = {}) =>
        opened.ask('GET', '/v1/session', { headers: await way.show({ ...ada, ...changes }) }),
      edit: async (id: string, changes: Told = {}) => {
        const inventory = [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
        return opened.ask('POST', '/v1/inventory', {
          headers: await way.show({ ...ada, ...changes }),
          body: { inventory },
        });
      },
    };
  }

  describe(`a session by ${name}`, () => {
    it('is returned to the page in the same form as by any other way of authentication', async (t) => {
      const { session: ask, clock } = await start(t);

      const answer = await ask({ name: 'Ada Lovelace', items: ['kayak', 'sauna-*'] });

      const { limits, version, ...told } = session.parse(await answer.json());
      assert.ok(limits.max_edits > 0 && version !== '');
      assert.deepEqual(told, {
        vendor: 'boat-tours',
        subject: 'ada',
        name: 'Ada Lovelace',
        permissions: ['view', 'edit'],
        items: ['kayak', 'sauna-*'],
        server_time: new Date(clock.wall()).toISOString(),
        expires_at: new Date(clock.wall() + 300_000).toISOString(),
      });
    });

    it('may have a null name, which means an unknown name', async (t) => {
      const { edit, outbox } = await start(t);

      const answer = await edit('kayak', { name: null });

      assert.equal(answer.status, 202);
      const [change] = await outbox.history('boat-tours', { limit: 1 });
      assert.deepEqual([change?.subject, change?.name], ['ada', undefined]);
    });

    it('is refused after its expiry, like a missing session', async (t) => {
      const { ask, session: asAda, clock } = await start(t);
      const nobody = await ask('GET', '/v1/session');
      const expiresAt = clock.wall() + 30_000;
      const early = await asAda({ expiresAt });

      await clock.pass(30_000 + 61_000);
      const late = await asAda({ expiresAt });

      assert.equal(early.status, 200);
      assert.equal(await withoutId(late), await withoutId(nobody));
      assert.equal(late.headers.get('WWW-Authenticate'), 'Bearer');
      await expectProblem(late, 'session_required');
    });

    it('allows only what its permissions name', async (t) => {
      const { edit, outbox } = await start(t);

      const refused = await edit('kayak', { permissions: ['view', 'history'] });
      const taken = await edit('sauna');

      await expectProblem(refused, 'permission_missing');
      assert.equal(taken.status, 202);
      assert.deepEqual(await known(outbox), ['sauna']);
    });

    it('allows edits of its own items only, if it names items', async (t) => {
      const { edit, outbox } = await start(t);
      const items = ['kayak', 'sauna-*'];

      const answers = [await edit('kayak', { items }), await edit('sauna-2', { items }), await edit('boat', { items })];

      assert.deepEqual(
        answers.map(({ status }) => status),
        [202, 202, 404],
      );
      assert.deepEqual(await known(outbox), ['kayak', 'sauna-2']);
    });

    const malformed: readonly (readonly [what: string, told: Told])[] = [
      ['no vendor', { vendor: undefined }],
      ['an empty vendor', { vendor: '' }],
      ['a vendor of 201 characters', { vendor: 'v'.repeat(201) }],
      ['no subject', { subject: undefined }],
      ['a subject that is a number', { subject: 7 }],
      ['a name of 201 characters', { name: 'n'.repeat(201) }],
      ['no permissions', { permissions: undefined }],
      ['permissions in one string', { permissions: 'view edit' }],
      ['a permission that does not exist', { permissions: ['view', 'admin'] }],
      ['items that are no list', { items: 'kayak' }],
      ['items with an empty id', { items: [''] }],
      ['no end', { expiresAt: undefined }],
      ['an end that is no number', { expiresAt: 'tomorrow' }],
    ];

    for (const [what, told] of malformed) {
      it(`with ${what} is rejected, and the log says why`, async (t) => {
        const { edit, outbox, lines } = await start(t);

        const answer = await edit('kayak', told);

        await expectProblem(answer, garbled);
        assert.deepEqual(await known(outbox), []);
        assert.equal(lines.filter((line) => /refused|authenticate gave no session/.test(line)).length, 1);
      });
    }
  });
}

async function known(outbox: Outbox): Promise<string[]> {
  return (await outbox.list(viewerOf('boat-tours'), { limit: 10 })).map(({ id }) => id);
}

async function withoutId(answer: Response): Promise<string> {
  return (await answer.clone().text()).replace(/"request_id":"[^"]*"/, '');
}

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import { systemClock } from '../../../src/proxy/runtime/clock.js';
import { createBackpressure } from '../../../src/proxy/http/backpressure.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type LogLine, openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;

/** The portal has refused an edit, and after that the disk is full. */
async function refusedBeforeFull(t: TestContext) {
  let room = true;
  const fixture = openProxy(t, { hasDiskSpace: () => Promise.resolve(room) });
  fixture.proxy.start();
  await post(fixture, 'sauna');
  await fixture.clock.pass(SECOND);
  await fixture.portal.misbehave({ refuse_items: ['kayak'] });
  const [refused] = receipts.parse(await (await post(fixture, 'kayak')).json()).receipts;
  await fixture.clock.pass(2 * SECOND);
  room = false;
  return { fixture, refused };
}

async function post({ ask }: OpenProxy, id: string, label?: string): Promise<Response> {
  const body = { inventory: [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z', label }] };
  return ask('POST', '/v1/inventory', { token: await embedToken(), body });
}

function saidOfTakingIn({ log }: OpenProxy): readonly LogLine[] {
  return log.filter(({ event }) => event.includes('taken in'));
}

describe('a proxy with too many waiting edits', () => {
  it('rejects an edit with Retry-After, and keeps the accepted ones', async (t) => {
    const fixture = openProxy(t, { maxWaiting: 2 });
    for (const id of ['a', 'b']) assert.equal((await post(fixture, id)).status, 202);
    fixture.clock.jump(SECOND);

    const answer = await post(fixture, 'c');

    assert.equal(answer.headers.get('Retry-After'), '5');
    const problem = await expectProblem(answer, 'overloaded');
    assert.equal(problem.retryable, true);
    assert.deepEqual(saidOfTakingIn(fixture), [{ event: 'no more edits are taken in', reason: 'too_many_wait' }]);
    assert.equal((await fixture.outbox.count()).accepted, 2);
  });

  it('rejects by the bytes of waiting edits too, and accepts again after their delivery', async (t) => {
    const fixture = openProxy(t, { maxWaitingBytes: 1_500 });
    const answers: Response[] = [];
    for (const [id, label] of [
      ['a', 'Short'],
      ['b', 'Long '.repeat(99)],
      ['c', 'Short'],
    ] as const) {
      answers.push(await post(fixture, id, label));
      fixture.clock.jump(SECOND);
      await fixture.outbox.history('boat-tours', { limit: 1 });
    }
    fixture.proxy.start();
    await fixture.clock.pass(2 * SECOND);

    answers.push(await post(fixture, 'c', 'Short'));

    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 503, 202],
    );
    assert.equal((await fixture.outbox.count()).accepted, 3);
  });

  it('accepts edits again after a delivery', async (t) => {
    const fixture = openProxy(t, { maxWaiting: 1 });
    await post(fixture, 'a');
    fixture.proxy.start();
    await fixture.clock.pass(2 * SECOND);

    const answer = await post(fixture, 'b');

    assert.equal(answer.status, 202);
  });
});

describe('a proxy with little disk space', () => {
  it('logs that once, and its end', async (t) => {
    let room = false;
    const fixture = openProxy(t, { hasDiskSpace: () => Promise.resolve(room) });

    for (const id of ['a', 'b']) {
      await expectProblem(await post(fixture, id), 'overloaded');
      fixture.clock.jump(SECOND);
    }
    room = true;
    assert.equal((await post(fixture, 'a')).status, 202);

    assert.deepEqual(saidOfTakingIn(fixture), [
      { event: 'no more edits are taken in', reason: 'disk_full' },
      { event: 'edits are taken in again' },
    ]);
  });

  it('rejects edits, and checks the disk once a second at most', async (t) => {
    let asked = 0;
    const fixture = openProxy(t, {
      hasDiskSpace: () => {
        asked += 1;
        return Promise.resolve(false);
      },
    });

    for (const id of ['a', 'b', 'c']) await expectProblem(await post(fixture, id), 'overloaded');

    assert.equal(asked, 1);
  });

  it('rejects a retry by the operator, and accepts a discard', async (t) => {
    const { fixture, refused } = await refusedBeforeFull(t);
    const decide = async (verdict: string): Promise<Response> => {
      const body = JSON.stringify({ verdict, edit_id: refused?.edit_id, by: 'operator ada' });
      return fixture.proxy.operate(new Request('http://operator/edits', { method: 'POST', body }));
    };

    const again = await decide('retry');
    const discarded = await decide('discard');

    assert.equal(again.status, 503);
    assert.equal(((await again.json()) as { code: string }).code, 'overloaded');
    assert.equal((await fixture.outbox.count()).accepted, 2);
    assert.equal(discarded.status, 200);
  });

  it('rejects a retry by a person, and accepts a discard', async (t) => {
    const { fixture, refused } = await refusedBeforeFull(t);
    const decide = async (what: string): Promise<Response> =>
      fixture.ask('POST', `/v1/edits/${refused?.edit_id ?? ''}/${what}`, { token: await embedToken(), body: {} });

    const again = await decide('retry');
    const discarded = await decide('discard');

    await expectProblem(again, 'overloaded');
    assert.equal((await fixture.outbox.count()).accepted, 2);
    assert.equal(discarded.status, 200);
  });

  it('checks the disk once for concurrent requests', async (t) => {
    const { outbox } = openProxy(t);
    let asked = 0;
    const mayAccept = createBackpressure({
      outbox,
      maxWaiting: 1,
      maxWaitingBytes: Infinity,
      hasDiskSpace: () => {
        asked += 1;
        return Promise.resolve(false);
      },
      clock: systemClock,
    });

    const answers = await Promise.all([mayAccept(), mayAccept(), mayAccept()]);

    assert.deepEqual(answers, [false, false, false]);
    assert.equal(asked, 1);
  });

  it('checks the disk again after a failed check', async (t) => {
    const { outbox } = openProxy(t);
    const words = [new Error('no disk'), true];
    const hasRoom = (): Promise<boolean> => {
      const word = words.shift();
      if (word instanceof Error) throw word;
      return Promise.resolve(word === true);
    };
    const mayAccept = createBackpressure({
      outbox,
      maxWaiting: 1,
      maxWaitingBytes: Infinity,
      hasDiskSpace: hasRoom,
      clock: systemClock,
    });

    await assert.rejects(mayAccept());

    assert.equal(await mayAccept(), true);
  });
});

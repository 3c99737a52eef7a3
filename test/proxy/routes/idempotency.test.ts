import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const KAYAK = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' };
const SAUNA = { ...KAYAK, id: 'sauna' };

interface Sending {
  readonly key?: string;
  readonly sentAt?: string;
  readonly token?: string;
}

describe('a batch that is repeated under its idempotency key', () => {
  it('gets the same receipts and makes no second edit', async (t) => {
    const fixture = openProxy(t);
    const first = await send(fixture, [KAYAK, SAUNA], { key: 'key-1' });

    const again = await send(fixture, [KAYAK, SAUNA], { key: 'key-1' });

    assert.deepEqual(again, first);
    assert.equal((await send(fixture, [{ ...KAYAK, available: false }]))[0]?.seq, 3);
  });

  it('may have another sent_at, which is not part of the digest', async (t) => {
    const fixture = openProxy(t);
    const first = await send(fixture, [KAYAK], { key: 'key-1', sentAt: '2026-11-21T08:30:01.000Z' });

    const again = await send(fixture, [KAYAK], { key: 'key-1', sentAt: '2026-11-21T08:31:00.000Z' });

    assert.deepEqual(again, first);
  });

  it('may have its fields in another order', async (t) => {
    const fixture = openProxy(t);
    const first = await send(fixture, [KAYAK], { key: 'key-1' });

    const again = await send(fixture, [Object.fromEntries(Object.entries(KAYAK).reverse())], { key: 'key-1' });

    assert.deepEqual(again, first);
  });

  it('may be longer than 128 KiB and have other white space', async (t) => {
    const fixture = openProxy(t);
    const label = 'Kayak tour '.repeat(40);
    const inventory = Array.from({ length: 300 }, (_, at) => {
      return { ...KAYAK, id: `kayak-${String(at)}`, edit_id: `edit-${String(at)}`, label };
    });
    const text = JSON.stringify({ inventory });
    const headers = { 'Idempotency-Key': 'key-1' };
    const token = await embedToken();
    const asked = async (body: string): Promise<Receipt[]> => {
      const answer = await fixture.ask('POST', '/v1/inventory', { token, headers, body });
      return receipts.parse(await answer.json()).receipts;
    };

    const first = await asked(text);
    const again = await asked(`${text}\n`);

    assert.ok(text.length > 128 * 1024);
    assert.deepEqual(
      first.map(({ id, seq }) => ({ id, seq })),
      inventory.map(({ id }, at) => ({ id, seq: at + 1 })),
    );
    assert.deepEqual(again, first);
  });

  it('gets the current states of its edits', async (t) => {
    const fixture = openProxy(t);
    await send(fixture, [KAYAK], { key: 'key-1' });
    fixture.proxy.start();
    await fixture.clock.everybodySleeps();

    const [receipt] = await send(fixture, [KAYAK], { key: 'key-1' });

    assert.equal(receipt?.state, 'delivered');
  });

  it('concurrently makes one edit', async (t) => {
    const fixture = openProxy(t);

    const answers = await Promise.all([1, 2, 3].map(() => send(fixture, [KAYAK], { key: 'key-1' })));

    assert.deepEqual(answers[1], answers[0]);
    assert.deepEqual(answers[2], answers[0]);
    assert.equal(answers[0]?.[0]?.seq, 1);
  });

  const changes: readonly (readonly [what: string, batch: readonly object[]])[] = [
    ['another value', [{ ...KAYAK, available: false }]],
    ['another time', [{ ...KAYAK, updated_at: '2026-11-21T08:30:00.001Z' }]],
    ['another item', [SAUNA]],
    ['one item more', [KAYAK, SAUNA]],
    ['an edit id', [{ ...KAYAK, edit_id: 'edit-1' }]],
  ];

  for (const [what, batch] of changes) {
    it(`is rejected with ${what}, and nothing is stored`, async (t) => {
      const fixture = openProxy(t);
      await send(fixture, [KAYAK], { key: 'key-1' });

      const answer = await post(fixture, batch, { key: 'key-1' });

      await expectProblem(answer, 'idempotency_key_reused');
      assert.equal((await send(fixture, [{ ...KAYAK, id: 'later' }]))[0]?.seq, 2);
    });
  }

  it('by another person or another vendor counts as another batch', async (t) => {
    const fixture = openProxy(t);
    await send(fixture, [KAYAK], { key: 'key-1' });

    const bob = await send(fixture, [SAUNA], { key: 'key-1', token: await embedToken({ subject: 'bob' }) });
    const other = await send(fixture, [{ ...KAYAK, id: 'loom' }], {
      key: 'key-1',
      token: await embedToken({ vendor: 'weavers' }),
    });

    assert.equal(bob[0]?.id, 'sauna');
    assert.equal(other[0]?.id, 'loom');
  });
});

describe('a repeated edit id', () => {
  const EDIT = { ...KAYAK, edit_id: 'edit-1', base: '2026-11-20T08:30:00.000Z', label: 'Kayak tour' };

  it('gets the stored receipt under any key, and a new edit of the same batch is accepted', async (t) => {
    const fixture = openProxy(t);
    const [first] = await send(fixture, [EDIT]);

    const [again, beside] = await send(fixture, [EDIT, SAUNA]);

    assert.deepEqual(again, first);
    assert.equal(beside?.seq, 2);
  });

  it('may come with another label, which is only displayed', async (t) => {
    const fixture = openProxy(t);
    const [first] = await send(fixture, [EDIT]);

    const [again] = await send(fixture, [{ ...EDIT, label: 'Kayak' }]);

    assert.deepEqual(again, first);
  });

  const changes: readonly (readonly [what: string, edit: object])[] = [
    ['another value', { ...EDIT, available: false }],
    ['another item', { ...EDIT, id: 'boat' }],
    ['another time', { ...EDIT, updated_at: '2026-11-21T08:30:00.001Z' }],
    ['another base', { ...EDIT, base: KAYAK.updated_at }],
    ['no base', { ...EDIT, base: undefined }],
  ];

  for (const [what, edit] of changes) {
    it(`is rejected with ${what} by its index, and nothing of the batch is stored`, async (t) => {
      const fixture = openProxy(t);
      await send(fixture, [EDIT]);

      const answer = await post(fixture, [SAUNA, edit], {});

      const { errors } = await expectProblem(answer, 'edit_id_reused');
      assert.deepEqual(
        errors?.map(({ pointer }) => pointer),
        ['/inventory/1'],
      );
      assert.equal((await send(fixture, [{ ...KAYAK, id: 'later' }]))[0]?.seq, 2);
    });
  }

  it('of one vendor does not affect the same id of another vendor', async (t) => {
    const fixture = openProxy(t);
    await send(fixture, [EDIT]);

    const [receipt] = await send(fixture, [{ ...EDIT, id: 'loom' }], {
      token: await embedToken({ vendor: 'weavers' }),
    });

    assert.equal(receipt?.id, 'loom');
    assert.equal(receipt.seq, 1);
  });
});

async function post(fixture: OpenProxy, inventory: readonly object[], sending: Sending): Promise<Response> {
  return fixture.ask('POST', '/v1/inventory', {
    token: sending.token ?? (await embedToken()),
    headers: sending.key === undefined ? {} : { 'Idempotency-Key': sending.key },
    body: { inventory, sent_at: sending.sentAt },
  });
}

async function send(fixture: OpenProxy, inventory: readonly object[], sending: Sending = {}): Promise<Receipt[]> {
  const answer = await post(fixture, inventory, sending);
  assert.equal(answer.status, 202, await answer.clone().text());
  return receipts.parse(await answer.json()).receipts;
}

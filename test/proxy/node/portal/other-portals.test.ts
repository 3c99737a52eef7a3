import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openOtherPortal } from './other-portal.js';

describe('a portal that expects form token requests, and the token in another header', () => {
  it('gets both', async (t) => {
    const { post, journal, items } = await openOtherPortal(
      t,
      { token_body: 'form', token_header: 'X-Portal-Token', token_prefix: '' },
      { token: { body: 'form' }, authorization: { header: 'X-Portal-Token', prefix: '' } },
    );

    const states = await post('boat-tours', 'kayak', 'canoe');

    assert.deepEqual(states, ['delivered', 'delivered']);
    assert.deepEqual(await items(), ['kayak', 'canoe']);
    const [token, update] = await journal();
    assert.equal(token?.content_type, 'application/x-www-form-urlencoded');
    assert.deepEqual(
      [update?.headers.includes('x-portal-token'), update?.headers.includes('authorization')],
      [true, false],
    );
  });
});

describe('a portal with the vendor in its path', () => {
  it('gets the edits of each vendor at the path of that vendor', async (t) => {
    const { post, journal } = await openOtherPortal(
      t,
      { update_path: '/v1/vendors/{vendor}/inventory', update_method: 'PATCH' },
      { update: { path: '/v1/vendors/{vendor}/inventory', method: 'PATCH' } },
    );

    const states = [await post('boat-tours', 'kayak'), await post('pottery/../admin', 'vase')];

    assert.deepEqual(states, [['delivered'], ['delivered']]);
    const updates = (await journal()).filter(({ kind }) => kind === 'update');
    assert.deepEqual(
      updates.map(({ method, path, inventory }) => [method, path, inventory?.map(({ id }) => String(id))]),
      [
        ['PATCH', '/v1/vendors/boat-tours/inventory', ['kayak']],
        ['PATCH', '/v1/vendors/pottery%2F..%2Fadmin/inventory', ['vase']],
      ],
    );
  });
});

describe('a portal that answers for each item with 207', () => {
  it('gets all items in one call, and only the refused item waits for a decision', async (t) => {
    const { post, journal, items, misbehave } = await openOtherPortal(t, { results: 'each' }, {});
    await post('boat-tours', 'sauna');
    await misbehave({ refuse_items: ['canoe'] });

    const states = await post('boat-tours', 'kayak', 'canoe', 'raft');

    assert.deepEqual(states, ['delivered', 'refused', 'delivered']);
    assert.deepEqual(await items(), ['sauna', 'kayak', 'raft']);
    assert.equal((await journal()).filter(({ kind }) => kind === 'update').length, 2);
  });
});

describe('a portal that describes errors', () => {
  const words = [
    ['problem', '422 about:blank'],
    ['error_message', '422 UNPROCESSABLE_CONTENT'],
  ] as const;

  for (const [errors, code] of words) {
    it(`as ${errors} has only the bad item refused, and its message is logged`, async (t) => {
      const { post, items, misbehave, proxy } = await openOtherPortal(t, { errors }, {});
      await post('boat-tours', 'sauna');
      await misbehave({ refuse_items: ['canoe'] });

      const states = await post('boat-tours', 'kayak', 'canoe');

      assert.deepEqual(states, ['delivered', 'refused']);
      assert.deepEqual(await items(), ['sauna', 'kayak']);
      const calls = proxy.log.filter(({ event, code: outcome }) => event === 'portal call' && outcome === 'refused');
      assert.deepEqual(
        calls.map(({ reason, portal_said }) => [reason, portal_said]),
        [
          [code, 'Nothing of this update was applied.'],
          [code, 'Nothing of this update was applied.'],
        ],
      );
    });
  }
});

describe('a portal that answers 200 even to failures', () => {
  const profile = {
    success: { status: '/success' },
    errors: [{ code: '/code', message: '/message' }],
  };

  it('gets the good item, and the bad one is refused with its message in the log', async (t) => {
    const { post, items, misbehave, proxy } = await openOtherPortal(t, { errors: 'in_success' }, profile);
    await post('boat-tours', 'sauna');
    await misbehave({ refuse_items: ['canoe'] });

    const states = await post('boat-tours', 'kayak', 'canoe');

    assert.deepEqual(states, ['delivered', 'refused']);
    assert.deepEqual(await items(), ['sauna', 'kayak']);
    const [refusal] = proxy.log.filter(({ event, code }) => event === 'portal call' && code === 'refused');
    assert.equal(refusal?.portal_said, 'Nothing of this update was applied.');
    assert.equal(refusal?.reason, '200 422');
  });

  it('gets waiting edits when it is back, and a new token after it has revoked the old one', async (t) => {
    const { post, journal, items, misbehave, forgetTokens } = await openOtherPortal(
      t,
      { errors: 'in_success' },
      profile,
    );
    await misbehave({ down: true });
    const waiting = post('boat-tours', 'kayak');
    while (!(await journal()).some(({ fault }) => fault === 'down'));
    await misbehave({});
    const first = await waiting;
    await forgetTokens();

    const second = await post('boat-tours', 'canoe');

    assert.deepEqual([...first, ...second], ['delivered', 'delivered']);
    assert.deepEqual(await items(), ['kayak', 'canoe']);
  });
});

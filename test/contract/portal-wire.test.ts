import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inventoryUpdate, MAX_PORTAL_TOKEN_LENGTH, tokenAnswer, tokenRequest } from '../../src/contract/portal.js';

const ITEM = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' };
const REQUEST = { client_id: 'id', client_secret: 'secret', grant_type: 'client_credentials' };

describe('an inventory update', () => {
  it('is valid as the portal documents it', () => {
    assert.equal(inventoryUpdate.safeParse({ inventory: [ITEM] }).success, true);
  });

  const wrong: readonly (readonly [what: string, update: unknown])[] = [
    ['an empty inventory', { inventory: [] }],
    ['a further field', { inventory: [ITEM], sent_at: ITEM.updated_at }],
    ['a label, which is only for the page', { inventory: [{ ...ITEM, label: 'Kayak tour' }] }],
    ['an item without a timestamp', { inventory: [{ id: 'kayak', available: true }] }],
  ];

  for (const [what, update] of wrong) {
    it(`is invalid with ${what}`, () => {
      assert.equal(inventoryUpdate.safeParse(update).success, false);
    });
  }
});

describe('a token request', () => {
  it('has the three fields of the portal’s document', () => {
    assert.deepEqual(tokenRequest.parse(REQUEST), REQUEST);
  });

  for (const [field, value] of [
    ['client_id', ''],
    ['client_secret', ''],
    ['grant_type', 'password'],
  ] as const) {
    it(`is invalid with "${value}" for ${field}`, () => {
      assert.equal(tokenRequest.safeParse({ ...REQUEST, [field]: value }).success, false);
    });
  }
});

describe('a token response', () => {
  for (const lifetime of [undefined, 3600, 0, -1, '3600', null, {}]) {
    it(`is valid with a lifetime of ${JSON.stringify(lifetime)}`, () => {
      assert.equal(tokenAnswer.safeParse({ access_token: 'abc', expires_in: lifetime }).success, true);
    });
  }

  const wrong: readonly (readonly [what: string, token: unknown])[] = [
    ['an empty token', ''],
    ['a token with a line break', 'abc\r\nX-Injected: 1'],
    ['a token with a space', 'abc def'],
    ['a token with a letter beyond ASCII', 'abç'],
    ['a token longer than 15 KiB', 'a'.repeat(MAX_PORTAL_TOKEN_LENGTH + 1)],
    ['a number for a token', 7],
    ['no token', undefined],
  ];

  it('is valid with a token as long as a request header may carry', () => {
    assert.equal(tokenAnswer.safeParse({ access_token: 'a'.repeat(MAX_PORTAL_TOKEN_LENGTH) }).success, true);
  });

  for (const [what, token] of wrong) {
    it(`is invalid with ${what}`, () => {
      assert.equal(tokenAnswer.safeParse({ access_token: token }).success, false);
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editBatch } from '../../src/contract/widget.js';

const EDIT = { id: 'kayak', available: false, updated_at: '2026-11-21T08:30:00.000Z' };
const FULL_EDIT = { ...EDIT, base: '2026-11-20T08:30:00.000Z', edit_id: 'edit-1', label: 'Kayak tour' };

const accepts = (batch: unknown) => editBatch.safeParse(batch).success;

describe('a batch of edits', () => {
  it('may have only the fields that the portal receives', () => {
    assert.equal(accepts({ inventory: [EDIT] }), true);
  });

  it('may have a base, a label and the time of sending', () => {
    const batch = { inventory: [FULL_EDIT], sent_at: '2026-11-21T08:30:01.000Z' };

    assert.deepEqual(editBatch.parse(batch), batch);
  });

  for (const field of Object.keys(EDIT)) {
    it(`is refused without ${field}`, () => {
      assert.equal(accepts({ inventory: [{ ...EDIT, [field]: undefined }] }), false);
    });
  }

  const wrong: readonly (readonly [what: string, batch: unknown])[] = [
    ['an empty inventory', { inventory: [] }],
    ['no inventory', {}],
    ['an inventory that is no list', { inventory: EDIT }],
    ['an array around it', [{ inventory: [EDIT] }]],
    ['an unknown field', { inventory: [EDIT], vendor: 'other' }],
    ['an edit with an unknown field', { inventory: [{ ...EDIT, vendor: 'other' }] }],
    ['a field named __proto__', { inventory: [EDIT], ['__proto__']: {} }],
    ['an availability as a text', { inventory: [{ ...EDIT, available: 'true' }] }],
    ['an availability as a number', { inventory: [{ ...EDIT, available: 1 }] }],
    ['a number for an id', { inventory: [{ ...EDIT, id: 7 }] }],
    ['an edit id with a comma', { inventory: [{ ...EDIT, edit_id: 'a,b' }] }],
    ['a base that is no timestamp', { inventory: [{ ...EDIT, base: 'yesterday' }] }],
    ['a base that is null', { inventory: [{ ...EDIT, base: null }] }],
    ['a label of 501 characters', { inventory: [{ ...EDIT, label: 'k'.repeat(501) }] }],
    ['a sent_at that is no timestamp', { inventory: [EDIT], sent_at: 'now' }],
  ];

  for (const [what, batch] of wrong) {
    it(`is refused with ${what}`, () => {
      assert.equal(accepts(batch), false);
    });
  }
});

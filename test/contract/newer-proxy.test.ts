import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problem } from '../../src/contract/problem.js';
import { listing, receipts, session } from '../../src/contract/widget.js';

const TIME = '2026-11-21T08:30:00.000Z';
const ITEM = { id: 'kayak', available: true, updated_at: TIME, state: 'delivered' };
const RECEIPT = { edit_id: 'edit-1', id: 'kayak', seq: 1, state: 'received', updated_at: TIME };
const SESSION = {
  vendor: 'boats',
  subject: 'ada',
  permissions: ['view'],
  limits: { max_edits: 500, max_body_bytes: 262_144 },
  server_time: TIME,
  expires_at: TIME,
  version: '0.1.0',
};
const PROBLEM = { type: 'about:blank', title: 'Gone', status: 410, code: 'x', retryable: false, request_id: 'r' };

describe('a page older than its proxy', () => {
  it('reads a listing with fields that it does not know', () => {
    const answer = { inventory: [{ ...ITEM, colour: 'red' }], next: 'kayak', total: 1 };

    assert.deepEqual(listing.parse(answer), { inventory: [ITEM], next: 'kayak' });
  });

  it('reads receipts with fields that it does not know', () => {
    const answer = { receipts: [{ ...RECEIPT, retry_of: 'edit-0' }], batch: 7 };

    assert.deepEqual(receipts.parse(answer), { receipts: [RECEIPT] });
  });

  it('reads a session with permissions and limits that it does not know', () => {
    const answer = { ...SESSION, permissions: ['view', 'fly'], limits: { ...SESSION.limits, max_kites: 3 }, mood: 1 };

    assert.deepEqual(session.parse(answer), { ...SESSION, permissions: ['view', 'fly'] });
  });

  it('reads a problem with a code that it does not know', () => {
    const answer = { ...PROBLEM, code: 'brand_new', hint: 'x' };

    assert.deepEqual(problem.parse(answer), { ...PROBLEM, code: 'brand_new' });
  });

  it('rejects a receipt in an unknown state', () => {
    const answer = { receipts: [{ ...RECEIPT, state: 'teleported' }] };

    assert.equal(receipts.safeParse(answer).success, false);
  });
});

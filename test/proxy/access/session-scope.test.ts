import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareIds, type ItemId } from '../../../src/domain/item.js';
import { scopeOf, SessionScope } from '../../../src/proxy/access/session-scope.js';
import type { ItemSelection } from '../../../src/proxy/outbox/outbox.js';
import { tryProperty } from '../../support/try-property.js';

// Two of them sort differently by UTF-16 unit and by code point.
const id = fc
  .array(fc.constantFrom('a', 'b', '-', '\uff5e', '😀'), { minLength: 1, maxLength: 4 })
  .map((characters) => {
    return characters.join('') as ItemId;
  });
const pattern = fc.oneof(
  id,
  id.map((prefix) => `${prefix}*`),
);

/** What the claim says: an id, or the beginning of ids followed by an asterisk. */
function isNamed(items: readonly string[], asked: string): boolean {
  return items.some((item) => (item.endsWith('*') ? asked.startsWith(item.slice(0, -1)) : asked === item));
}

function sorted(ids: readonly ItemId[]): ItemId[] {
  return [...new Set(ids)].sort(compareIds);
}

/** What an outbox with these items answers. */
function select(all: readonly ItemId[], { from, to, ids }: ItemSelection, after: ItemId | undefined): ItemId[] {
  return all.filter(
    (one) =>
      compareIds(one, from as ItemId) >= 0 &&
      compareIds(one, to as ItemId) <= 0 &&
      ids?.includes(one) !== false &&
      (after === undefined || compareIds(one, after) > 0),
  );
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `boat-${String(at).padStart(4, '0')}`);
}

describe('the items of a session', () => {
  it('are those that its claim names by id or by prefix', async (t) => {
    await tryProperty(
      t,
      fc.asyncProperty(fc.array(pattern, { maxLength: 12 }), fc.array(id, { maxLength: 20 }), async (items, asked) => {
        const scope = new SessionScope(items);
        // The names themselves are where a search by order goes wrong.
        for (const one of [...asked, ...items.map((item) => item.replace(/\*$/, '') as ItemId)]) {
          assert.equal(scope.has(one), isNamed(items, one), one);
        }
        await Promise.resolve();
      }),
      { numRuns: 500 },
    );
  });

  it('are selected from a listing in order and once, after any cursor', async (t) => {
    const claims = fc.array(pattern, { maxLength: 12 });
    await tryProperty(
      t,
      fc.asyncProperty(claims, fc.array(id, { maxLength: 30 }), fc.option(id), async (items, known, last) => {
        const all = sorted([...known, ...items.map((item) => item.replace(/\*$/, '') as ItemId)]);
        const after = last ?? undefined;

        const read = new SessionScope(items).selectionsAfter(after).flatMap((part) => select(all, part, after));

        const expected = all.filter(
          (one) => isNamed(items, one) && (after === undefined || compareIds(one, after) > 0),
        );
        assert.deepEqual(read, expected);
        await Promise.resolve();
      }),
      { numRuns: 500 },
    );
  });

  it('are selected with at most 200 ids in a query, and with as few queries as that takes', () => {
    const questions = new SessionScope(numbered(450).reverse()).selectionsAfter(undefined);

    assert.deepEqual(
      questions.map(({ from, to, ids }) => [from, to, ids?.length]),
      [
        ['boat-0000', 'boat-0199', 200],
        ['boat-0200', 'boat-0399', 200],
        ['boat-0400', 'boat-0449', 50],
      ],
    );
  });

  it('are not selected again once the cursor is behind them', () => {
    const scope = new SessionScope(numbered(450));

    const left = ['boat-0198', 'boat-0199', 'boat-0449'].map((after) => scope.selectionsAfter(after as ItemId).length);

    assert.deepEqual(left, [3, 2, 0]);
  });

  it('with a prefix include an id of the greatest length', () => {
    const longest = `b${'\u{10ffff}'.repeat(199)}` as ItemId;
    const [question] = new SessionScope(['b*']).selectionsAfter(undefined);

    assert.deepEqual(question && select([longest], question, undefined), [longest]);
  });

  it('are indexed once for all requests with the same claim', () => {
    const items = ['kayak', 'boat-*'];

    assert.equal(scopeOf({ items }), scopeOf({ items }));
    assert.notEqual(scopeOf({ items }), scopeOf({ items: ['sauna'] }));
  });

  it('are all of its vendor’s if it has no such claim', () => {
    assert.equal(scopeOf({ items: undefined }), undefined);
  });
});

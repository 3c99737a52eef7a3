import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { IdIndex } from '../../../src/client/editor/id-index.js';
import type { ItemId } from '../../../src/domain/item.js';

describe('the index of ids', () => {
  it('finds what a plain map finds, in any order of adding, and counts the first of a repeated id', () => {
    const id = fc.string({ minLength: 1, maxLength: 2 });

    fc.assert(
      fc.property(fc.array(id, { maxLength: 300 }), fc.nat(), fc.nat(400), (ids, stir, expected) => {
        const order = ids.map((_, at) => at).sort((a, b) => ((a * 7919 + stir) % 101) - ((b * 7919 + stir) % 101));
        const index = new IdIndex(expected, (position) => ids[position] as ItemId | undefined);
        const losers = order.map((position) => index.add(position, ids[position] as ItemId));

        const first = new Map<string, number>();
        ids.forEach((text, position) => first.set(text, Math.min(first.get(text) ?? position, position)));
        for (const [text, position] of first) expect(index.find(text as ItemId)).to.equal(position);
        expect(index.find('not there' as ItemId)).to.equal(undefined);
        const lost = ids.map((_, position) => position).filter((at) => first.get(ids[at] ?? '') !== at);
        expect(losers.filter((loser) => loser !== undefined).sort((a, b) => a - b)).to.deep.equal(lost);
      }),
    );
  });

  it('says nothing of an id that is added to its own position again', () => {
    const index = new IdIndex(1, () => 'a' as ItemId);
    index.add(0, 'a' as ItemId);

    expect(index.add(0, 'a' as ItemId)).to.equal(undefined);
  });

  it('finds a few ids at positions far above how many there are', () => {
    const ids = new Map([
      [63, 'a' as ItemId],
      [64, 'b' as ItemId],
      [70_000, 'c' as ItemId],
    ]);
    const index = new IdIndex(1, (position) => ids.get(position));
    for (const [position, id] of ids) index.add(position, id);

    for (const [position, id] of ids) expect(index.find(id)).to.equal(position);
  });

  it('reads hardly more ids than it is asked for among 100,000', () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => `boat-tour-${String(at)}` as ItemId);
    let reads = 0;
    const index = new IdIndex(ids.length, (position) => {
      reads += 1;
      return ids[position];
    });
    ids.forEach((id, position) => index.add(position, id));
    const whileAdding = reads;

    const found = ids.every((id, position) => index.find(id) === position);

    expect(found).to.equal(true);
    expect(whileAdding).to.be.below(4_000);
    expect(reads - whileAdding).to.be.below(104_000);
  });
});

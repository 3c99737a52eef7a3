import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { changedStates } from '../../../src/client/editor/changed-states.js';
import { KINDS, LIVE, type Bits } from '../../../src/client/editor/item-bits.js';
import { ItemStates } from '../../../src/client/editor/item-states.js';
import { withWish } from '../../../src/client/editor/with-wish.js';
import { OFF } from '../../../src/domain/stand.js';

describe('the states of all items', () => {
  it('are the same, and counted the same, whether many are changed in one pass or one by one', () => {
    const live = fc.nat(KINDS - 1).map((bits) => bits | LIVE);
    const toOff = (bits: Bits): Bits => withWish(bits, OFF);

    fc.assert(
      fc.property(fc.array(fc.tuple(live, fc.boolean()), { maxLength: 60 }), (rows) => {
        const [inOnePass, oneByOne] = [new ItemStates(rows.length), new ItemStates(rows.length)];
        rows.forEach(([bits], position) => {
          for (const states of [inOnePass, oneByOne]) states.put(position, bits);
        });
        const chosen = Uint32Array.from(rows.keys()).filter((position) => rows[position]?.[1] === true);

        inOnePass.take(changedStates(inOnePass, chosen, toOff));
        for (const position of chosen) oneByOne.put(position, toOff(oneByOne.at(position)));

        expect(inOnePass.counts).to.deep.equal(oneByOne.counts);
        expect([...inOnePass.bits]).to.deep.equal([...oneByOne.bits]);
      }),
    );
  });
});

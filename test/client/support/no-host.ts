import type { DraftOptions } from '../../../src/client/editor/draft.js';

/** A host that allows every change, and a store that withdraws no edit. */
export const NO_HOST: Pick<DraftOptions, 'withdraw' | 'confirmChange'> = {
  withdraw: () => Promise.resolve(0),
  confirmChange: () => true,
};

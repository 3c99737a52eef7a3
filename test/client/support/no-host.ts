import type { DraftOptions } from '../../../src/client/editor/draft.js';

/** A page that lets everything be changed, and whose edits are all on their way. */
export const NO_HOST: Pick<DraftOptions, 'withdraw' | 'mayChange'> = {
  withdraw: () => Promise.resolve(0),
  mayChange: () => true,
};

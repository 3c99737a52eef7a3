import type { DraftOptions } from '../../../src/client/editor/draft.js';
import { setMany } from '../../../src/client/editor/bulk-edit.js';

/** A page that lets everything be changed, and whose edits are all on their way. */
export const NO_HOST: Pick<DraftOptions, 'setMany' | 'withdraw' | 'mayChange'> = {
  setMany,
  withdraw: () => Promise.resolve(0),
  mayChange: () => true,
};

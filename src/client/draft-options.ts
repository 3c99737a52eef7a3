import type { ItemId } from '../domain/item.js';
import type { MayChange } from './editor-model.js';
import type { Pace } from './idle-work.js';

/** What a draft (`item-draft.ts`) is told by its editor. */
export interface DraftOptions {
  readonly mode: 'manual' | 'auto';
  readonly pace?: Pace;
  /** Takes edits back that nobody has sent. Resolves to how many. */
  readonly withdraw: (ids: readonly ItemId[]) => Promise<number>;
  /** Asked before something that was saved is put back or made again. */
  readonly mayChange: MayChange;
}

import type { ItemId } from '../../domain/item.js';
import type { EditorStore, MayChange } from './editor-types.js';
import type { Pace } from '../browser/idle-work.js';
import type { Wish } from '../store/create-edits.js';

/** What a draft (`item-draft.ts`) is told by its editor. */
export interface DraftOptions {
  readonly mode: 'manual' | 'auto';
  readonly pace?: Pace;
  /** `set-many.ts`: the part that has drafts has no room for it. */
  readonly setMany: (store: EditorStore, wishes: Iterable<Wish>) => Promise<void>;
  /** Takes edits back that nobody has sent. Resolves to how many. */
  readonly withdraw: (ids: readonly ItemId[]) => Promise<number>;
  /** Asked before something that was saved is put back or made again. */
  readonly mayChange: MayChange;
}

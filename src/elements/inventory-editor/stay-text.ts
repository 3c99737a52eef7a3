import type { StoreSnapshot } from '../../client/store/store-snapshot.js';
import type { ItemRow } from '../../client/editor/editor-types.js';
import type { EditorTexts } from './editor-context.js';
import { openText } from './problem-notice.js';

/** Of a choice that goes nowhere by itself now: it is not saved, or nothing can be sent. Empty: it is on its way. */
export function stayText(row: ItemRow | undefined, snapshot: StoreSnapshot, text: EditorTexts): string {
  if (row?.draft !== undefined) return text.changed;
  const { status } = snapshot;
  return status === 'ready' || status === 'loading' ? '' : openText(snapshot, text);
}

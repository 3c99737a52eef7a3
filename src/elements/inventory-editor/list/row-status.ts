import type { ItemRow } from '../../../client/editor/editor-types.js';
import type { StoreSnapshot } from '../../../client/store/store-snapshot.js';
import type { EditorDictionary, ItemTexts } from '../../../locales/dictionary.js';
import { statusText } from '../../shared/status-text.js';

type Texts = ItemTexts & Pick<EditorDictionary, 'changed' | 'met'>;

/** What a row says of its item: how far a change has come, and what guests see while another value is wanted. */
export function rowStatus(item: ItemRow, snapshot: StoreSnapshot, text: Texts): string {
  const { view, draft, met, mayEdit } = item;
  const isForbidden = snapshot.canEdit && !mayEdit && view.truth === undefined && snapshot.status === 'ready';
  const status =
    met !== undefined
      ? text.met
      : draft !== undefined
        ? text.changed
        : isForbidden
          ? text.readOnly
          : statusText(view, snapshot, text);
  const shown = shownToGuests(item);
  if (shown === undefined) return status;
  const ended = /[.?!。？！؟।]$/.test(status) ? status : `${status}.`;
  return `${ended} ${text.guestsSee(shown ? text.available : text.notAvailable)}`;
}

/**
 * The value on the portal where it is known for certain and differs from the draft; else `undefined`. Of an edit that was refused
 * nobody has told this page what the portal shows instead.
 */
function shownToGuests({ view, draft }: ItemRow): boolean | undefined {
  const isKnown = view.truth === 'on-portal' && draft !== undefined && draft !== view.available;
  return isKnown ? view.available : undefined;
}

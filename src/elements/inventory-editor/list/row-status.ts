import type { ItemRow } from '../../../client/editor/editor-types.js';
import type { StoreSnapshot } from '../../../client/store/store-snapshot.js';
import type { EditorDictionary, ItemTexts } from '../../../locales/dictionary.js';
import { shownToGuests, statusText, withGuestsView } from '../../shared/status-text.js';

type Texts = ItemTexts & Pick<EditorDictionary, 'changed' | 'met'>;

/** The status text of a row: the delivery status, and the value that guests see while another one is requested. */
export function rowStatus(item: ItemRow, snapshot: StoreSnapshot, text: Texts): string {
  const { view, draft, conflict, canEdit } = item;
  const isForbidden = snapshot.canEdit && !canEdit && view.truth === undefined && snapshot.status === 'ready';
  const status =
    conflict !== undefined
      ? text.met
      : draft !== undefined
        ? text.changed
        : isForbidden
          ? text.readOnly
          : statusText(view, snapshot, text);
  return withGuestsView(status, shownToGuests(view, draft ?? view.available), text);
}

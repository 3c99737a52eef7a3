import type { ItemView } from '../../client/model/item-view.js';
import type { StoreSnapshot } from '../../client/store/store-snapshot.js';
import type { ItemTexts } from '../../locales/dictionary.js';

/** One line about an item's newest edit: its truth, and what it waits for or what to do. */
export function statusText(view: ItemView, snapshot: StoreSnapshot, dictionary: ItemTexts): string {
  const { truth, reason } = view;
  const { status } = snapshot;
  if (truth === undefined) {
    if (view.writing) return '';
    return view.available === undefined ? dictionary.notSetYet : dictionary.asGiven;
  }
  if (view.unsaved) return dictionary.unsaved;
  const said = dictionary.truth[truth];
  if (truth === 'on-device' && status !== 'ready') {
    return `${said}: ${status === 'signed-out' ? dictionary.waitingForSignIn : dictionary.waitingForNetwork}`;
  }
  if (truth === 'received' && view.delayed) return `${said}: ${dictionary.delayed(reason)}`;
  return truth === 'needs-attention' ? `${said}: ${dictionary.attention(reason)}` : said;
}

/** What somebody else has changed meanwhile. @param name of the first item @param count how many items there are */
export function changedText(first: ItemView, count: number, name: string, dictionary: ItemTexts): string {
  const value = first.available ? dictionary.available : dictionary.notAvailable;
  return count > 1 ? dictionary.changedByOthers(count) : dictionary.changedBy(first.by ?? '', name, value);
}

import type { ItemView } from '../client/item-view.js';
import type { StoreSnapshot } from '../client/store-snapshot.js';
import type { Dictionary } from '../locales/dictionary.js';

/** One line about an item's newest edit: its truth, and what it waits for or what to do. */
export function statusText(view: ItemView, snapshot: StoreSnapshot, dictionary: Dictionary): string {
  switch (view.truth) {
    case undefined:
      if (view.writing) return '';
      return view.available === undefined ? dictionary.notSetYet : dictionary.asGiven;
    case 'on-device':
      if (view.unsaved) return dictionary.unsaved;
      if (snapshot.status === 'ready') return dictionary.truth['on-device'];
      return `${dictionary.truth['on-device']}: ${
        snapshot.status === 'signed-out' ? dictionary.waitingForSignIn : dictionary.waitingForNetwork
      }`;
    case 'received':
      return view.delayed
        ? `${dictionary.truth.received}: ${dictionary.delayed(view.reason)}`
        : dictionary.truth.received;
    case 'on-portal':
      return dictionary.truth['on-portal'];
    case 'needs-attention':
      return `${dictionary.truth['needs-attention']}: ${dictionary.attention(view.reason)}`;
  }
}

/** What somebody else has changed meanwhile. @param name of the first item @param count how many items there are */
export function changedText(first: ItemView, count: number, name: string, dictionary: Dictionary): string {
  const value = first.available ? dictionary.available : dictionary.notAvailable;
  return count > 1 ? dictionary.changedByOthers(count) : dictionary.changedBy(first.by ?? '', name, value);
}

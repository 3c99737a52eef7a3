import type { StoreSnapshot } from '../client/store-snapshot.js';
import type { ItemTexts } from '../locales/dictionary.js';

/** There is more to say than that the proxy cannot be reached. */
export function hasReason(snapshot: StoreSnapshot | undefined): boolean {
  return snapshot?.problem !== undefined && snapshot.problem !== 'unreachable';
}

/** What stands between an element and the proxy, or nothing. */
export function connectionText(snapshot: StoreSnapshot | undefined, dictionary: ItemTexts): string {
  if (snapshot === undefined) return dictionary.missingProxy;
  switch (snapshot.status) {
    case 'loading':
    case 'ready':
      return '';
    case 'signed-out':
      return snapshot.problem === 'signed_out' ? dictionary.goodbye : dictionary.signedOut;
    case 'unreachable': {
      const text = dictionary.connection(snapshot.problem);
      return snapshot.requestId === undefined ? text : `${text} ${dictionary.requestId(snapshot.requestId)}`;
    }
  }
}

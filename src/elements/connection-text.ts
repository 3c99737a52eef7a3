import type { StoreSnapshot } from '../client/store-snapshot.js';
import type { Dictionary } from '../locales/dictionary.js';

/** What stands between an element and the proxy, or nothing. */
export function connectionText(snapshot: StoreSnapshot | undefined, dictionary: Dictionary): string {
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

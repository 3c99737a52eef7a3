import type { StoreSnapshot } from '../../client/store/store-snapshot.js';
import type { ItemTexts } from '../../locales/dictionary.js';

/** Why an element has no connection to the proxy; empty if it has one. */
export function connectionText(snapshot: StoreSnapshot | undefined, dictionary: ItemTexts): string {
  if (snapshot === undefined) return dictionary.missingProxy;
  const { status, problem, requestId } = snapshot;
  if (status === 'signed-out') return problem === 'signed_out' ? dictionary.goodbye : dictionary.signedOut;
  if (status !== 'unreachable') return '';
  const text = dictionary.connection(problem);
  return requestId === undefined ? text : `${text} ${dictionary.requestId(requestId)}`;
}

/** Whether no response came from the proxy itself. */
export function isOutOfReach(problem = 'unreachable'): boolean {
  return problem === 'unreachable' || problem === 'unreadable' || problem.startsWith('http_');
}

import type { ItemView } from '../../client/model/item-view.js';
import type { StoreSnapshot, StoreStatus } from '../../client/store/store-snapshot.js';
import type { ItemTexts } from '../../locales/dictionary.js';
import { isOutOfReach } from './connection-text.js';

/** The portal has accepted the value but may not have processed it yet. Nothing is wrong, and no call is repeated. */
const PORTAL_CONFIRMS = 'portal_confirms';

/** One line about an item's newest edit: its delivery status, and why it waits or what the person can do. */
export function statusText(view: ItemView, snapshot: StoreSnapshot, dictionary: ItemTexts): string {
  const { truth, reason } = view;
  const { status, problem, complete } = snapshot;
  if (truth === undefined) {
    if (view.writing) return '';
    if (view.available !== undefined) return dictionary.asGiven;
    if (status === 'ready' || complete) return dictionary.notSetYet;
    return status !== 'loading' && isOutOfReach(problem) ? dictionary.notKnown : dictionary.checking;
  }
  if (view.unsaved) return dictionary.unsaved;
  if (truth === 'on-device' && status !== 'ready') return whyOnDevice(status, problem, dictionary);
  if (truth === 'received' && (view.delayed || reason === PORTAL_CONFIRMS)) return dictionary.delayed(reason);
  if (view.on_portal === 'changed') return dictionary.changedOnPortal;
  return truth === 'needs-attention'
    ? dictionary.attention(reason ?? (view.theirs && 'conflict'), view.by, view.theirs?.by)
    : dictionary.truth[truth];
}

/** @returns the value that guests see now, if it is certain and differs from the requested one */
export function shownToGuests(view: ItemView, wanted = view.available): boolean | undefined {
  const onPortal = view.truth === 'on-portal' ? view.available : view.portal_available;
  return onPortal === wanted ? undefined : onPortal;
}

/** Adds the value that guests see. @param shown `undefined` if that is the requested value, or is not certain */
export function withGuestsView(status: string, shown: boolean | undefined, dictionary: ItemTexts): string {
  if (shown === undefined || status === '') return status;
  const ended = /[.?!。？！؟।]$/.test(status) ? status : `${status}.`;
  return `${ended} ${dictionary.guestsSee(shown ? dictionary.available : dictionary.notAvailable)}`;
}

/** Names the same reason as `connectionText`. */
function whyOnDevice(status: StoreStatus, problem: string | undefined, dictionary: ItemTexts): string {
  if (status === 'signed-out') return dictionary.waitingForSignIn;
  return isOutOfReach(problem) ? dictionary.waitingForNetwork : dictionary.notSentYet;
}

/** Announces changes by other people. @param name label of the first item @param count number of changed items */
export function changedText(first: ItemView, count: number, name: string, dictionary: ItemTexts): string {
  const value = first.available ? dictionary.available : dictionary.notAvailable;
  return count > 1 ? dictionary.changedByOthers(count) : dictionary.changedBy(first.by ?? '', name, value);
}

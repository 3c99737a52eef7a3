/** States of an edit on the wire between the proxy and the page. */
export const EDIT_STATES = ['received', 'delivered', 'refused', 'conflict', 'superseded', 'discarded'] as const;

export type EditState = (typeof EDIT_STATES)[number];

/** The four things a person may be told about an edit. No two of them ever share one sign. */
export type Truth = 'on-device' | 'received' | 'on-portal' | 'needs-attention';

/** A settled edit changes no more by itself; its row may leave the browser. */
export function isSettled(state: EditState): boolean {
  return state !== 'received';
}

/** `undefined`: this edit is no longer the item's newest word, so the item's truth is another edit's. */
export function truthOf(state: EditState): Truth | undefined {
  switch (state) {
    case 'received':
      return 'received';
    case 'delivered':
      return 'on-portal';
    case 'refused':
    case 'conflict':
      return 'needs-attention';
    case 'superseded':
    case 'discarded':
      return undefined;
  }
}

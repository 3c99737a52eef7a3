/** The four things a person may be told about an edit. No two of them ever share one sign. */
export type Truth = 'on-device' | 'received' | 'on-portal' | 'needs-attention';

/**
 * States of an edit on the wire between the proxy and the page, and what each is to a person. `undefined`: this edit is no
 * longer the item's newest word, so the item's truth is another edit's.
 */
const TRUTHS = {
  received: 'received',
  delivered: 'on-portal',
  refused: 'needs-attention',
  conflict: 'needs-attention',
  superseded: undefined,
  discarded: undefined,
} as const satisfies Readonly<Record<string, Truth | undefined>>;

export type EditState = keyof typeof TRUTHS;

export const EDIT_STATES = Object.keys(TRUTHS) as readonly EditState[];

/** A settled edit changes no more by itself; its row may leave the browser. */
export function isSettled(state: EditState): boolean {
  return state !== 'received';
}

export function truthOf(state: EditState): Truth | undefined {
  return TRUTHS[state];
}

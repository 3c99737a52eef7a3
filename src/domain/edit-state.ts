/** The four delivery statuses that a person sees. Each has an icon and a text of its own. */
export type Truth = 'on-device' | 'received' | 'on-portal' | 'needs-attention';

/**
 * The states of an edit on the wire between the proxy and the page, and the delivery status that a person sees for each.
 * `undefined`: the edit is no longer the newest of its item, so another edit or value decides the item's status.
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

/** The proxy does not change the state of a settled edit by itself, so the browser may delete its row. */
export function isSettled(state: EditState): boolean {
  return state !== 'received';
}

export function truthOf(state: EditState): Truth | undefined {
  return TRUTHS[state];
}

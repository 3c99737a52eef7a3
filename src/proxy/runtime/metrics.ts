import type { ProblemCode } from '../../contract/problem.js';

/**
 * Events that the proxy counts; the implementation exposes the counts. Values that can be read at any time, such as the
 * number of waiting edits, are in `ProxyStatus` and cost nothing until they are read.
 *
 * Labels come from closed lists. A vendor, person, item or token is never a label: each would be a time series of its own.
 */
export interface Metrics {
  /** @param request its `route` is the template, as in `/v1/edits/{edit_id}/retry`, or `other` for an unknown path */
  requestHandled(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly milliseconds: number;
  }): void;
  requestRejected(code: ProblemCode): void;
  portalCalled(outcome: CallOutcome, milliseconds: number): void;
  tokenRequested(outcome: TokenOutcome): void;
  /** That many edits were sent with a timestamp further ahead of the portal's clock than the profile allows. */
  timestampsAhead(edits: number): void;
  /** That many items had been changed by another vendor before the list of their owner was read. */
  itemsReassigned(items: number): void;
  /** A reading of the portal's own list has ended. */
  portalListRead(outcome: 'read' | 'failed'): void;
  /** That many items were found to have another value at the portal than was delivered. */
  portalDrifted(items: number): void;
  /** A reading of a vendor's calendar has ended. `unchanged`: the server answered 304. */
  calendarRead(outcome: 'read' | 'unchanged' | 'failed'): void;
  streamOpened(): void;
  streamClosed(): void;
}

/** How one update call ended, with the reason if its edits wait. */
export interface CallOutcome {
  readonly kind: 'delivered' | 'refused' | 'retry' | 'unknown' | 'held';
  readonly reason?: string;
}

/** `refused`: the portal rejected the credentials. `failed`: no response, or one that could not be read. */
export type TokenOutcome = 'granted' | 'refused' | 'failed';

const nothing = (): void => undefined;

export const noMetrics: Metrics = {
  requestHandled: nothing,
  requestRejected: nothing,
  portalCalled: nothing,
  tokenRequested: nothing,
  timestampsAhead: nothing,
  itemsReassigned: nothing,
  portalListRead: nothing,
  portalDrifted: nothing,
  calendarRead: nothing,
  streamOpened: nothing,
  streamClosed: nothing,
};

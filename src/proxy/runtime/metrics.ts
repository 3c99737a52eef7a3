import type { ProblemCode } from '../../contract/problem.js';

/**
 * What the proxy counts while it works. The implementation decides how to expose it. What can be read at any time, such as
 * how many edits wait, is in `ProxyStatus` instead and costs nothing until it is read.
 *
 * Labels come from closed lists. No vendor, person, item or token is ever one: each would be a time series of its own.
 */
export interface Metrics {
  /** @param route the template, as in `/v1/edits/{edit_id}/retry`; `other` for what is no route */
  requestHandled(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly milliseconds: number;
  }): void;
  requestRejected(code: ProblemCode): void;
  portalCalled(outcome: CallOutcome, milliseconds: number): void;
  tokenRequested(outcome: TokenOutcome): void;
  /** So many edits went out with a stamp that is further ahead of the portal's clock than it may be. */
  timestampsAhead(edits: number): void;
  streamOpened(): void;
  streamClosed(): void;
}

/** How one update call ended: its kind, and the reason where the edits wait. */
export interface CallOutcome {
  readonly kind: 'delivered' | 'refused' | 'retry' | 'unknown' | 'held';
  readonly reason?: string;
}

/** `refused`: the portal says that the credentials are wrong. `failed`: no answer, or none that could be read. */
export type TokenOutcome = 'granted' | 'refused' | 'failed';

const nothing = (): void => undefined;

export const noMetrics: Metrics = {
  requestHandled: nothing,
  requestRejected: nothing,
  portalCalled: nothing,
  tokenRequested: nothing,
  timestampsAhead: nothing,
  streamOpened: nothing,
  streamClosed: nothing,
};

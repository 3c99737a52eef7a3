/** Why an edit is delayed. The page may show it. */
export type DelayReason =
  'portal_unreachable' | 'portal_busy' | 'portal_error' | 'portal_credentials' | 'portal_refuses' | 'portal_unreadable';

/** The portal has accepted an update, and processes it later. */
export interface PortalAcceptance {
  /** After how many milliseconds the value counts as delivered; `undefined`: never. */
  readonly confirmedAfterMs?: number | undefined;
}

/** What the log records of a response. */
export interface ResponseSummary {
  readonly status: number;
  /** The media type without parameters. */
  readonly type?: string | undefined;
}

/** Why one item is retried, and whether the portal may have applied it or still may (as in `AttemptOutcome`). */
export interface ItemDelay {
  readonly reason: DelayReason;
  readonly uncertain: boolean | 'answered';
}

/**
 * The outcome of one call: what is retried, and what is uncertain. `afterMs`: how long the portal asks to wait before
 * the next call. For the operator's log alone: `response` describes a response that is no readable success, `portalMessage` is the
 * portal's message, and `failure` is why there is no response (the platform's code) or what of it cannot be read.
 */
export type UpdateOutcome = {
  readonly afterMs?: number | undefined;
  readonly response?: ResponseSummary | undefined;
} & (
  | /**
     * A complete 2xx. `refused`: the rejected ids, with the portal's code for each. `delayed`: the ids to retry. `answeredIds`: all ids
     * that have a result, if the response has to have one for each.
     */
    {
      readonly kind: 'delivered';
      readonly refused?: ReadonlyMap<string, string> | undefined;
      readonly delayed?: ReadonlyMap<string, ItemDelay> | undefined;
      readonly answeredIds?: ReadonlySet<string> | undefined;
      /** Set if the portal has only accepted the items and processes them later. */
      readonly accepted?: PortalAcceptance | undefined;
    }
    /**
     * The portal rejected something in this batch. `code` tells one rejection from another. `codesByItem`: every item of the
     * batch was rejected by name, so the batch is not split.
     */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly codesByItem?: ReadonlyMap<string, string> | undefined;
      readonly portalMessage?: string | undefined;
    }
  /** Not applied; retry soon. */
  | {
      readonly kind: 'retry';
      readonly reason: DelayReason;
      readonly portalMessage?: string | undefined;
      readonly failure?: string | undefined;
    }
  /** The call may have been applied, or may still be; retry soon. */
  | {
      readonly kind: 'unknown';
      readonly reason: DelayReason;
      readonly portalMessage?: string | undefined;
      readonly failure?: string | undefined;
    }
  /** No call succeeds until a setting is changed. */
  | {
      readonly kind: 'held';
      readonly reason: DelayReason;
      readonly portalMessage?: string | undefined;
      readonly failure?: string | undefined;
    }
);

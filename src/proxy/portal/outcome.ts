/** Why an edit is held up, as the page may know it. */
export type DelayReason =
  'portal_unreachable' | 'portal_busy' | 'portal_error' | 'portal_credentials' | 'portal_refuses' | 'portal_unreadable';

/** The portal has accepted an update, and processes it later. */
export interface PortalAcceptance {
  /** How long after it the value counts as delivered; `undefined`: never. */
  readonly confirmedAfterMs?: number | undefined;
}

/** Of an answer of the portal. */
export interface ResponseSummary {
  readonly status: number;
  /** Its media type, without parameters. */
  readonly type?: string | undefined;
}

/** Of one item: why it comes again, and whether the portal may have acted on it, or may yet, as in a settlement. */
export interface ItemDelay {
  readonly reason: DelayReason;
  readonly uncertain: boolean | 'answered';
}

/**
 * What became of one call, by the table of outcomes: who retries, and what nobody may assume. `afterMs`: until the portal
 * lets another call follow, where it says so. For the operator's log alone: `came` is what kind of answer it was, where it was
 * no success that could be read; `said` is the portal's own message, and `failure` the platform's word for why no answer came, or
 * ours for what of it cannot be read.
 */
export type UpdateOutcome = { readonly afterMs?: number | undefined; readonly came?: ResponseSummary | undefined } & (
  | /**
     * A complete 2xx. `refused`: ids that the answer names as not taken, with the portal's own code for each. `later`: those that
     * are to come again. `named`: all that it answers for, where it is said to answer for each.
     */
    {
      readonly kind: 'delivered';
      readonly refused?: ReadonlyMap<string, string> | undefined;
      readonly later?: ReadonlyMap<string, ItemDelay> | undefined;
      readonly named?: ReadonlySet<string> | undefined;
      /** Where what it took is only accepted. */
      readonly accepted?: PortalAcceptance | undefined;
    }
    /**
     * The portal refuses something in this batch. `code` tells one refusal from another. `each`: it names every item of the
     * batch, so that none of them passed and nobody has to look for the bad ones.
     */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly each?: ReadonlyMap<string, string> | undefined;
      readonly said?: string | undefined;
    }
  /** Not applied; worth trying again soon. */
  | {
      readonly kind: 'retry';
      readonly reason: DelayReason;
      readonly said?: string | undefined;
      readonly failure?: string | undefined;
    }
  /** The call may or may not have been applied, or may still be; worth trying again soon. */
  | {
      readonly kind: 'unknown';
      readonly reason: DelayReason;
      readonly said?: string | undefined;
      readonly failure?: string | undefined;
    }
  /** Nothing will pass until somebody changes a setting. */
  | {
      readonly kind: 'held';
      readonly reason: DelayReason;
      readonly said?: string | undefined;
      readonly failure?: string | undefined;
    }
);

import * as z from 'zod/mini';
import { itemId } from '../contract/fields.js';

/**
 * The faults that a person or a test may switch on. A PUT replaces the whole set, so its effect does not depend on the
 * previous one; an absent field is off. Expiring all tokens is an event and not a state, so it has its own route: `POST
 * /sandbox/expire-tokens`.
 */
export const faults = z.strictObject({
  /** Every path of the portal answers 503 at once, whatever else is on. */
  down: z._default(z.boolean(), false),
  /** Milliseconds between applying a request and answering it. */
  delay_ms: z._default(z.int().check(z.minimum(0), z.maximum(60_000)), 0),
  /** The portal rejects the whole update if it names one of these items. */
  refuse_items: z._default(z.array(itemId).check(z.maxLength(10_000)), []),
});
export type Faults = z.infer<typeof faults>;

export const NO_FAULTS: Faults = faults.parse({});

/**
 * The fault that the journal records for a request. If two faults acted, it is the one that decided the response, so `slow`
 * means that the response is the usual one, only later.
 */
export type FaultName = 'down' | 'slow' | 'refuse_items' | 'expire_tokens';

import * as z from 'zod/mini';
import { itemId } from '../contract/fields.js';

/**
 * The faults that a person or a test may switch on. The set is replaced as a whole, so that a PUT means the same
 * whatever was there before; a field that is absent is off. What is an event rather than a state (all tokens expire
 * now) is not a switch: `POST /sandbox/expire-tokens`.
 */
export const faults = z.strictObject({
  /** Every portal address answers 503 at once, whatever else is on. */
  down: z._default(z.boolean(), false),
  /** Milliseconds between acting on a request and answering it. */
  delay_ms: z._default(z.int().check(z.minimum(0), z.maximum(60_000)), 0),
  /** An update that names one of these is refused as a whole. */
  refuse_items: z._default(z.array(itemId).check(z.maxLength(10_000)), []),
});
export type Faults = z.infer<typeof faults>;

export const NO_FAULTS: Faults = faults.parse({});

/**
 * What the journal calls a fault that acted. Where two did, the one that decided the answer is named, so `slow` says
 * that the answer is what it would have been, only later.
 */
export type FaultName = 'down' | 'slow' | 'refuse_items' | 'expire_tokens';

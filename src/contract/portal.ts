import * as z from 'zod/mini';
import { itemId, timestamp } from './fields.js';

/**
 * The portal's wire, from the portal's own document. Only the proxy and the sandbox portal may import this file:
 * the page has no business with tokens.
 */

/** Portal document, "Token request" (RFC 6749 section 4.4.2). A portal may be sent more fields, such as `scope`. */
export const tokenRequest = z.object({
  client_id: z.string().check(z.minLength(1)),
  client_secret: z.string().check(z.minLength(1)),
  grant_type: z.literal('client_credentials'),
});
export type TokenRequest = z.infer<typeof tokenRequest>;

/**
 * RFC 6749 section 5.1. The portal's document does not show this answer, so only what is needed is required, and
 * the rest is taken as it comes: a nonsensical lifetime or type must not make a good token unusable.
 */
export const tokenAnswer = z.object({
  access_token: z.string().check(z.regex(/^[\x21-\x7e]{1,8192}$/, 'visible ASCII, at most 8192 characters')),
  token_type: z.optional(z.unknown()),
  expires_in: z.optional(z.unknown()),
});

/** Portal document, "Inventory item": three required fields and no other. */
const portalItem = z.strictObject({
  id: itemId,
  available: z.boolean(),
  updated_at: timestamp,
});
export type PortalItem = z.infer<typeof portalItem>;

/** Portal document, "inventory update payload": an object with one field, `inventory`. */
export const inventoryUpdate = z.strictObject({
  inventory: z.array(portalItem).check(z.minLength(1)),
});
export type InventoryUpdate = z.infer<typeof inventoryUpdate>;

import * as z from 'zod/mini';
import { itemId, timestamp } from './fields.js';

/**
 * The portal's wire format, from the portal's own document. Only the proxy and the sandbox portal may import this file: the
 * page never handles portal tokens.
 */

/** Portal document, "Token request" (RFC 6749 section 4.4.2). A portal may be sent more fields, such as `scope`. */
export const tokenRequest = z.object({
  client_id: z.string().check(z.minLength(1)),
  client_secret: z.string().check(z.minLength(1)),
  grant_type: z.literal('client_credentials'),
});
export type TokenRequest = z.infer<typeof tokenRequest>;

/** A token has to fit into the headers that a server accepts by default: Node.js limits all headers together to 16 KiB. */
export const MAX_PORTAL_TOKEN_LENGTH = 15 * 1024;

/**
 * RFC 6749 section 5.1. The portal's document does not show this response, so only the token is required and validated: an
 * invalid lifetime or type must not make a good token unusable.
 */
export const tokenAnswer = z.object({
  access_token: z
    .string()
    .check(z.regex(/^[\x21-\x7e]+$/, 'must be visible ASCII'), z.maxLength(MAX_PORTAL_TOKEN_LENGTH)),
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

import * as z from 'zod/mini';
import { itemId, label, MAX_IMAGE_URL_LENGTH, timestamp } from './fields.js';

/** An item as the host's page hands it to the editor. Fields that we do not know are the host's own and stay unread. */
export const hostItem = z.object({
  id: itemId,
  available: z.optional(z.nullable(z.boolean())),
  updated_at: z.optional(z.nullable(timestamp)),
  label: z.optional(z.nullable(label)),
  group: z.optional(z.nullable(label)),
  image: z.optional(z.nullable(z.string().check(z.maxLength(MAX_IMAGE_URL_LENGTH)))),
  note: z.optional(z.nullable(label)),
});
export type CheckedHostItem = z.output<typeof hostItem>;

/** The same as the host writes it: nothing is checked yet, so nothing is branded. */
export interface HostItemInput {
  readonly id: string;
  readonly available?: boolean | null | undefined;
  /** ISO 8601 UTC, as in `2026-11-21T08:30:00.000Z`. */
  readonly updated_at?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly group?: string | null | undefined;
  /** URL of a picture. */
  readonly image?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/** A list of items as an operator keeps it, or one page of it: `next` is the `cursor` of the page after it. */
export const itemsPage = z.pipe(
  // A list alone is a page that is the last.
  z.transform((page: unknown) => (Array.isArray(page) ? { inventory: page } : page)),
  z.object({
    inventory: z.array(hostItem),
    next: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(2000)))),
  }),
);
export type ItemsPage = z.output<typeof itemsPage>;

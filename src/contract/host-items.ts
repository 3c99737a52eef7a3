import * as z from 'zod/mini';
import { itemId, label, timestamp } from './fields.js';
import { MAX_IMAGE_URL_LENGTH } from './limits.js';

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

import * as z from 'zod/mini';
import { itemId, label, timestamp } from './fields.js';

/** An item as the host's page hands it to the editor. Fields that we do not know are the host's own and stay unread. */
export const hostItem = z.object({
  id: itemId,
  available: z.optional(z.nullable(z.boolean())),
  updated_at: z.optional(z.nullable(timestamp)),
  label: z.optional(z.nullable(label)),
  group: z.optional(z.nullable(label)),
});
export type HostItemInput = z.input<typeof hostItem>;

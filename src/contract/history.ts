import * as z from 'zod/mini';
import { EDIT_STATES } from '../domain/edit-state.js';
import { editId, itemId, timestamp } from './fields.js';

/** One accepted edit, as `GET /v1/history` lists it. */
const historyEntry = z.object({
  seq: z.number(),
  edit_id: editId,
  id: itemId,
  /** Who made it: the subject, and the name if the host gave one. */
  subject: z.string(),
  name: z.optional(z.string()),
  /** The value before, if one was known, and after. */
  from: z.optional(z.boolean()),
  to: z.boolean(),
  accepted_at: timestamp,
  settled_at: z.optional(timestamp),
  updated_at: timestamp,
  state: z.enum(EDIT_STATES),
  reason: z.optional(z.string()),
  /** Who retried or discarded it. */
  decided_by: z.optional(z.string()),
  retry_of: z.optional(editId),
  /** A schedule of that person made it; `schedule` is its id. */
  by: z.optional(z.literal('schedule')),
  schedule: z.optional(z.string()),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const history = z.object({ history: z.array(historyEntry), next: z.optional(z.string()) });

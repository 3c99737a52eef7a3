import * as z from 'zod/mini';
import { EDIT_STATES } from '../domain/edit-state.js';
import { editId, itemId, timestamp } from './fields.js';

/** The wire format between the operator's command and a running proxy, over a Unix socket that only its owner can open. */
const waitingEdit = z.object({
  seq: z.number(),
  edit_id: editId,
  id: itemId,
  label: z.optional(z.string()),
  vendor: z.string(),
  subject: z.string(),
  available: z.boolean(),
  state: z.enum(EDIT_STATES),
  delayed: z.optional(z.boolean()),
  reason: z.optional(z.string()),
  attempts: z.number(),
  accepted_at: z.number(),
  updated_at: timestamp,
});
export type WaitingEditRow = z.infer<typeof waitingEdit>;

export const waitingEdits = z.object({ edits: z.array(waitingEdit), next: z.optional(z.number()) });

export const operatorDecision = z.strictObject({
  verdict: z.enum(['retry', 'discard']),
  edit_id: editId,
  /** The vendor of the edit: two vendors may have one with the same id. */
  vendor: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** Who decides, for the history. */
  by: z.string().check(z.minLength(1), z.maxLength(200)),
});

export const itemRelease = z.strictObject({
  id: itemId,
  vendor: z.string().check(z.minLength(1), z.maxLength(200)),
});

export const releaseAnswer = z.object({ outcome: z.enum(['released', 'item_unknown']) });

export const operatorAnswer = z.object({
  outcome: z.enum(['decided', 'edit_unknown', 'edit_ambiguous', 'edit_settled', 'item_unknown']),
  state: z.optional(z.enum(EDIT_STATES)),
  edit_id: z.optional(editId),
  /** If several vendors have an edit with this id: their names. */
  vendors: z.optional(z.array(z.string())),
});

import * as z from 'zod/mini';
import { EDIT_STATES } from '../domain/edit-state.js';
import { changeSetId, editId, itemId, timestamp } from './fields.js';
import { receipts } from './widget.js';

/** Largest number of entries in one response. */
export const MAX_HISTORY_PAGE = 1_000;

const state = z.enum(EDIT_STATES);
const count = z.number();

/** One accepted edit, as `GET /v1/history` lists it. */
const historyEntry = z.object({
  seq: z.number(),
  edit_id: editId,
  id: itemId,
  /** Who made the edit: the subject, and the name if the host gave one. */
  subject: z.string(),
  name: z.optional(z.string()),
  /** The value before, if one was known, and after. */
  from: z.optional(z.boolean()),
  to: z.boolean(),
  accepted_at: timestamp,
  settled_at: z.optional(timestamp),
  updated_at: timestamp,
  state,
  reason: z.optional(z.string()),
  /**
   * The item still has this value: no newer edit of it is in force, and the value was not changed elsewhere at the portal.
   */
  current: z.optional(z.literal(true)),
  /** Who retried or discarded the edit. */
  decided_by: z.optional(z.string()),
  retry_of: z.optional(editId),
  /** A schedule of that person made the edit; `schedule` is its id. */
  by: z.optional(z.literal('schedule')),
  schedule: z.optional(z.string()),
  /** Shared by the edits that were made together. */
  change_set: z.optional(changeSetId),
  /** With `collapse`, for an entry that represents several edits of its change set: how many of them match. */
  summary: z.optional(
    z.object({
      available: count,
      unavailable: count,
      /** Edits whose item still has their value, and had another one before. */
      revertible: count,
      states: z.record(z.string(), count),
    }),
  ),
});
export type HistoryEntry = z.infer<typeof historyEntry>;
export type ChangeSetSummary = NonNullable<HistoryEntry['summary']>;

export const history = z.object({ history: z.array(historyEntry), next: z.optional(z.string()) });

const cursor = z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'the `next` of an earlier answer')));

const pageFields = {
  cursor,
  limit: z.optional(z.string().check(z.regex(/^(1000|[1-9]\d{0,2})$/, '1 to 1000'))),
};

/** The query of `GET /v1/history`. An edit has to match every filter that is set. */
export const historyQuery = z.strictObject({
  ...pageFields,
  item: z.optional(itemId),
  /** Who made the edit. */
  subject: z.optional(z.string()),
  state: z.optional(state),
  /** Accepted at `from` or later and before `until`. */
  from: z.optional(timestamp),
  until: z.optional(timestamp),
  /** Accepted on this day of that zone (IANA name). */
  day: z.optional(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'YYYY-MM-DD'))),
  time_zone: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  change_set: z.optional(changeSetId),
  /** Collapses the edits of one person in a change set into one entry. */
  collapse: z.optional(z.literal('change_set')),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** The query of `GET /v1/change-sets/{id}`. */
export const changeSetQuery = z.strictObject({ ...pageFields, subject: z.optional(z.string()) });

/** The body of `POST /v1/change-sets/{id}/revert`. */
export const revertRequest = z.strictObject({
  /** Only edits of this person. */
  subject: z.optional(z.string()),
  cursor,
  /** The change set of the new edits. Absent: the proxy generates one. */
  change_set: z.optional(changeSetId),
});

/**
 * Why an item keeps its value: another edit of it is in force, it belongs to another vendor by now, it has the value from
 * before the change set already, or it had no value before.
 */
export const SKIP_REASONS = ['changed_since', 'not_permitted', 'same_value', 'unset_before'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const skippedItem = z.object({
  id: itemId,
  reason: z.enum(SKIP_REASONS),
  /** With `changed_since`: who changed it, for display; absent if that is the viewer. */
  by: z.optional(z.string()),
});
export type SkippedItem = z.infer<typeof skippedItem>;

/** The response: each item of this part of the change set has a receipt or is in `skipped`. */
export const revertedChangeSet = z.object({
  receipts: receipts.shape.receipts,
  skipped: z.array(skippedItem),
  /** The change set of the new edits; absent if there are none. */
  change_set: z.optional(changeSetId),
  /** The cursor of the next part, which has older edits. */
  next: z.optional(z.string()),
});

import * as z from 'zod/mini';

/**
 * Problem details for HTTP APIs (RFC 9457). `code` is from a closed list, for programs and for choosing texts; `detail` is
 * for a developer who reads the network tab. Neither ever has text of the portal.
 */
export const PROBLEMS = {
  invalid_json: { status: 400, detail: 'The body is not JSON. Send the inventory object as JSON in UTF-8.' },
  host_repeated: { status: 400, detail: 'Send one Host header.' },
  idempotency_key_required: {
    status: 400,
    detail: 'Send an Idempotency-Key header of 1 to 200 visible ASCII characters, a new one for each batch.',
  },
  invalid_query: { status: 400, detail: 'A query parameter is missing or out of its range.' },
  session_required: { status: 401, detail: 'Send a valid embed token as bearer. Ask the host for a new one.' },
  origin_refused: {
    status: 403,
    detail: 'This origin may not use the proxy. The operator lists origins in ALLOWED_ORIGINS.',
  },
  header_required: { status: 403, detail: 'Send the header X-Requested-With: inventory-widget.' },
  permission_missing: { status: 403, detail: 'The session does not permit this.' },
  item_unknown: { status: 404, detail: 'The session knows no such item. Nothing of this batch was stored.' },
  edit_unknown: { status: 404, detail: 'The session knows no such edit.' },
  schedule_unknown: { status: 404, detail: 'The session knows no such schedule.' },
  change_set_unknown: { status: 404, detail: 'The session knows no such change set.' },
  route_unknown: { status: 404, detail: 'No such address.' },
  method_not_allowed: { status: 405, detail: 'This address does not take this method.' },
  edit_settled: { status: 409, detail: 'This edit has left or is settled: nothing is left to decide.' },
  session_changed: {
    status: 409,
    detail: 'Another person is signed in than the page believes. Read the session again.',
  },
  body_too_large: { status: 413, detail: 'The body is too large. Send smaller batches.' },
  json_required: { status: 415, detail: 'Send Content-Type: application/json.' },
  invalid_body: { status: 422, detail: 'The body is JSON of another shape. Nothing of this batch was stored.' },
  duplicate_item: { status: 422, detail: 'A batch names an item once. Nothing of this batch was stored.' },
  too_many_edits: { status: 422, detail: 'Too many edits in one batch. Nothing of it was stored.' },
  idempotency_key_reused: { status: 422, detail: 'This Idempotency-Key came with another body before.' },
  edit_id_reused: {
    status: 422,
    detail: 'An edit_id came with other content before. Nothing of this batch was stored.',
  },
  feed_unreadable: {
    status: 422,
    detail: 'No calendar can be read at this address: errors has the reason. Nothing was stored.',
  },
  too_many_feeds: { status: 422, detail: 'The vendor has as many calendars as are allowed. Remove one first.' },
  budget_spent: { status: 429, detail: 'Too much in too short a time. Send the same request again after Retry-After.' },
  internal: { status: 500, detail: 'The proxy failed. Nothing was promised; the same request may be sent again.' },
  overloaded: {
    status: 503,
    detail: 'Too much waits already, or the disk is nearly full. Send the same request again later.',
  },
  delivery_stopped: { status: 503, detail: 'Edits are accepted, but no worker delivers them to the portal.' },
  session_unverifiable: {
    status: 503,
    detail: 'Who is asking cannot be checked now. Send the same request again later; a new token does not help.',
  },
  items_unverifiable: {
    status: 503,
    detail:
      'Whose these items are cannot be checked now. Send the same request again later. Nothing of this batch was stored.',
  },
  storage_unavailable: { status: 503, detail: 'The proxy cannot store edits now. Send the same request again later.' },
} as const satisfies Record<string, { status: number; detail: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Whether the same request may succeed later without any change. */
export function isRetryable(code: ProblemCode): boolean {
  const { status } = PROBLEMS[code];
  return status >= 500 || status === 429;
}

export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  code: z.string(),
  detail: z.optional(z.string()),
  retryable: z.boolean(),
  request_id: z.string(),
  /** Where in the body the error is (RFC 6901 pointer), and what is expected there. */
  errors: z.optional(z.array(z.object({ pointer: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof problem>;

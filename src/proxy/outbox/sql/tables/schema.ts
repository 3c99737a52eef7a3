import type { Dialect } from './database.js';

/** Increases with each change of the tables. A database of another version is rejected at start. */
export const SCHEMA_VERSION = 23;

/**
 * The tables of the outbox, and how long their rows live:
 *
 * - `vendor`: created by the vendor's first edit. It has the last number and revision given to its edits and items,
 *   and how many of its edits are in which state. `last_number` is also the number of edits ever accepted.
 * - `item`: created by the first edit of an id by a vendor. Two vendors may have the same id, but within a lane an id
 *   belongs to one vendor, the first one. The item of another vendor that a change of settings has moved into the same
 *   lane is `owned_by_other`: none of its edits is sent. `newest_visible` and `newest_pending` are the numbers of its
 *   newest edits that are neither superseded nor discarded (`pending`: nor in conflict), so that no read has to walk a
 *   long history. `uncertain_*`, `resend_at`: see `uncertain-outcome.ts`.
 * - `item_owner`: exists while the list of a vendor names the id. `key` has the order in which lists named it.
 * - `edit`: from acceptance until pruned. `state` is what people see. An edit that still has to be sent is in one of
 *   these states:
 *
 *       blocked  an older edit of the item is first      due_at, queue_position, open_attempt: null
 *       pausing  first of its item, not before `due_at`  due_at
 *       queued   may be sent now                         due_at and queue_position
 *       open     an attempt is in flight                 open_attempt
 *
 *   An edit that the portal has accepted, and may not have processed yet, is not sent again: it stays received until
 *   `confirm_at`, or until a newer edit of the item is accepted or delivered.
 *
 *   A new edit is queued or blocked. `beginAttempt` removes it from the queue; `recordOutcomes` ends it or lets it pause. When
 *   an edit ends, the next one of its item is queued. A delivered value that is resent passes through the same states.
 *   `seq` numbers all edits and is internal; `number` is the one that the vendor sees.
 * - `attempt`: one portal call, stored before its first byte is sent. It is open until each of its edits is settled,
 *   is sent in a part of a split batch, or is found open by the next holder of the lane. `edit` names its attempt
 *   without a foreign key: checking one would search all edits for each attempt that is pruned.
 * - `schedule`: from its creation until some time after its end. `next_at` is the time of its next step; `definition`
 *   is the request. Its edits name it and live longer.
 * - `calendar_feed`: exists while its schedule reads a calendar. `busy` has the times of the last reading that was parsed
 *   as a whole; a reading that fails leaves them. `claim` names the reading in progress. A busy time that ended at
 *   `done_until` or before is not carried out again.
 * - `idempotency`: one accepted batch under its key, for as long as keys live.
 * - `lane`: created by the first edit in it. The fence only increases. `next_at` is when it has work; `claimable_at`
 *   also respects its lease and its pause, and its index finds the next lane however many wait. `leased_at` is when
 *   `lease_until` was last written, so that a clock that was set back since is detected.
 * - `pace`: created by the first call of a client. It has the time of the next call, so that all proxies on one
 *   database share one rate limit.
 * - `portal_list`: from the first reading of a list of the portal until no list is read any more. `begun_at` is when
 *   the newest reading was claimed, which identifies it. `claimed_until` ends the claim of a reader that was killed.
 *   `read_at` is the `begun_at` of the last reading that was stored completely.
 * - `portal_item`: an item of such a list, while readings contain it. Its effect on an edited item is in `drift_at`
 *   and `drift_stamp` of `item`: they are valid while `drift_at` is later than `answered_at` of the newest edit, the
 *   time of the portal's last success for it.
 * - `clock_offset`: at most one row, with the offset of the portal's clock.
 * - `revoked_token`: the SHA-256 of the id of a token, or of a person, from the sign-out until a day after the last
 *   token that it revokes would have expired. For a person it revokes the tokens issued until `issued_until`.
 *
 * Times are milliseconds since the epoch. Leases and waits (`lease_until`, `not_before`, `next_call_at`, `due_at`,
 * `uncertain_until`, `resend_at`), `answered_at`, `drift_at` and the times of attempts and readings are on the clock of
 * `Transaction.now`.
 */
export function schemaFor({ types: { integer, text, key, strict }, greatest }: Dialect): string {
  return `
CREATE TABLE vendor (
  name ${text} PRIMARY KEY,
  last_number ${integer} NOT NULL DEFAULT 0,
  last_revision ${integer} NOT NULL DEFAULT 0,
  received ${integer} NOT NULL DEFAULT 0,
  delivered ${integer} NOT NULL DEFAULT 0,
  parked ${integer} NOT NULL DEFAULT 0,
  superseded ${integer} NOT NULL DEFAULT 0,
  discarded ${integer} NOT NULL DEFAULT 0,
  pruned ${integer} NOT NULL DEFAULT 0
) ${strict};

CREATE TABLE item (
  key ${key},
  id ${text} NOT NULL,
  vendor ${text} NOT NULL,
  lane ${text} NOT NULL,
  owned_by_other ${integer} NOT NULL DEFAULT 0 CHECK (owned_by_other IN (0, 1)),
  label ${text},
  last_stamp ${integer} NOT NULL,
  revision ${integer} NOT NULL,
  newest_visible ${integer},
  newest_pending ${integer},
  uncertain_until ${integer},
  uncertain_from ${integer},
  resend_at ${integer},
  drift_at ${integer},
  drift_stamp ${integer},
  CHECK ((drift_at IS NULL) = (drift_stamp IS NULL)),
  CHECK ((uncertain_until IS NULL) = (uncertain_from IS NULL))
) ${strict};
CREATE UNIQUE INDEX item_by_vendor ON item (vendor, id);
CREATE UNIQUE INDEX item_by_lane ON item (lane, id) WHERE owned_by_other = 0;
CREATE UNIQUE INDEX item_by_revision ON item (vendor, revision);
CREATE INDEX item_resend ON item (resend_at) WHERE resend_at IS NOT NULL;
CREATE INDEX item_late ON item (lane, id) WHERE uncertain_until IS NOT NULL;
CREATE INDEX item_drift ON item (drift_at) WHERE drift_at IS NOT NULL;
CREATE INDEX item_uncertain ON item (uncertain_until) WHERE uncertain_until IS NOT NULL;

CREATE TABLE item_owner (
  key ${key},
  id ${text} NOT NULL,
  vendor ${text} NOT NULL
) ${strict};
CREATE UNIQUE INDEX item_owner_by_id ON item_owner (id, vendor);
CREATE INDEX item_owner_by_vendor ON item_owner (vendor);

CREATE TABLE edit (
  seq ${key},
  number ${integer} NOT NULL,
  vendor ${text} NOT NULL,
  subject ${text} NOT NULL,
  name ${text},
  edit_id ${text} NOT NULL,
  item ${integer} NOT NULL REFERENCES item (key),
  lane ${text} NOT NULL,
  bulk ${integer} NOT NULL CHECK (bulk IN (0, 1)),
  available ${integer} NOT NULL CHECK (available IN (0, 1)),
  previous_value ${integer} CHECK (previous_value IN (0, 1)),
  clicked_at ${text} NOT NULL,
  base ${text},
  stamp ${integer} NOT NULL,
  accepted_at ${integer} NOT NULL,
  retry_of ${text},
  change_set ${text},
  schedule ${text},
  state ${text} NOT NULL CHECK (state IN ('received', 'delivered', 'refused', 'conflict', 'superseded', 'discarded')),
  reason ${text},
  decided_by ${text},
  attempts ${integer} NOT NULL DEFAULT 0,
  open_attempt ${integer},
  due_at ${integer} CHECK (due_at IS NULL OR (open_attempt IS NULL AND state IN ('received', 'delivered'))),
  confirm_at ${integer},
  answered_at ${integer},
  queue_position ${integer} CHECK (queue_position IS NULL OR due_at IS NOT NULL),
  settled_at ${integer} CHECK ((settled_at IS NULL) = (state IN ('received', 'conflict'))),
  UNIQUE (edit_id, vendor)
) ${strict};
CREATE UNIQUE INDEX edit_by_item ON edit (item, stamp);
CREATE UNIQUE INDEX edit_by_vendor ON edit (vendor, number);
CREATE INDEX edit_by_end ON edit (settled_at, seq) WHERE settled_at IS NOT NULL;
CREATE INDEX edit_live ON edit (item, seq) WHERE state IN ('received', 'refused', 'conflict');
CREATE INDEX edit_received ON edit (seq) WHERE state = 'received';
CREATE INDEX edit_parked ON edit (seq) WHERE state IN ('refused', 'conflict');
CREATE INDEX edit_queue ON edit (lane, bulk, queue_position, seq) WHERE queue_position IS NOT NULL;
CREATE INDEX edit_queue_of_vendor ON edit (lane, bulk, vendor, queue_position) WHERE queue_position IS NOT NULL;
CREATE INDEX edit_pausing ON edit (lane, due_at) WHERE queue_position IS NULL AND due_at IS NOT NULL;
CREATE INDEX edit_due ON edit (due_at) WHERE queue_position IS NULL AND due_at IS NOT NULL;
CREATE INDEX edit_confirmed ON edit (confirm_at) WHERE confirm_at IS NOT NULL;
CREATE INDEX edit_by_change_set ON edit (vendor, change_set, number) WHERE change_set IS NOT NULL;
CREATE INDEX edit_by_schedule ON edit (vendor, schedule) WHERE schedule IS NOT NULL;
CREATE INDEX edit_open ON edit (lane) WHERE open_attempt IS NOT NULL;

CREATE TABLE attempt (
  id ${key},
  lane ${text} NOT NULL,
  edits ${text} NOT NULL,
  opened_at ${integer} NOT NULL,
  closed_at ${integer},
  still_open ${integer} NOT NULL CHECK (still_open >= 0),
  delivered ${integer} NOT NULL DEFAULT 0,
  refused ${integer} NOT NULL DEFAULT 0,
  waiting ${integer} NOT NULL DEFAULT 0,
  unknown ${integer} NOT NULL DEFAULT 0,
  split ${integer} NOT NULL DEFAULT 0,
  CHECK ((closed_at IS NULL) = (still_open > 0))
) ${strict};

CREATE TABLE schedule (
  vendor ${text} NOT NULL,
  id ${text} NOT NULL,
  subject ${text} NOT NULL,
  name ${text},
  definition ${text} NOT NULL,
  state ${text} NOT NULL CHECK (state IN ('waiting', 'closed', 'done')),
  next_at ${integer} CHECK (CASE state WHEN 'done' THEN next_at IS NULL WHEN 'closed' THEN next_at IS NOT NULL ELSE true END),
  ends_at ${integer} CHECK (ends_at IS NULL OR state = 'waiting'),
  created_at ${integer} NOT NULL,
  ended_at ${integer} CHECK ((ended_at IS NULL) = (state <> 'done')),
  PRIMARY KEY (vendor, id)
) ${strict};
CREATE INDEX schedule_due ON schedule (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX schedule_by_end ON schedule (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE calendar_feed (
  vendor ${text} NOT NULL,
  schedule ${text} NOT NULL,
  busy ${text} NOT NULL,
  etag ${text},
  last_modified ${text},
  read_at ${integer} NOT NULL,
  parsed_at ${integer} NOT NULL,
  failed_since ${integer},
  problem ${text} CHECK ((problem IS NULL) = (failed_since IS NULL)),
  fetch_at ${integer} NOT NULL,
  claim ${text},
  done_until ${integer} NOT NULL,
  PRIMARY KEY (vendor, schedule)
) ${strict};
CREATE INDEX calendar_feed_due ON calendar_feed (fetch_at);

CREATE TABLE idempotency (
  vendor ${text} NOT NULL,
  subject ${text} NOT NULL,
  key ${text} NOT NULL,
  digest ${text} NOT NULL,
  edit_ids ${text} NOT NULL,
  accepted_at ${integer} NOT NULL,
  PRIMARY KEY (vendor, subject, key)
) ${strict};
CREATE INDEX idempotency_by_age ON idempotency (accepted_at);

CREATE TABLE lane (
  name ${text} PRIMARY KEY,
  fence ${integer} NOT NULL DEFAULT 0,
  lease_until ${integer} NOT NULL DEFAULT 0,
  leased_at ${integer} NOT NULL DEFAULT 0,
  held ${text},
  failures ${integer} NOT NULL DEFAULT 0,
  not_before ${integer} NOT NULL DEFAULT 0,
  verified_credential ${text},
  recent_rejections ${text},
  next_at ${integer},
  claimable_at ${integer} GENERATED ALWAYS AS (
    CASE WHEN next_at IS NOT NULL THEN ${greatest}(next_at, lease_until, not_before) END) STORED
) ${strict};
CREATE INDEX lane_claimable ON lane (claimable_at, name) WHERE claimable_at IS NOT NULL;
CREATE INDEX lane_by_lease ON lane (leased_at);

CREATE TABLE pace (
  client ${text} PRIMARY KEY,
  next_call_at ${integer} NOT NULL
) ${strict};

CREATE TABLE portal_list (
  name ${text} PRIMARY KEY,
  begun_at ${integer} NOT NULL DEFAULT 0,
  claimed_until ${integer} NOT NULL DEFAULT 0,
  read_at ${integer} NOT NULL DEFAULT 0
) ${strict};

CREATE TABLE portal_item (
  list ${text} NOT NULL,
  id ${text} NOT NULL,
  available ${integer} CHECK (available IN (0, 1)),
  updated_at ${integer},
  label ${text},
  PRIMARY KEY (list, id)
) ${strict};

CREATE TABLE clock_offset (
  one ${integer} PRIMARY KEY CHECK (one = 1),
  ahead ${integer} NOT NULL
) ${strict};

CREATE TABLE revoked_token (
  token ${text} PRIMARY KEY,
  until ${integer} NOT NULL,
  recorded_at ${integer} NOT NULL DEFAULT 0,
  issued_until ${integer}
) ${strict};
CREATE INDEX revoked_token_by_age ON revoked_token (until);
CREATE INDEX revoked_token_by_time ON revoked_token (recorded_at);
`;
}

import type { Dialect } from './database.js';

/** It grows with each change of the tables. Tables of another version are refused. */
export const SCHEMA_VERSION = 20;

/**
 * The tables of the outbox.
 *
 * How long a record lives:
 *
 * - `vendor`: from its first edit on. The last number and revision given to its edits and items, and how many of its edits are
 *   in which state. `last_number` is also how many were ever accepted.
 * - `item`: from the first edit that a vendor makes of an id on. Two vendors may have one of the same id, but within a lane an
 *   id is one vendor's, the first one's; another vendor's, that settings have brought into the same lane, is `owned_by_other`:
 *   nothing of it leaves. `newest_visible` and `newest_pending` are the numbers of its newest edits that count (`pending`: and
 *   wait for no person), so that no read walks a long history. `uncertain_*`, `resend_at`: `uncertain-outcome.ts`.
 * - `item_owner`: for as long as the list of a vendor names the id. The order of `key` is that in which lists named it first.
 * - `edit`: from acceptance until pruned. `state` is what people see. What still has to leave is in one of these places:
 *
 *       behind   an older edit of the item is first      due_at, queue_position, open_attempt: null
 *       pausing  first of its item, not before `due_at`  due_at
 *       queued   may leave now                           due_at and queue_position
 *       open     at the portal, perhaps                  open_attempt
 *
 *   One that the portal has accepted, and may not have processed yet, leaves no more: it is received until `confirm_at`, or until
 *   a newer one of its item gets there.
 *
 *   A new edit is queued or stands behind; `beginAttempt` takes it out of the queue; `settle` ends it or lets it pause; the end
 *   of one brings forward the next of its item. A delivered value that is resent goes the same way. `seq` is its place among
 *   all edits and stays inside; `number` is the one that its vendor sees.
 * - `attempt`: one portal call, written before its first byte leaves. It is open until each of its edits is settled, or leaves
 *   again in a part of a split batch, or is found open by the next holder of the lane. An edit names its attempt without a
 *   foreign key: checking one would search all edits for each attempt that is pruned.
 * - `schedule`: from its making until some time after it is done. `next_at` is when it does the next thing; `definition` is the
 *   request. An edit that it makes names it, and lives longer.
 * - `idempotency`: one accepted batch under its key, for as long as keys live.
 * - `lane`: from the first edit for it on. The fence only grows. `next_at` is when it has something to do; `claimable_at` adds
 *   its lease and its pause, and its index finds the next lane however many wait. `leased_at` is when `lease_until` was written
 *   last, so that a clock that was set back since shows.
 * - `pace`: from the first call of a client on. When its next call may leave, so that all proxies on one database keep to one pace.
 * - `portal_list`: from the first reading of a list of the portal until no list is read any more. `begun_at` is when the newest
 *   reading was claimed, and its name; `claimed_until` ends the claim of a reader that was killed. `read_at` is the claim of the
 *   last reading that was stored as a whole.
 * - `portal_item`: an item of such a list, as long as readings have it. What it says of an edited item is in the `drift_at` and
 *   `drift_stamp` of that: they count while `drift_at` is later than `answered_at` of the newest edit, which is when the portal
 *   last took that.
 * - `portal_clock`: one row once the portal has been heard whose clock is another one. By how much it is ahead.
 * - `ended_session`: the SHA-256 of the id of a token, or of a person, from the sign-out until a day after the last token that it
 *   is about would have ended by itself. Of a person it ends the tokens that were issued until `issued_until`.
 *
 * Times are milliseconds since the epoch. Leases and waits (`lease_until`, `not_before`, `next_call_at`, `due_at`, `uncertain_until`,
 * `resend_at`), `answered_at`, `drift_at` and the times of attempts and readings are on the clock of `Transaction.now`.
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
  next_at ${integer} CHECK ((next_at IS NULL) = (state = 'done')),
  ends_at ${integer} CHECK (ends_at IS NULL OR state = 'waiting'),
  created_at ${integer} NOT NULL,
  ended_at ${integer} CHECK ((ended_at IS NULL) = (state <> 'done')),
  PRIMARY KEY (vendor, id)
) ${strict};
CREATE INDEX schedule_due ON schedule (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX schedule_by_end ON schedule (ended_at) WHERE ended_at IS NOT NULL;

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

CREATE TABLE portal_clock (
  one ${integer} PRIMARY KEY CHECK (one = 1),
  ahead ${integer} NOT NULL
) ${strict};

CREATE TABLE ended_session (
  token ${text} PRIMARY KEY,
  until ${integer} NOT NULL,
  noted_at ${integer} NOT NULL DEFAULT 0,
  issued_until ${integer}
) ${strict};
CREATE INDEX ended_session_by_age ON ended_session (until);
CREATE INDEX ended_session_by_time ON ended_session (noted_at);
`;
}

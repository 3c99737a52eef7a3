/** It grows with each change of the tables. Files of versions up to 12 had other tables. */
export const SCHEMA_VERSION = 13;

/**
 * The tables of the SQLite outbox. A file carries the version of its tables, and a file of another version is refused.
 *
 * How long a record lives:
 *
 * - `item`: from the first edit that a vendor makes of an id, for as long as the file. Two vendors may have one of the same
 *   id, but within a lane an id is one vendor's: the first one's, or after `lane` was set anew (`sqlite-moving.ts`) the one's
 *   who had it there, so it must not be forgotten. Another vendor's, that settings have brought into the same lane, `yields`:
 *   nothing of it leaves. `since` is the place of its first edit, which may be gone. `shown` and `plain` name its newest
 *   edits that count (`plain`: and wait for nobody), so that no read walks a long history. `unsure_*`: `late-landing.ts`.
 * - `edit`: from acceptance until pruned. `state` is what people see. What still has to leave is in one of these places:
 *
 *       behind   an elder edit of the item is first      due_at, turn, open_attempt: null
 *       pausing  first of its item, not before `due_at`  due_at
 *       in line  may leave now                           due_at and turn
 *       open     at the portal, perhaps                  open_attempt
 *
 *   A new edit enters the line or stands behind; `openAttempt` takes it out of the line; `settle` ends it or lets it
 *   pause; the end of one brings forward the next of its item. A delivered value that is said once more goes the same
 *   way. Whoever looks for work reads the head of one partial index, however much waits behind it.
 *
 *   `turn` is the place in line: a newcomer stands behind the last of its vendor, and never before the head of the line.
 *   So vendors leave in turn, and the order costs nothing to keep (see `sqlite-line.ts`).
 *   `seq` is its place among all edits and stays inside; `number` is the one that its vendor sees. The next one of both
 *   `number` and `item.revision` follows the vendor's last, which an index finds: pruning never takes a vendor's last edit,
 *   for it is the newest of its item.
 * - `attempt`: one portal call, written before its first byte leaves. It is open until each of its edits is settled, or
 *   leaves again in a part of a split batch, or is found open by the next holder of the lane. It goes when it is older
 *   than settled edits may be. An edit names its attempt without a foreign key: checking one would search all edits for
 *   each attempt that goes.
 * - `idempotency`: one accepted batch under its key, for as long as keys live.
 * - `lane`: from its first lease on. The fence only grows. A lease ends with the process. `refusals`: `refusal-streak.ts`.
 * - `book`: one row. The last `seq` given, and how many edits are in which state. Who takes a number for an edit is counted
 *   with it; triggers keep the rest, so that no code path can forget to. No number is given twice, even if its edit is gone.
 * - `portal_clock`: one row once the portal has been heard whose clock is not this machine's. By how much it is ahead.
 * - `ended_session`: the SHA-256 of a token's id, from its sign-out until the token would have ended by itself.
 *
 * Times are milliseconds since the epoch.
 */
export const SCHEMA = `
CREATE TABLE item (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  vendor TEXT NOT NULL,
  lane TEXT NOT NULL,
  yields INTEGER NOT NULL DEFAULT 0 CHECK (yields IN (0, 1)),
  since INTEGER NOT NULL,
  label TEXT,
  last_stamp INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  shown INTEGER,
  plain INTEGER,
  unsure_until INTEGER,
  unsure_seq INTEGER,
  again_at INTEGER,
  CHECK ((unsure_until IS NULL) = (unsure_seq IS NULL))
) STRICT;
CREATE UNIQUE INDEX item_by_vendor ON item (vendor, id);
CREATE UNIQUE INDEX item_by_lane ON item (lane, id) WHERE yields = 0;
CREATE UNIQUE INDEX item_by_revision ON item (vendor, revision);
CREATE INDEX item_again ON item (again_at) WHERE again_at IS NOT NULL;
CREATE INDEX item_unsure ON item (lane, id) WHERE unsure_until IS NOT NULL;
CREATE INDEX item_doubt ON item (unsure_until) WHERE unsure_until IS NOT NULL;

CREATE TABLE edit (
  seq INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  vendor TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT,
  edit_id TEXT NOT NULL,
  item INTEGER NOT NULL REFERENCES item (key),
  lane TEXT NOT NULL,
  bulk INTEGER NOT NULL CHECK (bulk IN (0, 1)),
  available INTEGER NOT NULL CHECK (available IN (0, 1)),
  was INTEGER CHECK (was IN (0, 1)),
  clicked_at TEXT NOT NULL,
  base TEXT,
  stamp INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  retry_of TEXT,
  state TEXT NOT NULL CHECK (state IN ('received', 'delivered', 'refused', 'conflict', 'superseded', 'discarded')),
  reason TEXT,
  decided_by TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  open_attempt INTEGER,
  due_at INTEGER CHECK (due_at IS NULL OR (open_attempt IS NULL AND state IN ('received', 'delivered'))),
  turn INTEGER CHECK (turn IS NULL OR due_at IS NOT NULL),
  settled_at INTEGER CHECK ((settled_at IS NULL) = (state IN ('received', 'conflict'))),
  UNIQUE (edit_id, vendor)
) STRICT;
CREATE UNIQUE INDEX edit_by_item ON edit (item, stamp);
CREATE UNIQUE INDEX edit_by_vendor ON edit (vendor, number);
CREATE INDEX edit_by_end ON edit (settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX edit_live ON edit (item, seq) WHERE state IN ('received', 'refused', 'conflict');
CREATE INDEX edit_received ON edit (seq) WHERE state = 'received';
CREATE INDEX edit_parked ON edit (seq) WHERE state IN ('refused', 'conflict');
CREATE INDEX edit_line ON edit (lane, bulk, turn) WHERE turn IS NOT NULL;
CREATE INDEX edit_line_of_vendor ON edit (lane, bulk, vendor, turn) WHERE turn IS NOT NULL;
CREATE INDEX edit_pausing ON edit (lane, bulk, due_at) WHERE turn IS NULL AND due_at IS NOT NULL;
CREATE INDEX edit_open ON edit (lane) WHERE open_attempt IS NOT NULL;

CREATE TABLE attempt (
  id INTEGER PRIMARY KEY,
  lane TEXT NOT NULL,
  edits TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER CHECK ((closed_at IS NULL) = (still_open > 0)),
  still_open INTEGER NOT NULL CHECK (still_open >= 0),
  delivered INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  waiting INTEGER NOT NULL DEFAULT 0,
  unknown INTEGER NOT NULL DEFAULT 0,
  split INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE idempotency (
  vendor TEXT NOT NULL,
  subject TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  edit_ids TEXT NOT NULL,
  accepted_at INTEGER NOT NULL,
  PRIMARY KEY (vendor, subject, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (accepted_at);

CREATE TABLE lane (
  name TEXT PRIMARY KEY,
  fence INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  leased_at INTEGER NOT NULL,
  held TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  proven_by TEXT,
  refusals TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE book (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL DEFAULT 0,
  accepted INTEGER NOT NULL DEFAULT 0,
  received INTEGER NOT NULL DEFAULT 0,
  delivered INTEGER NOT NULL DEFAULT 0,
  parked INTEGER NOT NULL DEFAULT 0,
  superseded INTEGER NOT NULL DEFAULT 0,
  discarded INTEGER NOT NULL DEFAULT 0,
  pruned INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO book (one) VALUES (1);

CREATE TRIGGER book_moved AFTER UPDATE OF state ON edit BEGIN
  UPDATE book SET
    received = received + (NEW.state = 'received') - (OLD.state = 'received'),
    delivered = delivered + (NEW.state = 'delivered') - (OLD.state = 'delivered'),
    parked = parked + (NEW.state IN ('refused', 'conflict')) - (OLD.state IN ('refused', 'conflict')),
    superseded = superseded + (NEW.state = 'superseded') - (OLD.state = 'superseded'),
    discarded = discarded + (NEW.state = 'discarded') - (OLD.state = 'discarded');
END;
CREATE TRIGGER book_pruned AFTER DELETE ON edit BEGIN
  UPDATE book SET
    pruned = pruned + 1,
    received = received - (OLD.state = 'received'),
    delivered = delivered - (OLD.state = 'delivered'),
    parked = parked - (OLD.state IN ('refused', 'conflict')),
    superseded = superseded - (OLD.state = 'superseded'),
    discarded = discarded - (OLD.state = 'discarded');
END;

CREATE TABLE ended_session (
  token TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ended_session_by_age ON ended_session (until);

CREATE TABLE portal_clock (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  ahead INTEGER NOT NULL
) STRICT;
`;

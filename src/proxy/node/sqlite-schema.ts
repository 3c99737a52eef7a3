/**
 * The tables of the SQLite outbox, as numbered migrations. One that has shipped never changes; the next follows it.
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
 * - `parcel`: a batch with its key, from its acceptance until it is unpacked (`sqlite-parcels.ts`). `book` counts its edits,
 *   and no other table knows of them.
 * - `portal_clock`: one row once the portal has been heard whose clock is not this machine's. By how much it is ahead.
 * - `ended_session`: the SHA-256 of a token's id, from its sign-out until the token would have ended by itself.
 *
 * Times are milliseconds since the epoch.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE item (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    vendor TEXT NOT NULL,
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
  CREATE UNIQUE INDEX item_by_revision ON item (vendor, revision);
  CREATE INDEX item_again ON item (again_at) WHERE again_at IS NOT NULL;

  CREATE TABLE edit (
    seq INTEGER PRIMARY KEY,
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
  CREATE INDEX edit_by_vendor ON edit (vendor);
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
    proven_by TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE book (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0,
    accepted INTEGER NOT NULL DEFAULT 0,
    received INTEGER NOT NULL DEFAULT 0,
    delivered INTEGER NOT NULL DEFAULT 0,
    parked INTEGER NOT NULL DEFAULT 0,
    superseded INTEGER NOT NULL DEFAULT 0,
    discarded INTEGER NOT NULL DEFAULT 0,
    pruned INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO book (one) VALUES (1);

  CREATE TRIGGER book_accepted AFTER INSERT ON edit BEGIN
    UPDATE book SET
      accepted = accepted + 1,
      received = received + (NEW.state = 'received'),
      parked = parked + (NEW.state = 'conflict');
  END;
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
  `,
  'DROP TRIGGER book_accepted',
  // Revisions go on from where each vendor was: pages have been told them.
  `
  ALTER TABLE edit ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
  UPDATE edit SET number = own.number
  FROM (SELECT seq, row_number() OVER (PARTITION BY vendor ORDER BY seq) AS number FROM edit) AS own
  WHERE edit.seq = own.seq;
  DROP INDEX edit_by_vendor;
  CREATE UNIQUE INDEX edit_by_vendor ON edit (vendor, number);
  ALTER TABLE book DROP COLUMN revision;
  `,
  `
  CREATE TABLE ended_session (
    token TEXT PRIMARY KEY,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ended_session_by_age ON ended_session (until);
  `,
  'CREATE TABLE parcel (id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT',
  // Column by column from here on. The keys of those that are there are among the keys.
  `
  UPDATE parcel SET content = (
    SELECT json_object(
      'vendor', content ->> 'vendor', 'subject', content ->> 'subject', 'name', content ->> 'name',
      'lane', content ->> 'lane', 'bulk', content ->> 'bulk', 'seq', content ->> 'seq', 'number', content ->> 'number',
      'accepted_at', content ->> 'accepted_at', 'key', NULL, 'digest', NULL,
      'edit_ids', group_concat(value ->> 0, ','), 'items', json_group_array(value ->> 1),
      'labels', json_group_array(value ->> 2), 'available', group_concat(value ->> 3, ''),
      'was', group_concat(coalesce(value ->> 4, '-'), ''), 'clicked_at', json_group_array(value ->> 5),
      'bases', json_group_array(value ->> 6), 'stamps', json_group_array(value ->> 7))
    FROM json_each(content, '$.edits'))
  `,
  `
  CREATE TABLE portal_clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    ahead INTEGER NOT NULL
  ) STRICT;
  `,
  // An id was one vendor's over all lanes, so that nobody meets anybody. Edits name items by their keys, which stay.
  `
  CREATE TABLE item_of_vendor (
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
  INSERT INTO item_of_vendor
  SELECT key, id, vendor, coalesce((SELECT lane FROM edit WHERE seq = coalesce(shown, plain)), ''), 0,
    coalesce((SELECT min(seq) FROM edit WHERE item = item.key), 0), label, last_stamp, revision, shown, plain, unsure_until,
    unsure_seq, again_at
  FROM item;
  DROP TABLE item;
  ALTER TABLE item_of_vendor RENAME TO item;
  CREATE UNIQUE INDEX item_by_vendor ON item (vendor, id);
  CREATE UNIQUE INDEX item_by_lane ON item (lane, id) WHERE yields = 0;
  CREATE UNIQUE INDEX item_by_revision ON item (vendor, revision);
  CREATE INDEX item_again ON item (again_at) WHERE again_at IS NOT NULL;
  `,
  'ALTER TABLE lane ADD COLUMN refusals TEXT',
  'CREATE INDEX item_unsure ON item (lane, id) WHERE unsure_until IS NOT NULL',
  'CREATE INDEX item_doubt ON item (unsure_until) WHERE unsure_until IS NOT NULL',
  '-- Parcels may come without their digest: who cannot make it refuses the file',
];

/**
 * Numbered migrations of the SQLite outbox. A migration that has shipped never changes; the next one follows it.
 *
 * - `item`: one row for each id that anybody ever edited; lives as long as the file. It says which vendor an id belongs
 *   to and what the last stamp for the portal was.
 * - `edit`: one row for each accepted edit. `open` is 1 while an attempt runs: after a crash that means "the portal may
 *   have seen it". `due_at` is set while the state is `received`, and only then.
 * - `idempotency`: one row for each accepted batch.
 *
 * Times are milliseconds since the epoch.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE item (
    id TEXT PRIMARY KEY,
    vendor TEXT NOT NULL,
    label TEXT,
    last_stamp INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX item_by_vendor ON item (vendor, id);

  CREATE TABLE edit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    vendor TEXT NOT NULL,
    subject TEXT NOT NULL,
    edit_id TEXT NOT NULL,
    item_id TEXT NOT NULL REFERENCES item (id),
    available INTEGER NOT NULL CHECK (available IN (0, 1)),
    clicked_at TEXT NOT NULL,
    base TEXT,
    stamp INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('received', 'delivered', 'refused', 'conflict', 'superseded', 'discarded')),
    reason TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    open INTEGER NOT NULL DEFAULT 0 CHECK (open IN (0, 1)),
    due_at INTEGER CHECK ((due_at IS NOT NULL) = (state = 'received')),
    UNIQUE (vendor, edit_id)
  ) STRICT;
  CREATE INDEX edit_by_item ON edit (item_id, seq);
  CREATE INDEX edit_waiting ON edit (due_at, seq) WHERE state = 'received';
  CREATE INDEX edit_head ON edit (item_id, seq) WHERE state = 'received';
  CREATE INDEX edit_open ON edit (seq) WHERE open = 1;

  CREATE TABLE idempotency (
    vendor TEXT NOT NULL,
    subject TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    edit_ids TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    PRIMARY KEY (vendor, subject, key)
  ) STRICT, WITHOUT ROWID;
  `,
];

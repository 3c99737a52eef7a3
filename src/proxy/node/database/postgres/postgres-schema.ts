/**
 * The tables of the PostgreSQL outbox, as numbered migrations. One that has shipped never changes; the next follows it.
 *
 * They are those of the SQLite outbox (`sqlite-schema.ts` tells how long each record lives and which way an edit takes
 * through `due_at`, `turn` and `open_attempt`), with these differences:
 *
 * - Items are named by their vendor and their id, as those of their edits are. Ids and vendors are compared byte by byte, whatever language the database sorts in.
 * - A `lane` is there as soon as an edit for it is, so that a holder can lock it.
 * - Leases and waits (`lease_until`, `not_before`, `due_at`, `unsure_until`, `again_at`) and the times of attempts are on the
 *   database's clock: the machines' clocks may differ by more than any of them lasts. `leased_at` is when `lease_until` was
 *   written last, so that a clock that was set back since shows.
 *
 * - `portal_token` has no like in SQLite, where one process needs none (`postgres-tokens.ts`). A row a client secret, so few
 *   that nobody deletes them; its times are the database's too.
 *
 * - `portal_clock` tells how far the portal is ahead of the database's clock, not of any machine's.
 *
 * - `ended_session` has `noted_at` too, on the database's clock: others read on from there (`postgres-ended-sessions.ts`).
 *
 * Writing transactions follow one another, so numbers are given out in the order of the commits, and the next one can be
 * read off an index: who has read up to a revision never misses a lower one that comes later. `postgres-group-commit.ts` tells why that is affordable.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE item (
    id text COLLATE "C" PRIMARY KEY,
    vendor text COLLATE "C" NOT NULL,
    label text,
    last_stamp bigint NOT NULL,
    revision bigint NOT NULL,
    shown bigint,
    plain bigint,
    unsure_until bigint,
    unsure_seq bigint,
    again_at bigint,
    CHECK ((unsure_until IS NULL) = (unsure_seq IS NULL))
  );
  CREATE UNIQUE INDEX item_by_vendor ON item (vendor, id);
  CREATE INDEX item_by_revision ON item (vendor, revision);
  CREATE INDEX item_again ON item (again_at) WHERE again_at IS NOT NULL;

  CREATE TABLE edit (
    seq bigint PRIMARY KEY,
    vendor text COLLATE "C" NOT NULL,
    subject text NOT NULL,
    name text,
    edit_id text COLLATE "C" NOT NULL,
    item text COLLATE "C" NOT NULL REFERENCES item (id),
    lane text COLLATE "C" NOT NULL,
    bulk boolean NOT NULL,
    available boolean NOT NULL,
    was boolean,
    clicked_at text NOT NULL,
    base text,
    stamp bigint NOT NULL,
    accepted_at bigint NOT NULL,
    retry_of text,
    state text COLLATE "C" NOT NULL
      CHECK (state IN ('received', 'delivered', 'refused', 'conflict', 'superseded', 'discarded')),
    reason text,
    decided_by text,
    attempts integer NOT NULL DEFAULT 0,
    open_attempt bigint,
    due_at bigint CHECK (due_at IS NULL OR (open_attempt IS NULL AND state IN ('received', 'delivered'))),
    turn bigint CHECK (turn IS NULL OR due_at IS NOT NULL),
    settled_at bigint CHECK ((settled_at IS NULL) = (state IN ('received', 'conflict'))),
    UNIQUE (edit_id, vendor)
  );
  CREATE UNIQUE INDEX edit_by_item ON edit (item, stamp);
  CREATE INDEX edit_by_vendor ON edit (vendor, seq);
  CREATE INDEX edit_by_end ON edit (settled_at, seq) WHERE settled_at IS NOT NULL;
  CREATE INDEX edit_live ON edit (item, seq) WHERE state IN ('received', 'refused', 'conflict');
  CREATE INDEX edit_received ON edit (seq) WHERE state = 'received';
  CREATE INDEX edit_parked ON edit (seq) WHERE state IN ('refused', 'conflict');
  CREATE INDEX edit_line ON edit (lane, bulk, turn, seq) WHERE turn IS NOT NULL;
  CREATE INDEX edit_line_of_vendor ON edit (lane, bulk, vendor, turn) WHERE turn IS NOT NULL;
  CREATE INDEX edit_pausing ON edit (lane, bulk, due_at) WHERE turn IS NULL AND due_at IS NOT NULL;
  CREATE INDEX edit_open ON edit (lane) WHERE open_attempt IS NOT NULL;

  CREATE TABLE attempt (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lane text NOT NULL,
    edits bigint[] NOT NULL,
    opened_at bigint NOT NULL,
    closed_at bigint,
    still_open integer NOT NULL CHECK (still_open >= 0),
    delivered integer NOT NULL DEFAULT 0,
    refused integer NOT NULL DEFAULT 0,
    waiting integer NOT NULL DEFAULT 0,
    unknown integer NOT NULL DEFAULT 0,
    split integer NOT NULL DEFAULT 0,
    CHECK ((closed_at IS NULL) = (still_open > 0))
  );

  CREATE TABLE idempotency (
    vendor text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    digest text NOT NULL,
    edit_ids text[] NOT NULL,
    accepted_at bigint NOT NULL,
    PRIMARY KEY (vendor, subject, key)
  );
  CREATE INDEX idempotency_by_age ON idempotency (accepted_at);

  CREATE TABLE lane (
    name text COLLATE "C" PRIMARY KEY,
    fence bigint NOT NULL DEFAULT 0,
    lease_until bigint NOT NULL DEFAULT 0,
    leased_at bigint NOT NULL DEFAULT 0,
    held text,
    failures integer NOT NULL DEFAULT 0,
    not_before bigint NOT NULL DEFAULT 0,
    proven_by text
  );

  CREATE TABLE book (
    one integer PRIMARY KEY CHECK (one = 1),
    seq bigint NOT NULL DEFAULT 0,
    revision bigint NOT NULL DEFAULT 0,
    accepted bigint NOT NULL DEFAULT 0,
    received bigint NOT NULL DEFAULT 0,
    delivered bigint NOT NULL DEFAULT 0,
    parked bigint NOT NULL DEFAULT 0,
    superseded bigint NOT NULL DEFAULT 0,
    discarded bigint NOT NULL DEFAULT 0,
    pruned bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 10);
  INSERT INTO book (one) VALUES (1);

  CREATE FUNCTION book_accepted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE book SET
      accepted = book.accepted + n.accepted, received = book.received + n.received, parked = book.parked + n.parked
    FROM (SELECT
        count(*) AS accepted,
        count(*) FILTER (WHERE state = 'received') AS received,
        count(*) FILTER (WHERE state = 'conflict') AS parked
      FROM after) AS n;
    RETURN NULL;
  END $$;
  CREATE FUNCTION book_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE book SET
      received = book.received + n.received, delivered = book.delivered + n.delivered, parked = book.parked + n.parked,
      superseded = book.superseded + n.superseded, discarded = book.discarded + n.discarded
    FROM (SELECT
        sum(one) FILTER (WHERE state = 'received') AS received,
        sum(one) FILTER (WHERE state = 'delivered') AS delivered,
        sum(one) FILTER (WHERE state IN ('refused', 'conflict')) AS parked,
        sum(one) FILTER (WHERE state = 'superseded') AS superseded,
        sum(one) FILTER (WHERE state = 'discarded') AS discarded
      FROM (
        SELECT state, 1 AS one FROM after UNION ALL SELECT state, -1 FROM before
        UNION ALL SELECT unnest('{received,delivered,refused,superseded,discarded}'::text[]), 0
      ) AS moved) AS n
    WHERE (n.received, n.delivered, n.parked, n.superseded, n.discarded) <> (0, 0, 0, 0, 0);
    RETURN NULL;
  END $$;
  CREATE FUNCTION book_pruned() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE book SET
      pruned = book.pruned + n.pruned,
      received = book.received - n.received, delivered = book.delivered - n.delivered, parked = book.parked - n.parked,
      superseded = book.superseded - n.superseded, discarded = book.discarded - n.discarded
    FROM (SELECT
        count(*) AS pruned,
        count(*) FILTER (WHERE state = 'received') AS received,
        count(*) FILTER (WHERE state = 'delivered') AS delivered,
        count(*) FILTER (WHERE state IN ('refused', 'conflict')) AS parked,
        count(*) FILTER (WHERE state = 'superseded') AS superseded,
        count(*) FILTER (WHERE state = 'discarded') AS discarded
      FROM before) AS n;
    RETURN NULL;
  END $$;
  CREATE TRIGGER book_accepted AFTER INSERT ON edit
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION book_accepted();
  CREATE TRIGGER book_moved AFTER UPDATE ON edit
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION book_moved();
  CREATE TRIGGER book_pruned AFTER DELETE ON edit
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION book_pruned();
  `,
  `
  CREATE TABLE portal_token (
    place text COLLATE "C" PRIMARY KEY,
    fence bigint NOT NULL,
    leased_until bigint NOT NULL DEFAULT 0,
    refused_until bigint NOT NULL DEFAULT 0,
    generation bigint NOT NULL DEFAULT 0 CHECK (generation <= fence),
    sealed bytea,
    asked_at bigint NOT NULL DEFAULT 0,
    life bigint NOT NULL DEFAULT 0
  );
  `,
  // Revisions go on from where each vendor was: pages have been told them. A proxy of an older version that still runs is
  // refused by its next write.
  `
  LOCK TABLE book, edit;
  ALTER TABLE edit ADD COLUMN number bigint;
  UPDATE edit SET number = own.number
  FROM (SELECT seq, row_number() OVER (PARTITION BY vendor ORDER BY seq) AS number FROM edit) AS own
  WHERE edit.seq = own.seq;
  ALTER TABLE edit ALTER COLUMN number SET NOT NULL;
  DROP INDEX edit_by_vendor;
  CREATE UNIQUE INDEX edit_by_vendor ON edit (vendor, number);
  ALTER TABLE book DROP COLUMN revision;
  `,
  `
  CREATE TABLE ended_session (
    token text COLLATE "C" PRIMARY KEY,
    until bigint NOT NULL,
    noted_at bigint NOT NULL
  );
  CREATE INDEX ended_session_by_age ON ended_session (until);
  CREATE INDEX ended_session_by_time ON ended_session (noted_at);
  `,
  `
  CREATE TABLE portal_clock (
    one integer PRIMARY KEY CHECK (one = 1),
    ahead bigint NOT NULL
  );
  `,
  // An id was one vendor's over all lanes, so that nobody meets anybody. A proxy of an older version that still runs would take
  // items of one id for one: it asks for the column of the old name, and is refused.
  `
  LOCK TABLE book, item, edit;
  ALTER TABLE item ADD COLUMN lane text COLLATE "C", ADD COLUMN yields boolean NOT NULL DEFAULT false, ADD COLUMN since bigint;
  UPDATE item SET lane = coalesce((SELECT lane FROM edit WHERE seq = coalesce(item.shown, item.plain)), ''),
    since = coalesce((SELECT min(seq) FROM edit WHERE edit.item = item.id), 0);
  ALTER TABLE item ALTER COLUMN lane SET NOT NULL, ALTER COLUMN since SET NOT NULL;
  ALTER TABLE edit DROP CONSTRAINT edit_item_fkey;
  ALTER TABLE edit RENAME COLUMN item TO item_id;
  ALTER TABLE item DROP CONSTRAINT item_pkey;
  ALTER TABLE item ADD PRIMARY KEY USING INDEX item_by_vendor;
  CREATE UNIQUE INDEX item_by_lane ON item (lane, id) WHERE NOT yields;
  ALTER TABLE edit ADD CONSTRAINT edit_item_fkey FOREIGN KEY (vendor, item_id) REFERENCES item (vendor, id);
  DROP INDEX edit_by_item;
  CREATE UNIQUE INDEX edit_by_item ON edit (vendor, item_id, stamp);
  DROP INDEX edit_live;
  CREATE INDEX edit_live ON edit (vendor, item_id, seq) WHERE state IN ('received', 'refused', 'conflict');
  `,
  'ALTER TABLE lane ADD COLUMN refusals text;',
  'CREATE INDEX item_unsure ON item (lane, id) WHERE unsure_until IS NOT NULL;',
  'CREATE INDEX item_doubt ON item (unsure_until) WHERE unsure_until IS NOT NULL;',
];

import type { ItemId } from '../../../../domain/item.js';
import type { EditState } from '../../../../domain/edit-state.js';
import { EDIT_COLUMNS, ITS_ITEM, LATE_UNTIL } from '../outbox-rows.js';
import type { Statement } from './postgres-connection.js';
import { headOf } from './postgres-line.js';
import { now } from './postgres-time.js';

/** An edit that is at the portal, perhaps, and all that decides what becomes of it and of its item. */
export interface OpenRow {
  readonly seq: number;
  readonly vendor: string;
  readonly item: ItemId;
  readonly state: EditState;
  readonly reason: string | null;
  readonly settled_at: number | null;
  readonly open_attempt: number;
  readonly opened_at: number;
  readonly plain: number | null;
  readonly unsure_until: number | null;
  readonly unsure_seq: number | null;
  readonly late_until: number | null;
  readonly again_at: number | null;
  /** The newest of any item of its vendor. */
  readonly revision: number;
  /** Its turn, should it come back. */
  readonly head: number;
  /** The next edit of the item that waits, and its turn. */
  readonly next: { readonly seq: number; readonly placed: boolean; readonly head: number } | null;
  /** The newest delivered edit of the item but this. */
  readonly said: { readonly seq: number; readonly placed: boolean } | null;
}

export interface HeldFacts<Row> {
  readonly fence: number | null;
  /** What time it is on the database's clock. */
  readonly clock: number;
  readonly rows: readonly Row[];
}

const held = (rows: string, time: string): string => `SELECT (SELECT fence FROM lane WHERE name = $1) AS fence,
  ${now(time)} AS clock,
  coalesce((SELECT json_agg(found ORDER BY found.seq) FROM (${rows}) AS found), '[]') AS rows`;

const newestRevision = `(SELECT own.revision FROM item AS own WHERE own.vendor = e.vendor
  ORDER BY own.revision DESC LIMIT 1) AS revision`;

const openRows = (
  which: string,
): string => `SELECT e.seq, e.vendor, e.item_id AS item, e.state, e.reason, e.settled_at, e.open_attempt,
    (SELECT opened_at FROM attempt WHERE id = e.open_attempt) AS opened_at, item.plain, item.unsure_until, item.unsure_seq, ${LATE_UNTIL}, item.again_at, ${newestRevision}, ${headOf('e')} AS head,
    (SELECT row_to_json(next) FROM (
      SELECT n.seq, n.due_at IS NOT NULL OR n.open_attempt IS NOT NULL AS placed, ${headOf('n')} AS head FROM edit AS n
      WHERE n.vendor = e.vendor AND n.item_id = e.item_id AND n.state = 'received' AND n.seq <> e.seq ORDER BY n.seq LIMIT 1) AS next) AS next,
    (SELECT row_to_json(said) FROM (
      SELECT d.seq, d.due_at IS NOT NULL OR d.open_attempt IS NOT NULL AS placed FROM edit AS d
      WHERE item.again_at IS NOT NULL AND d.vendor = e.vendor AND d.item_id = e.item_id AND d.state = 'delivered' AND d.seq <> e.seq
      ORDER BY d.stamp DESC LIMIT 1) AS said) AS said
  FROM edit AS e JOIN item ON ${ITS_ITEM} WHERE e.lane = $1 AND e.open_attempt IS NOT NULL ${which}`;

export const FIND_OPEN: Statement = { name: 'find_open', text: held(openRows('AND e.seq = ANY ($2::bigint[])'), '$3') };

export const FIND_LEFT_OPEN: Statement = { name: 'find_left_open', text: held(openRows(''), '$2') };

/** An edit that may leave, unless its item yields: in the middle of a move one does that nobody stands in the way of yet. */
export interface OpenableRow {
  readonly seq: number;
  readonly vendor: string;
  readonly id: ItemId;
  readonly state: EditState;
  readonly attempts: number;
  readonly open_attempt: number | null;
  readonly yields: boolean;
}

export const FIND_OPENABLE: Statement = {
  name: 'find_openable',
  text: held(
    `SELECT e.seq, e.vendor, e.item_id AS id, e.state, e.attempts, e.open_attempt,
      item.yields AND item.lane = e.lane AND EXISTS (
        SELECT 1 FROM item AS holder WHERE holder.lane = item.lane AND holder.id = item.id AND NOT holder.yields) AS yields
    FROM edit AS e JOIN item ON ${ITS_ITEM}
    WHERE e.lane = $1 AND e.seq = ANY ($2::bigint[]) AND (e.due_at IS NOT NULL OR e.open_attempt IS NOT NULL)`,
    '$3',
  ),
};

export const CLOSE: Statement = {
  name: 'close',
  text: 'UPDATE edit SET open_attempt = NULL WHERE seq = ANY ($1::bigint[])',
};

export const OPEN_ATTEMPT: Statement = {
  name: 'open_attempt',
  text: `WITH
    made AS (
      INSERT INTO attempt (lane, edits, still_open, opened_at)
      VALUES ($1, $2::bigint[], cardinality($2::bigint[]), $3) RETURNING id)
    UPDATE edit SET open_attempt = made.id, attempts = attempts + 1, due_at = NULL, turn = NULL
    FROM made WHERE seq = ANY ($2::bigint[])`,
};

export const RENEW_LEASE: Statement = {
  name: 'renew_lease',
  text: `UPDATE lane SET lease_until = ${now('$3')} + $2, leased_at = ${now('$3')} WHERE name = $1`,
};

/** An edit after its attempt, or one that takes another's place. */
export interface SettledRow {
  readonly seq: number;
  readonly state: EditState;
  readonly reason: string | null;
  readonly settled_at: number | null;
  readonly due_at: number | null;
  readonly turn: number | null;
}

export interface PlacedRow {
  readonly seq: number;
  readonly due_at: number;
  readonly turn: number | null;
}

export interface SettledItemRow {
  readonly vendor: string;
  readonly id: ItemId;
  readonly revision: number | null;
  readonly unsure_until: number | null;
  readonly unsure_seq: number | null;
  readonly again_at: number | null;
}

export interface EndedRow {
  readonly id: number;
  readonly delivered: number;
  readonly refused: number;
  readonly waiting: number;
  readonly unknown: number;
  readonly split: number;
}

const endings = (json: string): string => `UPDATE attempt SET delivered = attempt.delivered + e.delivered,
    refused = attempt.refused + e.refused, waiting = attempt.waiting + e.waiting, unknown = attempt.unknown + e.unknown,
    split = attempt.split + e.split, still_open = still_open - ended,
    closed_at = CASE WHEN still_open = ended THEN $1::bigint END
  FROM (
    SELECT *, delivered + refused + waiting + unknown + split AS ended FROM jsonb_to_recordset(${json}::jsonb)
      AS e(id bigint, delivered integer, refused integer, waiting integer, unknown integer, split integer)
  ) AS e WHERE attempt.id = e.id`;

export const END_ATTEMPTS: Statement = { name: 'end_attempts', text: endings('$2') };

/** Everything that the end of attempts changes, in one statement. */
export const SETTLE: Statement = {
  name: 'settle',
  text: `WITH
    settled AS (
      UPDATE edit SET state = s.state, reason = s.reason, settled_at = s.settled_at, due_at = s.due_at, turn = s.turn,
        open_attempt = NULL
      FROM jsonb_to_recordset($2::jsonb)
        AS s(seq bigint, state text, reason text, settled_at bigint, due_at bigint, turn bigint)
      WHERE edit.seq = s.seq),
    placed AS (
      UPDATE edit SET due_at = p.due_at, turn = p.turn
      FROM jsonb_to_recordset($3::jsonb) AS p(seq bigint, due_at bigint, turn bigint) WHERE edit.seq = p.seq),
    items AS (
      UPDATE item SET revision = coalesce(i.revision, item.revision), unsure_until = i.unsure_until,
        unsure_seq = i.unsure_seq, again_at = i.again_at
      FROM jsonb_to_recordset($4::jsonb)
        AS i(vendor text, id text, revision bigint, unsure_until bigint, unsure_seq bigint, again_at bigint)
      WHERE item.vendor = i.vendor AND item.id = i.id)
    ${endings('$5')}`,
};

export interface RefusedRow {
  readonly seq: number;
  readonly item: ItemId;
  readonly vendor: string;
  /** The newest of any item of its vendor. */
  readonly revision: number;
  /** The delivered edit of the item that is going to be said again. */
  readonly said: { readonly seq: number; readonly open: boolean } | null;
}

export const FIND_REFUSED: Statement = {
  name: 'find_refused',
  text: held(
    `SELECT e.seq, e.item_id AS item, e.vendor, ${newestRevision},
      (SELECT row_to_json(said) FROM (
        SELECT d.seq, d.open_attempt IS NOT NULL AS open FROM edit AS d
        WHERE item.again_at IS NOT NULL AND d.vendor = e.vendor AND d.item_id = e.item_id AND d.state = 'delivered' ORDER BY d.stamp DESC LIMIT 1
      ) AS said) AS said
    FROM edit AS e JOIN item ON ${ITS_ITEM}
    WHERE e.lane = $1 AND e.seq = ANY ($2::bigint[]) AND e.state = 'refused'`,
    '$3',
  ),
};

export const UNPARK: Statement = {
  name: 'unpark',
  text: `WITH
    back AS (SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS b(seq bigint, vendor text, item text, revision bigint, due_at bigint, turn bigint)),
    stood_back AS (UPDATE edit SET due_at = NULL, turn = NULL WHERE seq = ANY ($2::bigint[])),
    items AS (
      UPDATE item SET revision = back.revision FROM back WHERE item.vendor = back.vendor AND item.id = back.item)
    UPDATE edit SET state = 'received', reason = $3, settled_at = NULL, due_at = back.due_at, turn = back.turn
    FROM back WHERE edit.seq = back.seq`,
};

export const RELEASE: Statement = {
  name: 'release_lane',
  text: `UPDATE lane SET lease_until = coalesce(${now('$8')} + $7::bigint, 0),
      leased_at = CASE WHEN $7::bigint IS NULL THEN leased_at ELSE ${now('$8')} END,
      held = $3, failures = $4, not_before = $5, proven_by = $6, refusals = $9
    WHERE name = $1 AND fence = $2 RETURNING fence`,
};

export const NOTE: Statement = {
  name: 'note',
  text: `UPDATE lane SET refusals = coalesce($2, refusals), not_before = coalesce($3::bigint, not_before) WHERE name = $1`,
};

export const DUE: Statement = {
  name: 'due',
  text: `SELECT ${EDIT_COLUMNS}, item.unsure_seq, ${LATE_UNTIL} FROM edit AS e JOIN item ON ${ITS_ITEM}
    WHERE e.lane = $1 AND e.turn IS NOT NULL ORDER BY e.bulk, e.turn, e.seq LIMIT $2`,
};

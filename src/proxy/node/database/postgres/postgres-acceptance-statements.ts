import type { EditId } from '../../../../domain/edit.js';
import type { ItemId, Timestamp } from '../../../../domain/item.js';
import type { LiveRow } from '../live-row.js';
import { EDIT_COLUMNS, ITS_ITEM, type EditRow } from '../outbox-rows.js';
import type { Statement } from './postgres-connection.js';

/** All that has to be known to judge some batches, asked for at once. */
export interface AcceptanceFacts {
  readonly seq: number;
  readonly keys: readonly { readonly at: number; readonly digest: string; readonly edit_ids: readonly EditId[] }[];
  readonly edits: readonly EditRow[];
  /** Their vendors' own. */
  readonly items: readonly ItemFactsRow[];
  /** Where another vendor has the item in the lane: which of those asked for, from 0. */
  readonly foreign: readonly { readonly at: number; readonly vendor: string }[];
  /** Stamps that their item ever had. */
  readonly bases: readonly (readonly [vendor: string, item: ItemId, stamp: number])[];
  readonly lines: readonly LineRow[];
  readonly vendors: readonly VendorRow[];
}

export interface ItemFactsRow {
  readonly id: ItemId;
  readonly vendor: string;
  readonly last_stamp: number;
  readonly plain: number | null;
  /** Of the edit that `plain` names. */
  readonly available: boolean | null;
  readonly stamp: number | null;
  readonly subject: string | null;
  readonly clicked_at: Timestamp | null;
  readonly live: readonly LiveRow[] | null;
  /** The delivered edit that is going to be said again. */
  readonly said: { readonly seq: number; readonly open_attempt: number | null } | null;
}

export interface LineRow {
  readonly lane: string;
  readonly bulk: boolean;
  readonly vendor: string;
  readonly head: number | null;
  readonly last: number | null;
}

/** The last number of its edits, and the newest revision of its items. */
export interface VendorRow {
  readonly vendor: string;
  readonly number: number | null;
  readonly revision: number | null;
}

const asArray = (query: string): string => `coalesce((SELECT json_agg(found) FROM (${query}) AS found), '[]')`;

export const FIND_FACTS: Statement = {
  name: 'find_facts',
  text: `SELECT seq,
    ${asArray(`SELECT wanted.at::integer - 1 AS at, digest, edit_ids
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS wanted(vendor, subject, key, at)
      JOIN idempotency USING (vendor, subject, key)`)} AS keys,
    ${asArray(`SELECT ${EDIT_COLUMNS}
      FROM unnest($4::text[], $5::text[]) AS wanted(vendor, edit_id)
      JOIN edit AS e USING (edit_id, vendor) JOIN item ON ${ITS_ITEM}`)} AS edits,
    ${asArray(`SELECT item.id, item.vendor, item.last_stamp, item.plain, plain.available, plain.stamp, plain.subject, plain.clicked_at,
        (SELECT json_agg(live ORDER BY live.seq) FROM (
          SELECT seq, state, attempts, open_attempt FROM edit
          WHERE edit.vendor = item.vendor AND edit.item_id = item.id
            AND state IN ('received', 'refused', 'conflict')) AS live) AS live,
        (SELECT row_to_json(said) FROM (
          SELECT seq, open_attempt FROM edit
          WHERE item.again_at IS NOT NULL AND edit.vendor = item.vendor AND edit.item_id = item.id AND state = 'delivered'
          ORDER BY stamp DESC LIMIT 1) AS said) AS said
      FROM unnest($4::text[], $6::text[]) AS wanted(vendor, id) JOIN item USING (vendor, id)
        LEFT JOIN edit AS plain ON plain.seq = item.plain`)} AS items,
    ${asArray(`SELECT wanted.at::integer - 1 AS at, item.vendor
      FROM unnest($4::text[], $6::text[], $7::text[]) WITH ORDINALITY AS wanted(vendor, id, lane, at)
        JOIN item ON item.lane = wanted.lane AND item.id = wanted.id AND NOT item.yields
      WHERE item.vendor <> wanted.vendor`)} AS foreign,
    coalesce((SELECT json_agg(json_build_array(wanted.vendor, wanted.item_id, wanted.stamp))
      FROM unnest($8::text[], $9::text[], $10::bigint[]) AS wanted(vendor, item_id, stamp)
        JOIN edit USING (vendor, item_id, stamp)), '[]') AS bases,
    ${asArray(`SELECT lane, bulk, vendor,
        (SELECT turn FROM edit WHERE edit.lane = wanted.lane AND edit.bulk = wanted.bulk AND turn IS NOT NULL
         ORDER BY turn LIMIT 1) AS head,
        (SELECT turn FROM edit WHERE edit.lane = wanted.lane AND edit.bulk = wanted.bulk
           AND edit.vendor = wanted.vendor AND turn IS NOT NULL ORDER BY turn DESC LIMIT 1) AS last
      FROM unnest($11::text[], $12::boolean[], $13::text[]) AS wanted(lane, bulk, vendor)`)} AS lines,
    ${asArray(`SELECT vendor,
        (SELECT number FROM edit WHERE edit.vendor = wanted.vendor ORDER BY number DESC LIMIT 1) AS number,
        (SELECT revision FROM item WHERE item.vendor = wanted.vendor ORDER BY revision DESC LIMIT 1) AS revision
      FROM (SELECT DISTINCT unnest($13::text[]) AS vendor) AS wanted`)} AS vendors
    FROM book`,
};

export interface NewItemRow {
  readonly id: ItemId;
  readonly vendor: string;
  readonly lane: string;
  /** Where it is new. */
  readonly since: number;
  readonly label: string | null;
  readonly last_stamp: number;
  readonly revision: number;
  readonly shown: number;
  readonly plain: number | null;
}

export interface NewEditRow {
  readonly seq: number;
  readonly number: number;
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly edit_id: EditId;
  readonly item: ItemId;
  readonly lane: string;
  readonly bulk: boolean;
  readonly available: boolean;
  readonly was: boolean | null;
  readonly clicked_at: Timestamp;
  readonly base: string | null;
  readonly stamp: number;
  readonly accepted_at: number;
  readonly retry_of: EditId | null;
  readonly state: 'received' | 'conflict';
  readonly reason: string | null;
  readonly due_at: number | null;
  readonly turn: number | null;
}

export interface NewKeyRow {
  readonly vendor: string;
  readonly subject: string;
  readonly key: string;
  readonly digest: string;
  readonly edit_ids: readonly EditId[];
  readonly accepted_at: number;
}

/** Everything that acceptance writes, in one statement. */
export const WRITE_EDITS: Statement = {
  name: 'write_edits',
  text: `WITH
    numbers AS (UPDATE book SET seq = $1),
    lanes AS (INSERT INTO lane (name) SELECT DISTINCT unnest($2::text[]) ON CONFLICT DO NOTHING),
    superseded AS (
      UPDATE edit SET state = 'superseded', settled_at = gone.at, due_at = NULL, turn = NULL
      FROM unnest($3::bigint[], $4::bigint[]) AS gone(seq, at) WHERE edit.seq = gone.seq),
    stood_back AS (UPDATE edit SET due_at = NULL, turn = NULL WHERE seq = ANY ($5::bigint[])),
    items AS (
      INSERT INTO item (id, vendor, lane, since, label, last_stamp, revision, shown, plain)
      SELECT id, vendor, lane, since, label, last_stamp, revision, shown, plain FROM jsonb_to_recordset($6::jsonb)
        AS new(id text, vendor text, lane text, since bigint, label text, last_stamp bigint, revision bigint, shown bigint,
          plain bigint)
      ON CONFLICT (vendor, id) DO UPDATE SET lane = excluded.lane, yields = false, label = coalesce(excluded.label, item.label), last_stamp = excluded.last_stamp,
        revision = excluded.revision, shown = excluded.shown, plain = excluded.plain),
    keys AS (
      INSERT INTO idempotency (vendor, subject, key, digest, edit_ids, accepted_at)
      SELECT vendor, subject, key, digest, ARRAY(SELECT jsonb_array_elements_text(edit_ids)), accepted_at
      FROM jsonb_to_recordset($8::jsonb)
        AS new(vendor text, subject text, key text, digest text, edit_ids jsonb, accepted_at bigint))
    INSERT INTO edit (seq, number, vendor, subject, name, edit_id, item_id, lane, bulk, available, was, clicked_at, base, stamp,
      accepted_at, retry_of, state, reason, due_at, turn)
    SELECT seq, number, vendor, subject, name, edit_id, item, lane, bulk, available, was, clicked_at, base, stamp,
      accepted_at, retry_of, state, reason, due_at, turn
    FROM jsonb_to_recordset($7::jsonb) AS new(seq bigint, number bigint, vendor text, subject text, name text,
      edit_id text, item text, lane text, bulk boolean, available boolean, was boolean, clicked_at text, base text, stamp bigint,
      accepted_at bigint, retry_of text, state text, reason text, due_at bigint, turn bigint)`,
};

const edit = `SELECT ${EDIT_COLUMNS} FROM edit AS e JOIN item ON ${ITS_ITEM}`;

export const FIND_EDITS: Statement = {
  name: 'find_edits',
  text: `${edit} WHERE e.edit_id = ANY ($2::text[]) AND e.vendor = $1`,
};

/**
 * A write, so that the commit waits for the standby as any other. One that was waiting for it when the server went is seen
 * after the restart, though the standby may not have it; a transaction that only reads it would wait for nobody.
 */
export const HOLD_FOR_STANDBY: Statement = {
  name: 'hold_for_standby',
  text: `SELECT pg_logical_emit_message(true, 'vendor_inventory', '')`,
};

export const FIND_ANY_EDIT: Statement = { name: 'find_any_edit', text: `${edit} WHERE e.edit_id = $1` };

export const NOTE_DECISION: Statement = {
  name: 'note_decision',
  text: 'UPDATE edit SET decided_by = $2 WHERE seq = $1',
};

export const DISCARD: Statement = {
  name: 'discard',
  text: `UPDATE edit SET state = 'discarded', decided_by = $2, settled_at = $3, due_at = NULL, turn = NULL WHERE seq = $1`,
};

/**
 * The delivered value of the item, where the portal may have another value instead: that of the discarded edit, or of one that
 * the discarded edit repeats or was to replace. A discarded repeat that the portal rejected is not repeated again.
 */
export const FIND_STANDING: Statement = {
  name: 'find_standing',
  text: `${edit} WHERE item.vendor = $1 AND item.id = $2 AND e.seq = item.plain AND e.state = 'delivered'
    AND e.edit_id IS DISTINCT FROM (SELECT retry_of FROM edit WHERE seq = $3 AND attempts > 0)
    AND EXISTS (SELECT 1 FROM edit AS doubtful WHERE doubtful.vendor = item.vendor AND doubtful.item_id = item.id
      AND doubtful.stamp > e.stamp AND doubtful.attempts > 1 AND doubtful.seq >= item.unsure_seq
      AND doubtful.available <> e.available)`,
};

/** After one of its edits has ceased to count. */
export const REVIEW_ITEM: Statement = {
  name: 'review_item',
  text: `UPDATE item SET
      revision = 1 + (SELECT own.revision FROM item AS own WHERE own.vendor = item.vendor
                      ORDER BY own.revision DESC LIMIT 1),
      shown = (SELECT seq FROM edit WHERE edit.vendor = item.vendor AND edit.item_id = item.id AND state NOT IN ('superseded', 'discarded')
               ORDER BY stamp DESC LIMIT 1),
      plain = (SELECT seq FROM edit WHERE edit.vendor = item.vendor AND edit.item_id = item.id
                 AND state NOT IN ('superseded', 'discarded', 'conflict') ORDER BY stamp DESC LIMIT 1)
    WHERE vendor = $1 AND id = $2`,
};

/** In which lane an item is. */
export const FIND_LANE: Statement = { name: 'find_lane', text: 'SELECT lane FROM item WHERE vendor = $1 AND id = $2' };

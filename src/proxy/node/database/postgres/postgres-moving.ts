import type { LanePlace } from '../lane-places.js';
import { ITS_ITEM, unchanged, type Written } from '../outbox-rows.js';
import { storable, type Queries, type Statement } from './postgres-connection.js';

const WAITING: Statement = {
  name: 'waiting_places',
  text: `SELECT seq, vendor, lane FROM edit
    WHERE state = 'received' AND open_attempt IS NULL AND seq > $1 ORDER BY seq LIMIT $2`,
};

const SAID_AGAIN: Statement = {
  name: 'said_again_places',
  text: `SELECT e.seq, e.vendor, e.lane FROM item JOIN edit AS e ON ${ITS_ITEM}
    WHERE item.again_at IS NOT NULL AND e.state = 'delivered' AND e.due_at IS NOT NULL`,
};

/**
 * Out of the line: an edit gets its turn in the other one when that is leased. It goes where its item is, and only where that
 * yields to no other: one that came, or came back from the portal, after the items were moved stays, and is sorted out when its
 * old lane is leased.
 */
const MOVE: Statement = {
  name: 'move_places',
  text: `WITH lanes AS (INSERT INTO lane (name) SELECT DISTINCT unnest($2::text[]) ON CONFLICT DO NOTHING)
    UPDATE edit SET lane = place.lane, turn = NULL FROM unnest($1::bigint[], $2::text[]) AS place(seq, lane)
    WHERE edit.seq = place.seq AND open_attempt IS NULL AND (state = 'received' OR due_at IS NOT NULL)
      AND EXISTS (SELECT 1 FROM item
        WHERE item.vendor = edit.vendor AND item.id = edit.item_id AND item.lane = place.lane AND NOT item.yields)`,
};

/** From one lane into another, as `sqlite-moving.ts` does; items go first (`postgres-moving-items.ts`). */
export function waitingPlaces(queries: Queries, after: number, most: number): Promise<LanePlace[]> {
  return queries.query(WAITING, after, most);
}

export function saidAgainPlaces(queries: Queries): Promise<LanePlace[]> {
  return queries.query(SAID_AGAIN);
}

export async function movePlaces(transaction: Queries, places: readonly LanePlace[]): Promise<Written<void>> {
  const seqs = places.map(({ seq }) => seq);
  await transaction.query(
    MOVE,
    seqs,
    places.map(({ lane }) => storable(lane)),
  );
  return unchanged(undefined);
}

import type { LaneOf, OwnedItem } from '../../../outbox/outbox.js';
import type { ItemPlace } from '../lane-places.js';
import { unchanged, type Written } from '../outbox-rows.js';
import { storable, type Queries, type Statement } from './postgres-connection.js';

/** Walks through all items; more is asked only where settings have changed. */
const LANES_OF_ITEMS: Statement = {
  name: 'lanes_of_items',
  text: 'SELECT vendor, lane, bool_or(yields) AS yields FROM item GROUP BY vendor, lane',
};

const STRAY_ITEMS: Statement = {
  name: 'stray_items',
  text: `SELECT item.vendor, item.id, wanted.lane, item.since
    FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted(vendor, from_lane, lane)
    JOIN item ON item.vendor = wanted.vendor AND item.lane = wanted.from_lane
    WHERE item.lane <> wanted.lane OR item.yields`,
};

const places = 'unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS place(vendor, id, lane, at)';

const LEAVE: Statement = {
  name: 'leave_lane',
  text: `UPDATE item SET lane = place.lane, yields = true FROM ${places}
    WHERE item.vendor = place.vendor AND item.id = place.id AND item.lane <> place.lane`,
};

/** The first of those that come in with one id, unless another is there already. */
const ENTER: Statement = {
  name: 'enter_lane',
  text: `UPDATE item SET yields = false
    FROM (
      SELECT DISTINCT ON (place.lane, place.id) place.vendor, place.id, place.lane
      FROM ${places} JOIN item USING (vendor, id, lane) WHERE item.yields ORDER BY place.lane, place.id, place.at
    ) AS first
    WHERE item.vendor = first.vendor AND item.id = first.id
      AND NOT EXISTS (
        SELECT 1 FROM item AS holder WHERE holder.lane = first.lane AND holder.id = first.id AND NOT holder.yields)`,
};

const GIVE_UP: Statement = {
  name: 'give_up_items',
  text: `UPDATE item SET yields = true FROM ${places}
    WHERE item.lane = place.lane AND item.id = place.id AND NOT item.yields AND item.vendor <> place.vendor
    RETURNING item.vendor, item.id, item.lane`,
};

/** Of what was replaced meanwhile nobody has to decide any more. */
const REFUSE: Statement = {
  name: 'refuse_yielding',
  text: `WITH
    yielding AS (
      SELECT item.vendor, item.id, item.plain, item.again_at FROM ${places} JOIN item USING (vendor, id, lane)
      WHERE item.yields),
    again AS (
      UPDATE item SET again_at = NULL FROM yielding
      WHERE item.vendor = yielding.vendor AND item.id = yielding.id AND yielding.again_at IS NOT NULL),
    said AS (
      UPDATE edit SET due_at = NULL, turn = NULL FROM yielding
      WHERE edit.vendor = yielding.vendor AND edit.item_id = yielding.id AND edit.state = 'delivered'
        AND edit.due_at IS NOT NULL)
    UPDATE edit SET state = CASE WHEN edit.seq = yielding.plain THEN 'refused' ELSE 'superseded' END,
      reason = 'item_unknown', settled_at = $4, due_at = NULL, turn = NULL
    FROM yielding
    WHERE edit.vendor = yielding.vendor AND edit.item_id = yielding.id AND edit.state = 'received'
      AND edit.open_attempt IS NULL
    RETURNING edit.vendor, edit.item_id AS item`,
};

/** To each the next revision of its vendor. */
const TOUCH: Statement = {
  name: 'touch_items',
  text: `UPDATE item SET revision = next.revision
    FROM (
      SELECT vendor, id, row_number() OVER (PARTITION BY vendor ORDER BY at) + (
          SELECT own.revision FROM item AS own WHERE own.vendor = touched.vendor ORDER BY own.revision DESC LIMIT 1
        ) AS revision
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS touched(vendor, id, at)) AS next
    WHERE item.vendor = next.vendor AND item.id = next.id`,
};

/** Items from one lane into another: what happens to them is told in `lane-places.ts`. */
export async function strayItems(queries: Queries, laneOf: LaneOf): Promise<ItemPlace[]> {
  const found = await queries.query<{ vendor: string; lane: string; yields: boolean }>(LANES_OF_ITEMS);
  const strays = found
    .map((from) => ({ ...from, to: storable(laneOf(from.vendor)) }))
    .filter(({ lane, yields, to }) => yields || to !== lane);
  if (strays.length === 0) return [];
  return queries.query(
    STRAY_ITEMS,
    strays.map(({ vendor }) => vendor),
    strays.map(({ lane }) => lane),
    strays.map(({ to }) => to),
  );
}

export async function leaveLanes(transaction: Queries, items: readonly ItemPlace[]): Promise<Written<void>> {
  await transaction.query(LEAVE, ...columnsOf(items));
  return unchanged(undefined);
}

export async function enterLanes(
  transaction: Queries,
  items: readonly ItemPlace[],
  now: number,
): Promise<Written<void>> {
  await transaction.query(ENTER, ...columnsOf(items));
  return { answer: undefined, changed: await refuseYielding(transaction, items, now) };
}

export async function giveItems(
  transaction: Queries,
  { lane, items }: { readonly lane: string; readonly items: readonly OwnedItem[] },
  now: number,
): Promise<Written<void>> {
  const owned = items.map(({ id, vendor }) => ({ id, vendor: storable(vendor), lane: storable(lane) }));
  const holders = await transaction.query<Omit<ItemPlace, 'since'>>(GIVE_UP, ...columnsOf(owned));
  const others = items.flatMap(({ id, vendor, from = vendor }) =>
    from === vendor ? [] : { id, vendor: storable(from), lane: storable(lane) },
  );
  return { answer: undefined, changed: await refuseYielding(transaction, [...holders, ...others], now) };
}

/** Of those that yield: nothing leaves, and what waits is refused. @returns the vendors of whom something was */
export async function refuseYielding(
  transaction: Queries,
  items: readonly Omit<ItemPlace, 'since'>[],
  now: number,
): Promise<Set<string>> {
  const refused = await transaction.query<{ vendor: string; item: string }>(REFUSE, ...columnsOf(items), now);
  const touched = [...new Map(refused.map((row) => [JSON.stringify(row), row])).values()];
  if (touched.length > 0) {
    await transaction.query(
      TOUCH,
      touched.map(({ vendor }) => vendor),
      touched.map(({ item }) => item),
    );
  }
  return new Set(touched.map(({ vendor }) => vendor));
}

function columnsOf(items: readonly Omit<ItemPlace, 'since'>[]): [vendors: string[], ids: string[], lanes: string[]] {
  return [items.map(({ vendor }) => vendor), items.map(({ id }) => id), items.map(({ lane }) => lane)];
}

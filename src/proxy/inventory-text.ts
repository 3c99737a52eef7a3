import type { EditBatch } from '../contract/widget.js';

type Edits = EditBatch['inventory'];

/** The edits of a batch, and their JSON, each field at its place. */
export interface AskedEdits {
  readonly inventory: Edits;
  readonly text: string;
}

const BEFORE = '{"inventory":';

/**
 * The edits of a batch and their JSON, whatever the order that their fields came in: a digest must not depend on it.
 *
 * Mostly the JSON stands in the body as it is, and neither the edits are copied nor their JSON is written again, which
 * would take longer than reading it did.
 *
 * @param body that was parsed, checked and found good
 */
export function askedFor(body: string, batch: EditBatch): AskedEdits {
  const { inventory } = batch;
  if (isWrittenAsUsual(body, batch)) {
    return { inventory, text: body.slice(BEFORE.length, body.length - lengthBehind(batch)) };
  }
  const ordered = inventory.map(inFieldOrder);
  return { inventory: ordered, text: JSON.stringify(ordered) };
}

/**
 * Whether a body is what `JSON.stringify` writes of its batch, each field at its place.
 *
 * No JSON of these edits is shorter than that: a space, an escape or a field that is said twice makes it longer. So a body
 * of just that length that begins with the inventory has all of it as it would be written, if only the fields are in their
 * order. A test holds the two together.
 */
function isWrittenAsUsual(body: string, batch: EditBatch): boolean {
  const length = shortestLength(batch.inventory);
  return (
    length !== undefined && body.length === BEFORE.length + length + lengthBehind(batch) && body.startsWith(BEFORE)
  );
}

/** Of what stands behind the inventory. */
function lengthBehind({ sent_at }: EditBatch): number {
  return sent_at === undefined ? '}'.length : ',"sent_at":""}'.length + sent_at.length;
}

function inFieldOrder({ id, available, updated_at, base, edit_id, label }: Edits[number]): Edits[number] {
  return { id, available, updated_at, base, edit_id, label };
}

/** Of JSON of these edits; `undefined` where fields of one are not in their order. */
function shortestLength(inventory: Edits): number | undefined {
  // Two brackets, and a comma between two.
  let length = 1 + inventory.length;
  for (const edit of inventory) {
    if (!isInFieldOrder(edit)) return undefined;
    const { id, available, updated_at, base, edit_id, label } = edit;
    length += (available ? OF_TRUE : OF_FALSE) + id.length + updated_at.length;
    if (base !== undefined) length += '"base":"",'.length + base.length;
    if (edit_id !== undefined) length += '"edit_id":"",'.length + edit_id.length;
    if (label !== undefined) length += '"label":"",'.length + label.length;
  }
  return length;
}

const OF_TRUE = '{"id":"","available":true,"updated_at":""}'.length;
const OF_FALSE = '{"id":"","available":false,"updated_at":""}'.length;

const PLACES: Readonly<Record<string, number>> = { id: 1, available: 2, updated_at: 3, base: 4, edit_id: 5, label: 6 };

function isInFieldOrder(edit: Edits[number]): boolean {
  let last = 0;
  for (const field in edit) {
    const place = PLACES[field] ?? 0;
    if (place <= last) return false;
    last = place;
  }
  return true;
}

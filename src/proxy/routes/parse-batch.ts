import { fieldErrors } from '../../contract/validation-errors.js';
import { editBatch, type EditBatch } from '../../contract/widget.js';
import type { ItemId, Timestamp } from '../../domain/item.js';
import type { AcceptedEdit } from '../outbox/accepted-edit.js';
import { Refusal } from '../http/problem-response.js';
import { textOf } from '../runtime/read-body.js';
import { isEditBatch, isPlainJson } from '../edit-batch-check.js';
import { newEditId } from './edit-id.js';
import { askedFor } from '../inventory-text.js';
import { readWrittenBatch } from '../read-written-batch.js';
import type { WrittenBatch } from '../written-batch.js';

/** A batch as it was asked for. */
export interface AskedBatch {
  readonly count: number;
  edits(): readonly AcceptedEdit[];
  /** Of the items, edit by edit. */
  ids(): readonly ItemId[];
  /** What a digest is made of: JSON of the inventory, or its bytes. */
  readonly text: string | Uint8Array;
  readonly sentAt: Timestamp | undefined;
  /** The same, where it is long and the page wrote it: most such batches need nothing else. */
  readonly written?: WrittenBatch;
}

/** From so many bytes on, which some sixty edits take, objects cost more than looking at each byte. */
const LONG = 8 * 1024;

/**
 * @param body of a request
 * @param long bytes from which on a body is read as one that the page wrote, if it is
 * @throws {Refusal} where it is no JSON, no batch, or too many
 */
export function parseBatch(body: Uint8Array<ArrayBuffer>, maxEdits: number, long = LONG): AskedBatch {
  const written = body.length < long ? undefined : readWrittenBatch(body, maxEdits);
  if (written !== undefined) return written;
  let text: string;
  let json: unknown;
  try {
    text = textOf(body);
    json = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
  // Counted before the schema looks at each edit: a caller learns the limit, not a thousand details.
  if (editsOf(json) > maxEdits) throw new Refusal('too_many_edits');
  const batch = checked(json, isPlainJson(text, body.length));
  const asked = askedFor(text, batch);
  const edits = named(asked.inventory);
  return {
    count: edits.length,
    edits: () => edits,
    ids: () => edits.map(({ id }) => id),
    text: asked.text,
    sentAt: batch.sent_at,
  };
}

/** A page names its edits, and a copy of a thousand takes longer than their digest. */
function named(inventory: EditBatch['inventory']): readonly AcceptedEdit[] {
  if (inventory.every(hasId)) return inventory;
  return inventory.map((edit) => ({ ...edit, edit_id: edit.edit_id ?? newEditId() }));
}

function hasId(edit: EditBatch['inventory'][number]): edit is AcceptedEdit {
  return edit.edit_id !== undefined;
}

function checked(json: unknown, isPlain: boolean): EditBatch {
  // A tenth of the time of the schema, which is asked for the words of a refusal.
  if (isEditBatch(json, isPlain)) return json;
  const batch = editBatch.safeParse(json);
  if (batch.success) return batch.data;
  throw new Refusal('invalid_body', fieldErrors(batch.error));
}

function editsOf(json: unknown): number {
  const inventory = typeof json === 'object' && json !== null && 'inventory' in json ? json.inventory : undefined;
  return Array.isArray(inventory) ? inventory.length : 0;
}

import { timestamp } from '../contract/fields.js';
import type { EditBatch } from '../contract/widget.js';
import { isEditId } from '../domain/edit.js';
import { isItemId } from '../domain/item.js';

/**
 * Says of a parsed body what the schema `editBatch` says, by hand and without a word on what is wrong. A test holds the
 * two together. It stays out of `contract`: the page sends batches, and has nobody's to check.
 */
export function isEditBatch(body: unknown): body is EditBatch {
  if (!isRecord(body)) return false;
  for (const field in body) if (field !== 'inventory' && field !== 'sent_at') return false;
  const { inventory, sent_at } = body;
  if (!Array.isArray(inventory) || inventory.length === 0) return false;
  if (sent_at !== undefined && !isTimestamp(sent_at)) return false;
  return inventory.every(isEdit);
}

function isEdit(edit: unknown): boolean {
  if (!isRecord(edit)) return false;
  for (const field in edit) if (!isField(field)) return false;
  const { id, available, updated_at, base, edit_id, label } = edit;
  return (
    typeof available === 'boolean' &&
    (isPlain(id) || isItemId(id)) &&
    isTimestamp(updated_at) &&
    (base === undefined || isTimestamp(base)) &&
    (edit_id === undefined || isEditId(edit_id)) &&
    (label === undefined || (typeof label === 'string' && label.length <= MOST_LABEL))
  );
}

const MOST_LABEL = 500;

function isField(name: string): boolean {
  switch (name) {
    case 'id':
    case 'available':
    case 'updated_at':
    case 'base':
    case 'edit_id':
    case 'label':
      return true;
    default:
      return false;
  }
}

/** What nearly every id is: 1 to 200 visible ASCII characters. Another one may be an id as well. */
const PLAIN = /^[\x20-\x7e]{1,200}$/;

function isPlain(id: unknown): boolean {
  return typeof id === 'string' && PLAIN.test(id);
}

/** As `toISOString` writes them, on a day that every month has. Another text may be a time as well: the schema knows. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && (USUAL.test(value) || timestamp.safeParse(value).success);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

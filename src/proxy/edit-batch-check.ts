import { timestamp } from '../contract/fields.js';
import { MAX_LABEL_LENGTH } from '../contract/limits.js';
import type { EditBatch } from '../contract/widget.js';
import { MAX_EDIT_ID_LENGTH } from '../domain/edit.js';
import { isItemId, MAX_ITEM_ID_LENGTH } from '../domain/item.js';

/**
 * Whether each string in this JSON has visible ASCII characters alone, as most have, in a fraction of the time of looking at
 * each: nothing but an escape makes another one of ASCII, or a delete, the one control that JSON lets pass as it is (RFC
 * 8259 section 7).
 *
 * @param text of which `JSON.parse` has made something, or will
 * @param bytes that it takes in UTF-8: any other character takes more than it counts for in a text
 */
export function isPlainJson(text: string, bytes: number): boolean {
  return text.length === bytes && !text.includes('\\') && !text.includes('\x7f');
}

/**
 * Says of a parsed body what the schema `editBatch` says, by hand and without a word on what is wrong. A test holds the
 * two together. It stays out of `contract`: the page sends batches, and has nobody's to check.
 *
 * @param isPlain what `isPlainJson` says of its text
 */
export function isEditBatch(body: unknown, isPlain = false): body is EditBatch {
  if (!isRecord(body)) return false;
  for (const field in body) if (field !== 'inventory' && field !== 'sent_at') return false;
  const { inventory, sent_at } = body;
  if (!Array.isArray(inventory) || inventory.length === 0) return false;
  if (sent_at !== undefined && !isTimestamp(sent_at)) return false;
  for (const edit of inventory as unknown[]) if (!isEdit(edit, isPlain)) return false;
  return true;
}

function isEdit(edit: unknown, isPlain: boolean): boolean {
  // A list has fields of other names, or none.
  if (typeof edit !== 'object' || edit === null) return false;
  for (const field in edit) if (!isField(field)) return false;
  const { id, available, updated_at, base, edit_id, label } = edit as Record<string, unknown>;
  return (
    typeof available === 'boolean' &&
    (isUsualId(id, isPlain) || isItemId(id)) &&
    isTimestamp(updated_at) &&
    (base === undefined || isTimestamp(base)) &&
    (edit_id === undefined || isEditId(edit_id)) &&
    (label === undefined || (typeof label === 'string' && label.length <= MAX_LABEL_LENGTH))
  );
}

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

// Each looks for the first character that does not belong: that takes half the time of matching all of them.
const UNUSUAL = /[^ -~]/;
const NOT_IN_EDIT_ID = /[^A-Za-z0-9._-]/;

/** What nearly every id is: 1 to 200 visible ASCII characters. Another one may be an id as well. */
function isUsualId(id: unknown, isPlain: boolean): boolean {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ITEM_ID_LENGTH && (isPlain || !UNUSUAL.test(id));
}

function isEditId(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id.length <= MAX_EDIT_ID_LENGTH && !NOT_IN_EDIT_ID.test(id);
}

/** As `toISOString` writes them, on a day that every month has. Another text may be a time as well: the schema knows. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** The last that was found good: who changes many items at once has clicked once. */
let known = '';

function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (value === known) return true;
  if (!USUAL.test(value)) return timestamp.safeParse(value).success;
  known = value;
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { fieldErrors } from '../../contract/validation-errors.js';
import { editBatch, type EditBatch } from '../../contract/widget.js';
import type { AcceptedEdit } from '../outbox/accepted-edit.js';
import { Refusal } from '../http/problem-response.js';
import { textOf } from '../runtime/read-body.js';
import { newEditId } from './edit-id.js';

/** A batch that a request contains. */
export interface ParsedBatch {
  readonly edits: readonly AcceptedEdit[];
  /** JSON of the edits as the request has them, each field at a fixed place. The digest of the batch is made of it. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number | undefined;
}

/**
 * @param body of a request
 * @throws {Refusal} when the body is not JSON, does not match the schema, or has more than `maxEdits` edits
 */
export function parseBatch(body: Uint8Array<ArrayBuffer>, maxEdits: number): ParsedBatch {
  const json = parseJson(body);
  // The limit comes first: the caller learns the limit instead of a thousand field errors.
  if (countEdits(json) > maxEdits) throw new Refusal('too_many_edits');
  const batch = editBatch.safeParse(json);
  if (!batch.success) throw new Refusal('invalid_body', fieldErrors(batch.error));
  const { inventory, sent_at } = batch.data;
  return {
    edits: inventory.map((edit) => ({ ...edit, edit_id: edit.edit_id ?? newEditId() })),
    text: JSON.stringify(inventory.map(inFieldOrder)),
    sentAt: sent_at === undefined ? undefined : Date.parse(sent_at),
  };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(body));
  } catch {
    throw new Refusal('invalid_json');
  }
}

/** The order is part of the stored digests: it must not change. */
function inFieldOrder({ id, available, updated_at, base, edit_id, label }: EditBatch['inventory'][number]): object {
  return { id, available, updated_at, base, edit_id, label };
}

function countEdits(json: unknown): number {
  const inventory = typeof json === 'object' && json !== null && 'inventory' in json ? json.inventory : undefined;
  return Array.isArray(inventory) ? inventory.length : 0;
}

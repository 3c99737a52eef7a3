import { isEditId } from '../domain/edit.js';
import { isItemId, isTimestamp } from '../domain/item.js';
import { EDIT_STATES, type EditState } from '../domain/truth.js';
import { count, expect, flag, list, object, optional, text } from './checks.js';
import { MAX_TOKEN_LENGTH } from './limits.js';
import type { Listing, OtherValue, Receipt, Session } from './widget.js';

export const itemId = expect<Receipt['id']>('1 to 200 characters without control characters', isItemId);
const editId = expect<Receipt['edit_id']>('edit id', isEditId);
export const time = expect<Receipt['updated_at']>('ISO 8601 UTC time', isTimestamp);
const state = expect<EditState>('state of an edit', (value) => EDIT_STATES.includes(value as EditState));

const otherValue = optional(object<OtherValue>({ available: flag, updated_at: time, by: optional(text) }));
const fate = {
  delayed: optional(flag),
  reason: optional(text),
  settled_at: optional(time),
  by: optional(text),
  clicked_at: optional(time),
  base: otherValue,
  theirs: otherValue,
};

export const receiptsCheck = object<{ receipts: Receipt[] }>({
  receipts: list(
    object<Receipt>({
      edit_id: editId,
      id: itemId,
      seq: count,
      state,
      updated_at: time,
      ...fate,
    }),
  ),
});

export const listingCheck = object<Listing>({
  inventory: list(
    object<Listing['inventory'][number]>({
      id: itemId,
      available: optional(flag),
      updated_at: optional(time),
      label: optional(text),
      group: optional(text),
      state: optional(state),
      edit_id: optional(editId),
      ...fate,
    }),
  ),
  revision: optional(count),
  next: optional(text),
});

export const sessionCheck = object<Session>({
  vendor: text,
  subject: text,
  name: optional(text),
  permissions: list(text),
  items: optional(list(text)),
  limits: object<Session['limits']>({ max_edits: count, max_body_bytes: count }),
  server_time: time,
  expires_at: time,
  version: text,
});

export const sessionTokenCheck = object<{ token: string }>({
  token: expect('token', (value) => typeof value === 'string' && value !== '' && value.length <= MAX_TOKEN_LENGTH),
});

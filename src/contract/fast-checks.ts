import { isEditId } from '../domain/edit.js';
import { isItemId, isTimestamp } from '../domain/item.js';
import { EDIT_STATES, type EditState } from '../domain/truth.js';
import type { CheckedHostItem } from './host-items.js';
import { MAX_IMAGE_URL_LENGTH, MAX_LABEL_LENGTH, MAX_TOKEN_LENGTH } from './limits.js';
import type { Problem } from './problem.js';
import type { Listing, OtherValue, Receipt, Session } from './widget.js';

/**
 * The checks of what reaches the page, at a tenth of the schemas' weight and time: a page of 100,000 items is checked while
 * a person waits. The schemas say what is right, and a property test proves that these say the same.
 *
 * Like the schemas of answers they are lenient: a page may be older than its proxy, so an unknown field is no mistake.
 */
export type Check<T> = ((value: unknown) => Fault | undefined) & { readonly accepts?: T };

/** Where (RFC 6901 pointer), and what is expected there; never what stands there. */
export type Fault = `${string}: expected ${string}`;

export function accepts<T>(check: Check<T>, value: unknown): value is T {
  return check(value) === undefined;
}

function expect<T>(what: string, is: (value: unknown) => boolean): Check<T> {
  return (value) => (is(value) ? undefined : `: expected ${what}`);
}

function object<T extends object>(fields: { readonly [Key in keyof T]-?: Check<T[Key]> }): Check<T> {
  const checks = Object.entries<Check<unknown>>(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ': expected object';
    for (const [name, check] of checks) {
      const fault = check((value as Record<string, unknown>)[name]);
      if (fault !== undefined) return `/${name}${fault}`;
    }
    return undefined;
  };
}

function list<T>(check: Check<T>): Check<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return ': expected array';
    for (let at = 0; at < value.length; at += 1) {
      const fault = check(value[at]);
      if (fault !== undefined) return `/${String(at)}${fault}`;
    }
    return undefined;
  };
}

function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value) => (value === undefined ? undefined : check(value));
}

function nullish<T>(check: Check<T>): Check<T | null | undefined> {
  return (value) => (value === null ? undefined : optional(check)(value));
}

const text = expect<string>('string', (value) => typeof value === 'string');
const flag = expect<boolean>('boolean', (value) => typeof value === 'boolean');
const count = expect<number>('number', Number.isFinite);
const itemId = expect<Receipt['id']>('1 to 200 characters without control characters', isItemId);
const editId = expect<Receipt['edit_id']>('1 to 64 of A-Z a-z 0-9 . _ -', isEditId);
const time = expect<Receipt['updated_at']>('ISO 8601 UTC timestamp such as 2026-11-21T08:30:00.000Z', isTimestamp);
const state = expect<EditState>(EDIT_STATES.join(' or '), (value) => EDIT_STATES.includes(value as EditState));
const atMost = (most: number): Check<string> =>
  expect(`at most ${String(most)} characters`, (value) => typeof value === 'string' && value.length <= most);
const label = atMost(MAX_LABEL_LENGTH);

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
  token: expect(
    `1 to ${String(MAX_TOKEN_LENGTH)} characters`,
    (value) => typeof value === 'string' && value !== '' && value.length <= MAX_TOKEN_LENGTH,
  ),
});

export const problemCheck = object<Problem>({
  type: text,
  title: text,
  status: count,
  code: text,
  detail: optional(text),
  retryable: flag,
  request_id: text,
  errors: optional(list(object<{ pointer: string; message: string }>({ pointer: text, message: text }))),
});

export const hostItemCheck = object<CheckedHostItem>({
  id: itemId,
  available: nullish(flag),
  updated_at: nullish(time),
  label: nullish(label),
  group: nullish(label),
  image: nullish(atMost(MAX_IMAGE_URL_LENGTH)),
  note: nullish(label),
});

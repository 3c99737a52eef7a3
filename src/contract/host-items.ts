import * as z from 'zod/mini';
import { isItemId, isTimestamp, toTimestamp } from '../domain/item.js';
import { itemId, label, MAX_IMAGE_URL_LENGTH, MAX_LABEL_LENGTH, timestamp } from './fields.js';

/** An item after `repairHostItem`. */
export const repairedItem = z.object({
  id: itemId,
  available: z.optional(z.nullable(z.boolean())),
  updated_at: z.optional(z.nullable(timestamp)),
  label: z.optional(z.nullable(label)),
  group: z.optional(z.nullable(label)),
  image: z.optional(z.nullable(z.string().check(z.maxLength(MAX_IMAGE_URL_LENGTH)))),
  note: z.optional(z.nullable(label)),
});

/** @param change how the field was changed, for the console */
type OnRepair = (field: string, change: string) => void;

/**
 * Repairs an item of the host's page or the operator's list. An invalid optional field never discards the item: it is
 * converted, shortened or left out. A numeric id becomes text. The schema rejects what is still invalid. Fields that are
 * not named here are the host's own and are ignored.
 *
 * @returns the fields that the schema reads; a value that is not an object is returned unchanged
 */
export function repairHostItem(entry: unknown, onRepair: OnRepair = () => undefined): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const item: Record<string, unknown> = {};
  for (const [field, repair] of REPAIRS) {
    const value = (entry as Record<string, unknown>)[field];
    if (value === undefined) continue;
    const [repaired, change] = repair(value);
    item[field] = repaired;
    if (change !== undefined) onRepair(field, change);
  }
  return item;
}

export const hostItem = z.pipe(
  z.transform((entry: unknown) => repairHostItem(entry)),
  repairedItem,
);

/** @returns the repaired value, and a description of the change */
type Repair = (value: unknown) => readonly [value: unknown, change?: string | undefined];

const asIs: Repair = (value) => [value];

/** In the order in which faults are reported. */
const REPAIRS: readonly (readonly [field: string, repair: Repair])[] = [
  ['id', (value) => (isItemId(value) ? [value] : numberAsText(value))],
  ['available', asIs],
  ['updated_at', repairTimestamp],
  ['label', repairText],
  ['group', repairText],
  ['image', repairImage],
  ['note', repairText],
];

/** Converts a numeric id to text, because database keys are numbers in many hosts. */
export function toItemId(id: unknown): unknown {
  return numberAsText(id)[0];
}

function numberAsText(value: unknown): ReturnType<Repair> {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
    ? [String(value), 'a number, taken as text']
    : [value];
}

function repairText(value: unknown): ReturnType<Repair> {
  const [text, change] = numberAsText(value);
  if (text === null) return [null];
  if (typeof text !== 'string') return [null, 'not text, left out'];
  if (text.length <= MAX_LABEL_LENGTH) return [text, change];
  // Half of a surrogate pair at the end would be shown as a replacement character.
  const short = text.slice(0, MAX_LABEL_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  return [`${short}…`, `longer than ${String(MAX_LABEL_LENGTH)} characters, shortened`];
}

/** An address that is too long is left out, because a shortened one would lead nowhere. */
function repairImage(value: unknown): ReturnType<Repair> {
  if (value === null) return [null];
  if (typeof value !== 'string') return [null, 'not text, left out'];
  if (value.length <= MAX_IMAGE_URL_LENGTH) return [value];
  return [null, `longer than ${String(MAX_IMAGE_URL_LENGTH)} characters, left out`];
}

/** RFC 3339 with an offset, and variants that servers write: a space for the T, no seconds, `+0200`. */
const OFFSET_TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:([Zz])|([+-]\d\d):?(\d\d)?)$/;

function repairTimestamp(value: unknown): ReturnType<Repair> {
  if (value === null || isTimestamp(value)) return [value];
  if (value instanceof Date)
    return isNaN(value.getTime()) ? [null, 'not a time, left out'] : [toTimestamp(+value), 'a Date, taken as UTC text'];
  const [, day, time, utc, hours, minutes = '00'] = (typeof value === 'string' && OFFSET_TIME.exec(value)) || [];
  const milliseconds = Date.parse(`${day ?? ''}T${time ?? ''}${utc === undefined ? `${hours ?? ''}:${minutes}` : 'Z'}`);
  // `Date.parse` continues into the next month if the calendar has no such day.
  if (isNaN(milliseconds) || !isTimestamp(`${day ?? ''}T00:00:00Z`))
    return [null, 'not a time with an offset (RFC 3339), left out'];
  return [toTimestamp(milliseconds), 'a time that does not end in Z, converted to UTC'];
}

/** An item as the host writes it, before validation, so its fields are not branded. */
export interface HostItemInput {
  readonly id: string;
  readonly available?: boolean | null | undefined;
  /**
   * RFC 3339, as in `2026-11-21T08:30:00.000Z`. Another offset is converted to UTC, and a time without an offset is left
   * out.
   */
  readonly updated_at?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly group?: string | null | undefined;
  /** URL of an image. */
  readonly image?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/**
 * The operator's list of items, or one page of it; `next` is the `cursor` of the next page. The list decides who owns the
 * items, so a fault is reported and nothing is repaired. Images and notes are not read.
 */
export const itemsPage = z.pipe(
  // An array alone is the last page.
  z.transform((page: unknown) => (Array.isArray(page) ? { inventory: page } : page)),
  z.object({
    inventory: z.array(z.omit(repairedItem, { image: true, note: true })),
    next: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(2000)))),
  }),
);
export type ItemsPage = z.output<typeof itemsPage>;

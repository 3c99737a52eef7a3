import * as z from 'zod/mini';
import { isEditId, type EditId } from '../domain/edit.js';
import { isItemId, type ItemId, type Timestamp } from '../domain/item.js';

/** Fields that more than one wire carries. zod/mini throughout, because some of these files reach the page. */
export const itemId = z.custom<ItemId>(isItemId, '1 to 200 characters without control characters');

export const editId = z.custom<EditId>(isEditId, '1 to 64 of A-Z a-z 0-9 . _ -');

const utcDateTime = z.iso.datetime();

export const timestamp = z.custom<Timestamp>(
  (value) => utcDateTime.safeParse(value).success,
  'ISO 8601 UTC timestamp such as 2026-11-21T08:30:00.000Z',
);

export const label = z.string().check(z.maxLength(500));

import * as z from 'zod/mini';
import { isEditId, type EditId } from '../domain/edit.js';
import { isItemId, type ItemId, type Timestamp } from '../domain/item.js';

/** Fields that more than one wire carries. zod/mini throughout, because some of these files reach the page. */
export const itemId = z.custom<ItemId>(isItemId, '1 to 200 characters without control characters');

export const editId = z.custom<EditId>(isEditId, '1 to 64 of A-Z a-z 0-9 . _ -');

// Bounded, because a fraction may have as many digits as its sender likes: nanoseconds are 30 characters.
const utcDateTime = z.iso.datetime().check(z.maxLength(30));

export const timestamp = z.custom<Timestamp>(
  (value) => utcDateTime.safeParse(value).success,
  'ISO 8601 UTC timestamp such as 2026-11-21T08:30:00.000Z',
);

export const label = z.string().check(z.maxLength(500));

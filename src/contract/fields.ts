import * as z from 'zod/mini';
import { isEditId, type EditId } from '../domain/edit.js';
import { isItemId, isTimestamp, type ItemId, type Timestamp } from '../domain/item.js';
import { MAX_LABEL_LENGTH } from './limits.js';

/** Fields that more than one wire carries. zod/mini throughout, because some of these files reach the page. */
export const itemId = z.custom<ItemId>(isItemId, '1 to 200 characters without control characters');

export const editId = z.custom<EditId>(isEditId, '1 to 64 of A-Z a-z 0-9 . _ -');

export const timestamp = z.custom<Timestamp>(isTimestamp, 'ISO 8601 UTC timestamp such as 2026-11-21T08:30:00.000Z');

export const label = z.string().check(z.maxLength(MAX_LABEL_LENGTH));

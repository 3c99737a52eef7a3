import * as z from 'zod/mini';
import { type EditId, isEditId } from '../domain/edit.js';
import { isItemId, isTimestamp, type ItemId, type Timestamp } from '../domain/item.js';

/** The page names itself with this header on every unsafe request: a form or an image of a foreign page cannot. */
export const REQUESTED_WITH = 'X-Requested-With';
export const WIDGET = 'inventory-widget';

/** Edits a page may send in one batch. */
export const MAX_EDITS = 500;

/** UTF-16 code units. */
export const MAX_LABEL_LENGTH = 500;
export const MAX_IMAGE_URL_LENGTH = 2_000;
/**
 * Of what the host's session URL answers, and of a bearer. Node takes 16 KiB of headers in all, and a quarter of that is for
 * the others: an origin's cookies come along.
 */
export const MAX_TOKEN_LENGTH = 12_288;

/** Fields that more than one wire carries. zod/mini throughout, because some of these files reach the page. */
export const itemId = z.custom<ItemId>(isItemId, '1 to 200 characters without control characters');

export const editId = z.custom<EditId>(isEditId, '1 to 64 of A-Z a-z 0-9 . _ -');

/** Made by the page, as an edit id is: the edits of one bulk change, closing or import have the same one. */
export const changeSetId = editId;

export const timestamp = z.custom<Timestamp>(isTimestamp, 'ISO 8601 UTC timestamp such as 2026-11-21T08:30:00.000Z');

export const label = z.string().check(z.maxLength(MAX_LABEL_LENGTH));

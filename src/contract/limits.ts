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

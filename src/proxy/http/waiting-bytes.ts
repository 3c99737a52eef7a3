/**
 * How much a waiting edit takes on a disk, about, so that the high-water mark can be one of bytes as well as of edits:
 * names, ids and labels are as long as a host likes, up to some kilobytes an edit.
 *
 * The numbers of an edit, and its places in indexes, take about {@link EDIT_BYTES}; each byte of its texts lies in its row
 * and, of most of them, in an index. Measured with SQLite: 490 bytes for an edit with short names, 1140 for one with names
 * of 150 characters more for its item and its label.
 *
 * A store says what its waiting edits take from {@link SAMPLED} of them, evenly spread over all that wait: a sum over all
 * would take longer the more there are. Settled edits do not count, whatever the history takes: it does not go away when
 * the portal comes back, and `historyDays` bounds it.
 */
export const EDIT_BYTES = 300;
export const PLACES_OF_A_TEXT = 2;
export const SAMPLED = 100;

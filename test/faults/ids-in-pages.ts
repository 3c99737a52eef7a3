const EDIT_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const ID_BYTES = 36;
const POINTER_BYTES = 4;

/**
 * The ids of edits in the pages that one transaction wrote. A record that is too long for its page continues in
 * overflow pages (SQLite file format, 1.6): its part in a b-tree page ends with the number of the first one, and each
 * overflow page begins with the number of the next. An id may begin on one page and end on another.
 *
 * @param pages the pages by their numbers
 */
export function editIdsIn(pages: ReadonlyMap<number, Buffer>): Set<string> {
  const ids = new Set<string>();
  const read = (...bytes: readonly Uint8Array[]): void => {
    for (const [id] of Buffer.concat(bytes).toString('latin1').matchAll(EDIT_ID)) ids.add(id);
  };
  for (const page of pages.values()) {
    read(page);
    for (let at = 0; at <= page.length - POINTER_BYTES; at += 1) {
      const next = pages.get(page.readUInt32BE(at));
      if (next === undefined) continue;
      const end = at === 0 ? page.length : at;
      read(page.subarray(Math.max(end - ID_BYTES, 0), end), next.subarray(POINTER_BYTES, POINTER_BYTES + ID_BYTES));
    }
  }
  return ids;
}

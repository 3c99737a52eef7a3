import { bytesOf, descriptorOf, lastNumberOf, type SystemCall } from './trace.js';

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const PAGE = 4096;
const EDIT_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * When each edit was on the disk, by its id: the return of the first sync of the write-ahead log that began after the
 * transaction with the edit was written whole (SQLite file format, 4.1: the last frame of a transaction names the size of
 * the database, all others 0).
 *
 * @param path of the database
 */
export function syncedRows(calls: readonly SystemCall[], path: string): ReadonlyMap<string, number> {
  const synced = new Map<string, number>();
  const inTransaction = new Set<string>();
  let written: { readonly ids: readonly string[]; readonly position: number }[] = [];
  let closesTransaction = false;
  for (const call of calls) {
    if (descriptorOf(call)?.path !== `${path}-wal`) continue;
    if (call.name === 'pwrite64') {
      const bytes = bytesOf(call);
      const inFrame = (lastNumberOf(call) - LOG_HEADER) % (FRAME_HEADER + PAGE);
      if (inFrame === 0 && bytes.length === FRAME_HEADER) closesTransaction = bytes.readUInt32BE(4) !== 0;
      if (inFrame !== FRAME_HEADER) continue;
      for (const [id] of bytes.toString('latin1').matchAll(EDIT_ID)) if (!synced.has(id)) inTransaction.add(id);
      if (!closesTransaction) continue;
      written.push({ ids: [...inTransaction], position: call.ended });
      inTransaction.clear();
    } else if ((call.name === 'fsync' || call.name === 'fdatasync') && call.result === 0) {
      for (const { ids, position } of written) {
        if (position < call.began) for (const id of ids) if (!synced.has(id)) synced.set(id, call.ended);
      }
      written = written.filter(({ position }) => position >= call.began);
    }
  }
  return synced;
}

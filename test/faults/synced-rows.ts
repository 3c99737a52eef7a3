import { editIdsIn } from './ids-in-pages.js';
import { bytesOf, descriptorOf, lastNumberOf, type SystemCall } from './trace.js';

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** The page size of a new file, in bytes. */
export const PAGE = 8192;

/**
 * When each edit was on the disk: the return of the first sync of the write-ahead log that began after the transaction
 * with the edit was written whole (SQLite file format, 4.1: the last frame of a transaction names the size of the
 * database, all others 0).
 */
export class SyncedRows {
  /** The positions by edit id. */
  readonly at = new Map<string, number>();
  readonly #log: string;
  readonly #inTransaction = new Map<number, Buffer>();
  #page = 0;
  #written: { readonly ids: readonly string[]; readonly position: number }[] = [];
  /** Frames that a failed sync has dropped: no later sync writes them, unless they are written again. */
  #givenUp: { readonly ids: readonly string[] }[] = [];
  #closesTransaction = false;

  /** @param path the path of the database */
  constructor(path: string) {
    this.#log = `${path}-wal`;
  }

  /** Reads the trace of one run. Later runs have later positions. */
  read(calls: readonly SystemCall[]): void {
    this.#inTransaction.clear();
    for (const call of calls) {
      if (descriptorOf(call)?.path !== this.#log) continue;
      if (call.name === 'pwrite64') this.#write(call);
      if (call.name === 'fsync' || call.name === 'fdatasync') this.#sync(call);
    }
  }

  #write(call: SystemCall): void {
    const bytes = bytesOf(call);
    // A failed write rolls its transaction back.
    if (bytes.length === 0) return this.#inTransaction.clear();
    if (bytes.length > PAGE) {
      // The whole log is rewritten at a start.
      this.#written.push(...this.#givenUp.map(({ ids }) => ({ ids, position: call.ended })));
      this.#givenUp = [];
      return;
    }
    const inFrame = (lastNumberOf(call) - LOG_HEADER) % (FRAME_HEADER + PAGE);
    if (inFrame === 0 && bytes.length === FRAME_HEADER) {
      this.#page = bytes.readUInt32BE(0);
      this.#closesTransaction = bytes.readUInt32BE(4) !== 0;
    }
    if (inFrame !== FRAME_HEADER) return;
    this.#inTransaction.set(this.#page, bytes);
    if (!this.#closesTransaction) return;
    const ids = [...editIdsIn(this.#inTransaction)].filter((id) => !this.at.has(id));
    this.#written.push({ ids, position: call.ended });
    this.#inTransaction.clear();
  }

  #sync({ began, ended, result }: SystemCall): void {
    if (result === undefined) return;
    const covered = this.#written.filter(({ position }) => position < began);
    this.#written = this.#written.filter(({ position }) => position >= began);
    if (result !== 0) this.#givenUp.push(...covered);
    else for (const { ids } of covered) for (const id of ids) if (!this.at.has(id)) this.at.set(id, ended);
  }
}

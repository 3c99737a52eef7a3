import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

/**
 * Looks for damage in a write-ahead log before SQLite reads it. SQLite takes a log up to the first frame whose checksum is
 * wrong and drops what follows without an error, since a crash in the middle of a write leaves just that. Damage looks the
 * same, and may drop thousands of acknowledged commits.
 *
 * The two differ in what follows: one transaction is synced before the next begins, so that a crash leaves at most one commit
 * behind a frame that is wrong. See "WAL File Format" of sqlite.org/fileformat2.html.
 */
export interface LogDamage {
  /** The log. */
  readonly path: string;
  /** Where the first frame is that cannot be read. */
  readonly atByte: number;
  /** Commits behind it, which SQLite would drop. */
  readonly commits: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Both byte orders of the checksums. */
const MAGIC = 0x377f0682;
const MAX_PAGE_BYTES = 65_536;
const MIN_PAGE_BYTES = 512;
/** Where the header of a database has the size of its pages; 1 means 65,536. */
const PAGE_SIZE_AT = 16;

/** @returns `undefined` where nothing is lost but what a crash may have left behind */
export function findLogDamage(database: string): LogDamage | undefined {
  // A file that is not there has no log.
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return undefined;
  const path = `${realpathSync(database)}-wal`;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= HEADER_BYTES) return undefined;
  const file = openSync(path, 'r');
  try {
    return checkLog(file, { database, path, size });
  } finally {
    closeSync(file);
  }
}

function checkLog(
  file: number,
  { database, path, size }: { readonly database: string; readonly path: string; readonly size: number },
): LogDamage | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(file, header, 0, HEADER_BYTES, 0);
  const sum = new Checksum((header.readUInt32BE(0) & 1) === 1);
  sum.add(header.subarray(0, 24));
  const isHeaderGood =
    (header.readUInt32BE(0) & ~1) === MAGIC && isPageSize(header.readUInt32BE(8)) && sum.equals(header.subarray(24));
  // The header is synced before the first frame: where it is damaged, SQLite takes the whole log for empty.
  if (!isHeaderGood) {
    const commits = countCommits(file, { size, pageBytes: pageBytesOf(database), from: HEADER_BYTES });
    return commits === 0 ? undefined : { path, atByte: 0, commits };
  }
  const pageBytes = header.readUInt32BE(8);
  const salt = header.subarray(16, 24);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
  for (let at = HEADER_BYTES; at + frame.length <= size; at += frame.length) {
    readSync(file, frame, 0, frame.length, at);
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEADER_BYTES));
    const isOfThisLog = frame.subarray(8, 16).equals(salt);
    if (isOfThisLog && frame.readUInt32BE(0) !== 0 && sum.equals(frame.subarray(16, 24))) continue;
    const commits = countCommits(file, { size, pageBytes, from: at + frame.length, salt });
    return commits > 1 ? { path, atByte: at, commits } : undefined;
  }
  return undefined;
}

interface FrameRange {
  readonly size: number;
  readonly pageBytes: number;
  readonly from: number;
  /** Of the log that is meant: behind it may be frames of an earlier one. Default: that of the first frame. */
  readonly salt?: Buffer;
}

function countCommits(file: number, { size, pageBytes, from, salt }: FrameRange): number {
  if (!isPageSize(pageBytes)) return 0;
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  let wanted = salt;
  let commits = 0;
  for (let at = from; at + FRAME_HEADER_BYTES + pageBytes <= size; at += FRAME_HEADER_BYTES + pageBytes) {
    readSync(file, header, 0, FRAME_HEADER_BYTES, at);
    wanted ??= Buffer.from(header.subarray(8, 16));
    // The size of the database after a commit; 0 in a frame that no commit ends with.
    const isCommit = header.readUInt32BE(0) !== 0 && header.readUInt32BE(4) !== 0;
    if (isCommit && header.subarray(8, 16).equals(wanted)) commits += 1;
  }
  return commits;
}

function isPageSize(bytes: number): boolean {
  return bytes >= MIN_PAGE_BYTES && bytes <= MAX_PAGE_BYTES && (bytes & (bytes - 1)) === 0;
}

function pageBytesOf(database: string): number {
  const file = openSync(database, 'r');
  try {
    const bytes = Buffer.alloc(2);
    readSync(file, bytes, 0, 2, PAGE_SIZE_AT);
    const size = bytes.readUInt16BE(0);
    return size === 1 ? MAX_PAGE_BYTES : size;
  } finally {
    closeSync(file);
  }
}

/** Over the header, then over each frame: each sum goes on from the one before. */
class Checksum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  /** @param bytes as many as a multiple of eight */
  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let [first, second] = [this.#first, this.#second];
    for (let at = 0; at < bytes.byteLength; at += 8) {
      first = (first + view.getUint32(at, !this.#isBigEndian) + second) | 0;
      second = (second + view.getUint32(at + 4, !this.#isBigEndian) + first) | 0;
    }
    [this.#first, this.#second] = [first, second];
  }

  /** @param stored both sums, the most significant byte first */
  equals(stored: Buffer): boolean {
    return stored.readInt32BE(0) === this.#first && stored.readInt32BE(4) === this.#second;
  }
}

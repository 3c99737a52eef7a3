import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';

/**
 * Checks a write-ahead log for damage before SQLite reads it. SQLite reads a log up to the first frame with a wrong
 * checksum and drops the rest without an error, because a crash during a write leaves the same state. Damage looks like
 * that too, and may drop thousands of acknowledged commits.
 *
 * They differ in what follows: each transaction is synced before the next begins, so a crash leaves at most one commit
 * after an invalid frame. See "WAL File Format" in sqlite.org/fileformat2.html.
 */
export interface LogDamage {
  /** Path of the log. */
  readonly path: string;
  /** Offset of the first invalid frame. */
  readonly atByte: number;
  /** Number of commits after it, which SQLite would drop. */
  readonly commits: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The magic number without its lowest bit, which tells the byte order of the checksums. */
const MAGIC = 0x377f0682;
const MAX_PAGE_BYTES = 65_536;
const MIN_PAGE_BYTES = 512;
/** Offset of the page size in the header of a database; the value 1 means 65,536. */
const PAGE_SIZE_AT = 16;

/** @returns `undefined` if nothing is lost except what a crash may leave */
export function findLogDamage(database: string): LogDamage | undefined {
  // A missing file has no log.
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
  // The header is synced before the first frame. If it is damaged, SQLite treats the whole log as empty.
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
  /** The salt of this log: frames of an earlier log may follow it. Default: the salt of the first frame. */
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
    // The size of the database after a commit; it is 0 in a frame that ends no commit.
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

/** The cumulative checksum over the header and the frames: each continues the one before. */
class Checksum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  /** @param bytes a multiple of eight bytes */
  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let [first, second] = [this.#first, this.#second];
    for (let at = 0; at < bytes.byteLength; at += 8) {
      first = (first + view.getUint32(at, !this.#isBigEndian) + second) | 0;
      second = (second + view.getUint32(at + 4, !this.#isBigEndian) + first) | 0;
    }
    [this.#first, this.#second] = [first, second];
  }

  /** @param stored both sums, big-endian */
  equals(stored: Buffer): boolean {
    return stored.readInt32BE(0) === this.#first && stored.readInt32BE(4) === this.#second;
  }
}

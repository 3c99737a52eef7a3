import { namesOf, type Names } from '../names.js';
import type { Statements } from './sqlite-statements.js';

/** Eight megabytes. With two million names it is wrong about one new name in a thousand, with ten million about one in twenty. */
const WORDS = 2 ** 21;
/** Read in one go, in about the time of a request. */
const ROWS_AT_ONCE = 2_000;
const PAUSE_MS = 20;

/** @returns whether there is more */
type Reading = () => boolean;

/**
 * Which items, edits and keys the file may have, in rows or in parcels: a Bloom filter of four bits a name, in two words side
 * by side, because memory is slow. Mostly what comes is new, and is known to be so without a look into trees as large as the
 * history.
 *
 * What it does not know is not there: names are noted before they are written, and those of earlier processes are read
 * after the start; until all are, everything may be there. What it knows may be gone, or be another name of the same bits,
 * so that whoever asks looks it up. It forgets nothing before the next start.
 */
export class SqliteKnownNames {
  readonly #words = new Int32Array(WORDS);
  readonly #unread: Reading[];
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Statements) {
    const edits = database.prepare<[number, number], { at: number; name: string }>(
      'SELECT seq AS at, edit_id AS name FROM edit WHERE seq > ? ORDER BY seq LIMIT ?',
    );
    const items = database.prepare<[number, number], { at: number; name: string }>(
      'SELECT key AS at, id AS name FROM item WHERE key > ? ORDER BY key LIMIT ?',
    );
    const keys = database.prepare<[string, string, string, number], { vendor: string; subject: string; key: string }>(
      `SELECT vendor, subject, key FROM idempotency WHERE (vendor, subject, key) > (?, ?, ?)
       ORDER BY vendor, subject, key LIMIT ?`,
    );
    this.#unread = [
      this.#reading(
        { at: 0 },
        ({ at }) => edits.all(at, ROWS_AT_ONCE),
        ({ name }) => namesOf({ edits: [name] }),
      ),
      this.#reading(
        { at: 0 },
        ({ at }) => items.all(at, ROWS_AT_ONCE),
        ({ name }) => namesOf({ items: [name] }),
      ),
      this.#reading(
        { vendor: '', subject: '', key: '' },
        ({ vendor, subject, key }) => keys.all(vendor, subject, key, ROWS_AT_ONCE),
        (key) => namesOf({ key }),
      ),
    ];
  }

  /** Reads what is there, at once as far as it is little. @param parcels notes the names of those that are there */
  begin(parcels: () => void): void {
    this.#unread.push(() => {
      parcels();
      return false;
    });
    this.#read();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  note(names: Names): void {
    for (let at = 0; at < names.length; at += 2) {
      const word = wordOf(names[at]);
      const bits = names[at + 1] ?? 0;
      this.#words[word] = (this.#words[word] ?? 0) | twoBits(bits);
      this.#words[word + 1] = (this.#words[word + 1] ?? 0) | twoBits(bits >>> 10);
    }
  }

  /** @returns which of these names may be here, counted from 0 */
  among(names: Names): number[] {
    const isUnread = this.#unread.length > 0;
    const here: number[] = [];
    for (let at = 0; at < names.length; at += 2) {
      const word = wordOf(names[at]);
      const bits = names[at + 1] ?? 0;
      if (isUnread || (hasBoth(this.#words[word], bits) && hasBoth(this.#words[word + 1], bits >>> 10)))
        here.push(at / 2);
    }
    return here;
  }

  #reading<Start, Row extends Start>(
    start: Start,
    read: (last: Start) => Row[],
    namesIn: (row: Row) => Names,
  ): Reading {
    let last = start;
    return () => {
      const rows = read(last);
      for (const row of rows) this.note(namesIn(row));
      last = rows.at(-1) ?? last;
      return rows.length === ROWS_AT_ONCE;
    };
  }

  #read(): void {
    try {
      while (this.#unread[0]?.() === false) this.#unread.shift();
    } catch {
      // Without them each name is looked up, and whoever does so hears what is wrong with the file.
      return;
    }
    if (this.#unread.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#read();
    }, PAUSE_MS);
    this.#timer.unref();
  }
}

/** The first of the two. */
function wordOf(hash = 0): number {
  return hash & (WORDS - 2);
}

/** A shift counts by the last five bits of its right side. */
function twoBits(hash: number): number {
  return (1 << hash) | (1 << (hash >>> 5));
}

function hasBoth(word = 0, hash: number): boolean {
  return (word & twoBits(hash)) === twoBits(hash);
}

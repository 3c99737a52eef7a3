/** Runs statements. Values are named `$1`, `$2` and so on; a list is passed as one JSON string. */
export interface Queries {
  readonly dialect: Dialect;
  query<Row>(sql: string, ...values: readonly (string | number | null)[]): Promise<Row[]>;
}

/** A transaction that writes. It may be run twice, so it has no effects outside of the database. */
export interface Transaction extends Queries {
  /**
   * The time on the clock of leases and waits. Several machines share the clock of their database; a single process
   * uses its own.
   *
   * @param callers the time on the caller's clock
   */
  now(callers: number): number;
  /** The vendors whose edits this transaction changes: subscribers are notified of them after the commit. */
  readonly changed: Set<string>;
}

/** The interface of a driver. Reads see committed data. Every call may throw `StorageFailed`. */
export interface Database extends Queries {
  /** {@link Transaction.now} outside of a transaction. */
  now(callers: number): Promise<number>;
  /**
   * Commits the work of several callers together, with one sync of the disk, and resolves after the commit. Work that
   * throws is rolled back without harming the other work; `LeaseLost` has to be thrown before the first write.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, about?: Scope): Promise<T>;
  /** @param listener as in `Outbox.subscribe` */
  subscribe(listener: (vendor: string, elsewhere?: boolean) => void): () => void;
  /** Resolves when all earlier calls are done. */
  close(): Promise<void>;
}

/**
 * The scope of a transaction. Transactions of several processes run concurrently unless their scopes exclude each
 * other.
 */
export interface Scope {
  /** The number of edits. @default 1 */
  readonly edits?: number;
  /** Excludes all other transactions on this vendor's edits. */
  readonly vendor?: string;
  /** Adds to these lanes: excludes the transactions that deliver them, but not others that add. */
  readonly into?: readonly string[];
  /** Delivers the edits of this lane: excludes all other transactions on it. */
  readonly lane?: string;
  /** The row locks suffice. Without any of these four, the transaction excludes all others. */
  readonly rowsOnly?: true;
}

export type Columns = Readonly<Record<string, 'integer' | 'text'>>;

/** The few differences between the databases. */
export interface Dialect {
  /** A table for FROM with the objects of the JSON array in value `$place`. */
  rows(place: number, alias: string, columns: Columns): string;
  /** The function that returns the greatest of its arguments. */
  readonly greatest: 'max' | 'greatest';
  /** At the end of a query, locks its rows. */
  readonly forUpdate: '' | 'FOR UPDATE';
  /** The same, but skips rows that another transaction has locked. */
  readonly skipLocked: '' | 'FOR UPDATE SKIP LOCKED';
  /**
   * A write without an effect, for a transaction that only reads but whose result a standby must have: the commit of a
   * read-only transaction does not wait for a standby.
   */
  readonly confirm: string | undefined;
  /** The types of the schema. */
  readonly types: { readonly integer: string; readonly text: string; readonly key: string; readonly strict: string };
}

/** A list of numbers for `IN`. */
export function listed({ dialect }: Queries, place: number): string {
  return `(SELECT listed.value FROM ${dialect.rows(place, 'listed', { value: 'integer' })})`;
}

/** Encodes the value for {@link listed}. */
export function listOf(values: Iterable<number>): string {
  return JSON.stringify(Array.from(values, (value) => ({ value })));
}

/** Rounds up to whole milliseconds within the range of an integer column; `Infinity` becomes the largest. */
export function wholeTime(milliseconds: number): number {
  return Math.ceil(Math.max(0, Math.min(milliseconds, Number.MAX_SAFE_INTEGER)));
}

/** PostgreSQL stores neither NUL characters nor lone surrogates. A name is not worth an error, so both are replaced. */
export function storable<T extends string | null | undefined>(text: T): T {
  return typeof text === 'string' ? (text.replace(/[\0\p{Cs}]/gu, '\ufffd') as T) : text;
}

export const SQLITE: Dialect = {
  rows: (place, alias, columns) =>
    `(SELECT ${namesOf(columns, (name) => `value->>'${name}' AS ${name}`)} FROM json_each($${String(place)})) AS ${alias}`,
  greatest: 'max',
  forUpdate: '',
  skipLocked: '',
  confirm: undefined,
  types: { integer: 'INTEGER', text: 'TEXT', key: 'INTEGER PRIMARY KEY', strict: 'STRICT' },
};

/** Ids and vendors are compared byte by byte (collation "C"), whatever the collation of the database is. */
export const POSTGRES: Dialect = {
  rows: (place, alias, columns) =>
    `jsonb_to_recordset(CAST($${String(place)} AS jsonb)) AS ${alias}(${namesOf(
      columns,
      (name) => `${name} ${columns[name] === 'integer' ? 'bigint' : 'text'}`,
    )})`,
  greatest: 'greatest',
  forUpdate: 'FOR UPDATE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  confirm: `SELECT pg_logical_emit_message(true, 'vendor_inventory', '')`,
  types: {
    integer: 'bigint',
    text: 'text COLLATE "C"',
    key: 'bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    strict: '',
  },
};

function namesOf(columns: Columns, column: (name: string) => string): string {
  return Object.keys(columns).map(column).join(', ');
}

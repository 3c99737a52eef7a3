/** Where statements run. Values are named `$1`, `$2` and so on; a list travels as one JSON text. */
export interface Queries {
  readonly dialect: Dialect;
  query<Row>(sql: string, ...values: readonly (string | number | null)[]): Promise<Row[]>;
}

/** One transaction that writes. Its work may run twice, so it touches nothing but the database. */
export interface Transaction extends Queries {
  /**
   * What time it is on the clock that leases and waits are kept on. Several machines share that of their database; a single
   * process has its own.
   *
   * @param callers the clock of the caller
   */
  now(callers: number): number;
  /** The vendors whose edits this transaction changes: subscribers hear of them once it is committed. */
  readonly changed: Set<string>;
}

/** What a driver supplies. Reads see what is committed. Every call may throw `StorageFailed`. */
export interface Database extends Queries {
  /** As {@link Transaction.now}, outside of a transaction. */
  now(callers: number): Promise<number>;
  /**
   * Commits the work of many callers together: they share one sync of the disk. It resolves after the commit. Work that throws
   * is undone and harms no other; `LeaseLost` has to come before the first write.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, about?: Scope): Promise<T>;
  /** @param listener as that of `Outbox.subscribe` */
  subscribe(listener: (vendor: string, elsewhere?: boolean) => void): () => void;
  /** Resolves when what was asked for before is done. */
  close(): Promise<void>;
}

/** What a transaction is about. Those of several processes run side by side unless their scopes exclude each other. */
export interface Scope {
  /** How many edits. @default 1 */
  readonly edits?: number;
  /** It is alone with the edits of this vendor. */
  readonly vendor?: string;
  /** It adds to these lanes: beside others that add, and not beside the one that delivers. */
  readonly into?: readonly string[];
  /** It delivers the edits of this lane, and is alone with it. */
  readonly lane?: string;
  /** The locks of the rows that it writes are enough. Where none of the four is given it is alone with everything. */
  readonly rowsOnly?: true;
}

export type Columns = Readonly<Record<string, 'integer' | 'text'>>;

/** The few places in which the databases differ. */
export interface Dialect {
  /** For FROM: the objects of the JSON array that is value `$place`, as a table. */
  rows(place: number, alias: string, columns: Columns): string;
  /** The function that tells the greatest of its arguments. */
  readonly greatest: 'max' | 'greatest';
  /** At the end of a query: locks its rows. */
  readonly forUpdate: '' | 'FOR UPDATE';
  /** The same, without the rows that another transaction has locked. */
  readonly skipLocked: '' | 'FOR UPDATE SKIP LOCKED';
  /**
   * A write that changes nothing, where a standby has to have what a transaction only reads: the commit of such a one would
   * wait for no standby.
   */
  readonly confirm: string | undefined;
  /** Words of the schema. */
  readonly types: { readonly integer: string; readonly text: string; readonly key: string; readonly strict: string };
}

/** A list of numbers, as `IN` takes it. */
export function listed({ dialect }: Queries, place: number): string {
  return `(SELECT listed.value FROM ${dialect.rows(place, 'listed', { value: 'integer' })})`;
}

/** The value for {@link listed}. */
export function listOf(values: Iterable<number>): string {
  return JSON.stringify(Array.from(values, (value) => ({ value })));
}

/** Whole milliseconds that an integer column holds; never earlier than asked, and `Infinity` is far away. */
export function wholeTime(milliseconds: number): number {
  return Math.ceil(Math.max(0, Math.min(milliseconds, Number.MAX_SAFE_INTEGER)));
}

/** PostgreSQL's texts hold no zero and no half of a character; neither is worth an error in a name. */
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

/** Ids and vendors are compared byte by byte, whatever language the database sorts in. */
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

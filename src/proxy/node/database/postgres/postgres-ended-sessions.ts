import type { Clock } from '../../../runtime/clock.js';
import { RevokedNames, type Revocation, type RevocationList } from '../../../access/ended-sessions.js';
import { noLog, type Log } from '../../../runtime/log.js';
import { wholeTime } from '../../../outbox/sql/tables/database.js';
import { keyOf, revocationOf, type RevocationRow } from '../revocation-rows.js';
import { CLOCK, type Readers } from './postgres-connection.js';

/** Interval of polling for sign-outs whose notification was missed. */
const POLL_MS = 2_000;
/** A row may become visible later than its `recorded_at`, but not by more than this: no statement takes so long. */
const MAX_COMMIT_DELAY_MS = 60_000;
/** Clocks of machines differ, so a row is kept for this long after its end. */
const RETENTION_MS = 24 * 60 * 60_000;

// `recorded_at` never decreases, even if the clock was set back: a proxy that reads on from the newest row would miss the
// new one.
const ADD = `WITH
    old AS (DELETE FROM revoked_token WHERE until < ${CLOCK} - ${String(RETENTION_MS)} AND token <> $1),
    ended AS (
      INSERT INTO revoked_token (token, until, issued_until, recorded_at)
      VALUES ($1, $2, $4, greatest(${CLOCK}, (SELECT max(recorded_at) FROM revoked_token)))
      ON CONFLICT (token) DO UPDATE SET until = greatest(revoked_token.until, excluded.until),
        issued_until = greatest(revoked_token.issued_until, excluded.issued_until), recorded_at = excluded.recorded_at
      RETURNING token, until, issued_until)
    SELECT pg_notify($3, concat_ws(' ', token, until, issued_until)) FROM ended`;

const READ =
  'SELECT token, until, issued_until, recorded_at FROM revoked_token WHERE recorded_at > $1 ORDER BY recorded_at';

interface RecordedRow extends RevocationRow {
  readonly recorded_at: number;
}

/** The channel on which proxies notify each other of sign-outs. */
export function revocationChannel(schema: string): string {
  return `${schema}_ended`;
}

/**
 * Sign-outs for all proxies on one database. Each proxy keeps them in memory: it reads all of them at start, gets those of
 * others by NOTIFY, and polls every two seconds for those whose notification it missed.
 */
export class PostgresEndedSessions implements RevocationList {
  readonly #known: RevokedNames;
  readonly #queries: Readers;
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Revocations that are in force here and not stored yet, because the database failed. */
  readonly #unstored = new Map<string, Revocation>();
  #newest = 0;
  #isDeaf = false;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(queries: Readers, schema: string, clock: Clock, log: Log = noLog) {
    this.#log = log;
    this.#queries = queries;
    this.#channel = revocationChannel(schema);
    this.#clock = clock;
    this.#known = new RevokedNames({
      clock,
      keyOf,
      store: (key, revocation) => {
        this.#unstored.set(key, revocation);
        return this.#store(key, revocation);
      },
    });
  }

  /** Reads all stored sign-outs, and polls until it is closed. @throws {StorageFailed} */
  async start(): Promise<this> {
    await this.#poll();
    this.#plan();
    return this;
  }

  has(name: string, issuedAt?: number): boolean {
    return this.#known.has(name, issuedAt);
  }

  /** In force here at once, and in the other proxies soon after it resolves. @throws {StorageFailed} */
  add(name: string, until: number, issuedUntil?: number): Promise<void> {
    return this.#known.add(name, until, issuedUntil);
  }

  /** @param payload payload of a notification on the channel */
  onNotification(payload: string): void {
    const [key = '', until, issuedUntil] = payload.split(' ');
    this.#known.learn(key, {
      until: Number(until),
      issuedUntil: issuedUntil === undefined ? undefined : Number(issuedUntil),
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #plan(): void {
    if (this.#closed) return;
    this.#cancel = this.#clock.after(POLL_MS, () => void this.#pollAgain());
  }

  async #pollAgain(): Promise<void> {
    // The next poll reads what this one missed. No caller awaits this one, so an error would end the process.
    const error = await this.#storeAndPoll().then(() => undefined, String);
    if (!this.#closed) this.#recordError(error);
    this.#plan();
  }

  #recordError(error: string | undefined): void {
    const isDeaf = error !== undefined;
    if (isDeaf === this.#isDeaf) return;
    this.#isDeaf = isDeaf;
    if (isDeaf) this.#log('error', 'sign-outs of other proxies are not heard of', { error });
    else this.#log('info', 'sign-outs of other proxies are heard of again');
  }

  async #storeAndPoll(): Promise<void> {
    for (const [key, revocation] of this.#unstored) await this.#store(key, revocation);
    await this.#poll();
  }

  async #store(key: string, { until, issuedUntil }: Revocation): Promise<void> {
    const issued = issuedUntil === undefined ? null : wholeTime(issuedUntil);
    await this.#queries.query(ADD, key, wholeTime(until), this.#channel, issued);
    this.#unstored.delete(key);
  }

  async #poll(): Promise<void> {
    const rows = await this.#queries.query<RecordedRow>(READ, this.#newest - MAX_COMMIT_DELAY_MS);
    for (const row of rows) this.#known.learn(row.token, revocationOf(row));
    this.#newest = rows.at(-1)?.recorded_at ?? this.#newest;
  }
}

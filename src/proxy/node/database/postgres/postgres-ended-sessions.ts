import { type Clock, createEarliestClock } from '../../../runtime/clock.js';
import type { RevocationList } from '../../../access/ended-sessions.js';
import { noLog, type Log } from '../../../runtime/log.js';
import { wholeTime } from '../../../outbox/sql/database.js';
import { KnownEndings, placeOf } from '../known-endings.js';
import { CLOCK, type Readers } from './postgres-connection.js';

/** Between two looks for what no notification told. */
const LOOK_MS = 2_000;
/** A row may be seen later than its time says, but not as late as this: no statement takes so long. */
const LATE_MS = 60_000;
/** Machines' clocks differ: a row stays for so long after its end. */
const KEPT_MS = 24 * 60 * 60_000;

// Never before the newest row, though the clock has been set back: a proxy that reads on from there would miss it.
const ADD = `WITH
    old AS (DELETE FROM ended_session WHERE until < ${CLOCK} - ${String(KEPT_MS)} AND token <> $1),
    ended AS (
      INSERT INTO ended_session (token, until, noted_at)
      VALUES ($1, $2, greatest(${CLOCK}, (SELECT max(noted_at) FROM ended_session)))
      ON CONFLICT (token) DO UPDATE SET until = greatest(ended_session.until, excluded.until), noted_at = excluded.noted_at
      RETURNING token, until)
    SELECT pg_notify($3, token || ' ' || until) FROM ended`;

const READ = 'SELECT token, until, noted_at FROM ended_session WHERE noted_at > $1 ORDER BY noted_at';

interface EndedRow {
  readonly token: string;
  readonly until: number;
  readonly noted_at: number;
}

/** The channel on which sign-outs are told. */
export function endingsChannelOf(schema: string): string {
  return `${schema}_ended`;
}

/**
 * Sign-outs for all proxies on one database. Each keeps them in memory: it reads all when it starts, hears of others' by
 * NOTIFY, and looks for what it has not heard every two seconds.
 */
export class PostgresEndedSessions implements RevocationList {
  readonly #known = new KnownEndings();
  readonly #queries: Readers;
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #log: Log;
  /** Ended here, and not in the database yet: it may have been away. */
  readonly #untold = new Map<string, number>();
  #newest = 0;
  #isDeaf = false;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(queries: Readers, schema: string, clock: Clock, log: Log = noLog) {
    this.#log = log;
    this.#queries = queries;
    this.#channel = endingsChannelOf(schema);
    this.#clock = clock;
    this.#now = createEarliestClock(clock);
  }

  /** Reads what is known, and goes on looking until it is closed. @throws {StorageFailed} */
  async start(): Promise<this> {
    await this.#look();
    this.#plan();
    return this;
  }

  has(tokenId: string): boolean {
    return this.#known.has(tokenId);
  }

  /** Ended here at once, and everywhere soon after it resolves. @throws {StorageFailed} */
  async add(tokenId: string, expiresAt: number): Promise<void> {
    const [place, now] = [placeOf(tokenId), this.#now()];
    this.#known.forget(now);
    this.#known.note(place, expiresAt, now);
    this.#untold.set(place, wholeTime(expiresAt));
    await this.#tell(place);
  }

  /** @param note what a proxy told on the channel */
  hear(note: string): void {
    const [place = '', until] = note.split(' ');
    this.#known.note(place, Number(until), this.#now());
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #plan(): void {
    if (this.#closed) return;
    this.#cancel = this.#clock.after(LOOK_MS, () => void this.#lookAgain());
  }

  async #lookAgain(): Promise<void> {
    // The next look finds what this one did not. No caller waits for it, so an error would end the process.
    const trouble = await this.#tellAndLook().then(() => undefined, String);
    if (!this.#closed) this.#noteTrouble(trouble);
    this.#plan();
  }

  #noteTrouble(error: string | undefined): void {
    const isDeaf = error !== undefined;
    if (isDeaf === this.#isDeaf) return;
    this.#isDeaf = isDeaf;
    if (isDeaf) this.#log('error', 'sign-outs of other proxies are not heard of', { error });
    else this.#log('info', 'sign-outs of other proxies are heard of again');
  }

  async #tellAndLook(): Promise<void> {
    for (const place of this.#untold.keys()) await this.#tell(place);
    await this.#look();
  }

  async #tell(place: string): Promise<void> {
    await this.#queries.query(ADD, place, this.#untold.get(place) ?? 0, this.#channel);
    this.#untold.delete(place);
  }

  async #look(): Promise<void> {
    const rows = await this.#queries.query<EndedRow>(READ, this.#newest - LATE_MS);
    const now = this.#now();
    for (const { token, until } of rows) this.#known.note(token, until, now);
    this.#known.forget(now);
    this.#newest = rows.at(-1)?.noted_at ?? this.#newest;
  }
}

import type { Statement, Statements } from './sqlite-statements.js';

/** How far the portal's clock is ahead of this machine's, as it was last noted. */
export class SqlitePortalClock {
  readonly #read: Statement<[], number>;
  readonly #write: Statement<[number]>;

  constructor(database: Statements) {
    this.#read = database.prepare<[], number>('SELECT ahead FROM portal_clock').pluck();
    this.#write = database.prepare(
      'INSERT INTO portal_clock VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET ahead = excluded.ahead',
    );
  }

  read(): number | undefined {
    return this.#read.get();
  }

  write(ahead: number): void {
    this.#write.run(Math.round(ahead));
  }
}

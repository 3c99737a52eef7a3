import type Database from 'better-sqlite3';
import { NEWEST_STANDING, SIDE_COLUMNS, type EditRow, type SideRow, type Sides } from '../outbox-rows.js';

/** What we use of the driver's statement, under a name that a declaration file can spell. */
export interface Statement<Values extends unknown[] = unknown[], Row = unknown> {
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  run(...values: Values): Database.RunResult;
  pluck(): Statement<Values, Row>;
}

/** Where prepared statements come from. */
export interface Statements {
  prepare<Values extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Values, Row>;
}

/** Finds what an edit is held against; asks nothing for one that is in no conflict. */
export function prepareSides(
  database: Statements,
): (row: Pick<EditRow, 'state' | 'base'> & { readonly item: number }) => Sides | undefined {
  const ofItem = `SELECT ${SIDE_COLUMNS} FROM edit WHERE item = ?`;
  const findBase = database.prepare<[number, number], SideRow>(`${ofItem} AND stamp = ?`);
  const findTheirs = database.prepare<[number], SideRow>(`${ofItem} AND ${NEWEST_STANDING}`);
  return ({ state, item, base }) =>
    state === 'conflict'
      ? { base: base === null ? undefined : findBase.get(item, Date.parse(base)), theirs: findTheirs.get(item) }
      : undefined;
}

/** For an update of `item`: the next revision of its vendor. */
export const NEXT_REVISION = '1 + (SELECT max(own.revision) FROM item AS own WHERE own.vendor = item.vendor)';

/**
 * Statements that are planned once.
 *
 * SQLite plans a statement with a join or an order anew for each value that is bound to it, in case a better plan exists
 * for that value. Here none does, and planning takes 5 to 30 times as long as the statement. Behind a unary plus it does
 * not look at the value.
 */
export function plannedOnce(database: Database.Database): Statements {
  return {
    prepare: <Values extends unknown[], Row>(sql: string) =>
      database.prepare(sql.replace(/[?@]/g, '+$&')) as unknown as Statement<Values, Row>,
  };
}

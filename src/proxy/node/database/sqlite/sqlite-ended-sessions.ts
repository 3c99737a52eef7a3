import { RevokedNames, type RevocationList } from '../../../access/ended-sessions.js';
import { wholeTime, type Database } from '../../../outbox/sql/tables/database.js';
import type { Clock } from '../../../runtime/clock.js';
import { keyOf, revocationOf, type RevocationRow } from '../revocation-rows.js';

/** Rows are kept for this long after their end, because the clock may have been ahead. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;

/** Sign-outs that survive a restart. @param rows the rows of the file */
export function storedSignOuts(database: Database, rows: readonly RevocationRow[], clock: Clock): RevocationList {
  const names = new RevokedNames({
    clock,
    keyOf,
    store: (key, { until, issuedUntil }) =>
      database.transaction(async (transaction) => {
        await transaction.query('DELETE FROM revoked_token WHERE until < $1', clock.wall() - FORGET_AFTER_MS);
        await transaction.query(
          `INSERT INTO revoked_token (token, until, issued_until) VALUES ($1, $2, $3)
           ON CONFLICT (token) DO UPDATE SET until = max(until, excluded.until),
             issued_until = max(issued_until, excluded.issued_until)`,
          key,
          wholeTime(until),
          issuedUntil === undefined ? null : wholeTime(issuedUntil),
        );
      }),
  });
  for (const row of rows) names.learn(row.token, revocationOf(row));
  return names;
}

/**
 * The lanes with anything to do, `work(name)`: it steps from one lane to the next along the indexes of what waits, so
 * that it costs as much as there are such lanes, and not as much as waits in them.
 */
export const WORKING_LANES = `RECURSIVE
  ${stepping('lined', 'turn IS NOT NULL')},
  ${stepping('pausing', 'turn IS NULL AND due_at IS NOT NULL')},
  ${stepping('open', 'open_attempt IS NOT NULL')},
  work(name) AS (SELECT name FROM lined UNION SELECT name FROM pausing UNION SELECT name FROM open)`;

function stepping(table: string, where: string): string {
  const first = `SELECT lane FROM edit WHERE ${where}`;
  return `${table}(name) AS (
    SELECT * FROM (${first} ORDER BY lane LIMIT 1)
    UNION ALL SELECT (${first} AND lane > ${table}.name ORDER BY lane LIMIT 1) AS next FROM ${table} WHERE next IS NOT NULL)`;
}

import { LONGEST_UNSURE_MS } from '../../../outbox/uncertain-outcome.js';
import type { Statement } from './postgres-connection.js';
import { now } from './postgres-time.js';

export interface WantedRow {
  readonly clock: number;
  readonly name: string | null;
  readonly set_back: boolean;
}

/** Steps from one lane with something to do to the next, as `sqlite-lanes.ts` does. */
export const WORK = `WITH RECURSIVE
  ${stepping('lined', 'turn IS NOT NULL')},
  ${stepping('pausing', 'turn IS NULL AND due_at IS NOT NULL')},
  ${stepping('open', 'open_attempt IS NOT NULL')},
  work AS (
    SELECT name FROM lined WHERE name IS NOT NULL UNION SELECT name FROM pausing WHERE name IS NOT NULL
    UNION SELECT name FROM open WHERE name IS NOT NULL)`;

/** The lane that nobody has held or given back for longest, of those with something to do. */
const WANTED = `SELECT lane.name FROM work JOIN lane USING (name)
  WHERE lease_until <= ${now('$1')} AND not_before <= ${now('$1')}
    AND (EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND turn IS NOT NULL)
      OR EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND open_attempt IS NOT NULL)
      OR EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND NOT bulk AND turn IS NULL AND due_at <= ${now('$1')})
      OR EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND bulk AND turn IS NULL AND due_at <= ${now('$1')}))
  ORDER BY leased_at, lane.name LIMIT 1`;

/** Without a lock, what time it is where leases run out, and whether that clock has been set back since a lease was given. */
export const FIND_WANTED: Statement = {
  name: 'find_wanted',
  text: `${WORK} SELECT ${now('$1')} AS clock, (${WANTED}) AS name,
    EXISTS (SELECT 1 FROM work JOIN lane USING (name) WHERE leased_at > ${now('$1')}) AS set_back`,
};

/**
 * Where the database's clock has been set back, what is left of a lease, of a rest or of a wait is no longer than it was when
 * the lease was written last: a lane would be closed for as long as the clock was set back, with nobody in it.
 */
export const FOLLOW_CLOCK: Statement = {
  name: 'follow_clock',
  text: `WITH
    clock AS (SELECT ${now('$1')} AS now),
    ahead AS (
      SELECT name, leased_at - clock.now AS by FROM lane, clock WHERE leased_at > clock.now FOR UPDATE OF lane SKIP LOCKED),
    pauses AS (
      UPDATE edit SET due_at = greatest(due_at - ahead.by, 0) FROM ahead
      WHERE edit.lane = ahead.name AND turn IS NULL AND due_at IS NOT NULL)
    UPDATE lane SET lease_until = lease_until - ahead.by, leased_at = leased_at - ahead.by,
      not_before = greatest(not_before - ahead.by, 0)
    FROM ahead WHERE lane.name = ahead.name`,
};

export const LOCK_WANTED: Statement = {
  name: 'lock_wanted',
  text: `${WORK} ${WANTED} FOR UPDATE OF lane SKIP LOCKED`,
};

export const LEASE: Statement = {
  name: 'lease',
  text: `UPDATE lane SET fence = fence + 1, lease_until = ${now('$3')} + $2, leased_at = ${now('$3')} WHERE name = $1
    RETURNING name, fence, held, failures, not_before, proven_by, refusals, leased_at AS clock`,
};

export interface LaneStateRow {
  readonly fence: number;
  readonly clock: number;
  readonly ended: boolean;
}

/** Who holds the lane, and whether pauses in it are over. */
export const LANE_STATE: Statement = {
  name: 'lane_state',
  text: `SELECT fence, ${now('$2')} AS clock,
      EXISTS (SELECT 1 FROM edit WHERE lane = $1 AND NOT bulk AND turn IS NULL AND due_at <= ${now('$2')})
      OR EXISTS (SELECT 1 FROM edit WHERE lane = $1 AND bulk AND turn IS NULL AND due_at <= ${now('$2')}) AS ended
    FROM lane WHERE name = $1`,
};

const LANDED = `${now('$1')} + ${String(LONGEST_UNSURE_MS)}`;

export const LIMIT_WAITS: Statement = {
  name: 'limit_waits',
  text: `WITH
    pauses AS (UPDATE edit SET due_at = ${now('$1')} WHERE turn IS NULL AND due_at > ${now('$1')} + $2),
    items AS (
      UPDATE item SET
        again_at = CASE WHEN again_at > ${now('$1')} + $2 THEN ${now('$1')} ELSE again_at END,
        unsure_until = CASE WHEN unsure_until > ${LANDED} THEN ${LANDED} ELSE unsure_until END
      WHERE again_at > ${now('$1')} + $2 OR unsure_until > ${LANDED})
    UPDATE lane SET not_before = ${now('$1')} WHERE not_before > ${now('$1')} + $2`,
};

export const TRY_OTHERS: Statement = {
  name: 'try_others',
  text: `UPDATE lane SET not_before = ${now('$1')} WHERE not_before > ${now('$1')} AND (held IS NOT NULL AND proven_by <> ALL ($2::text[])
      OR failures > 0 AND strpos(proven_by, $3 || ' ') = 0)`,
};

export const NEXT_DUE: Statement = {
  name: 'next_due',
  text: `${WORK} SELECT min(greatest(lease_until, not_before, CASE
      WHEN EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND turn IS NOT NULL) THEN 0
      WHEN EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND open_attempt IS NOT NULL) THEN 0
      ELSE least(
        (SELECT due_at FROM edit WHERE edit.lane = lane.name AND NOT bulk AND turn IS NULL AND due_at IS NOT NULL
         ORDER BY due_at LIMIT 1),
        (SELECT due_at FROM edit WHERE edit.lane = lane.name AND bulk AND turn IS NULL AND due_at IS NOT NULL
         ORDER BY due_at LIMIT 1)) END)) AS due
    FROM work JOIN lane USING (name)`,
};

function stepping(table: string, where: string): string {
  const first = `SELECT lane FROM edit WHERE ${where}`;
  return `${table}(name) AS (
    (${first} ORDER BY lane LIMIT 1)
    UNION ALL SELECT (${first} AND edit.lane > ${table}.name ORDER BY lane LIMIT 1) FROM ${table} WHERE ${table}.name IS NOT NULL)`;
}

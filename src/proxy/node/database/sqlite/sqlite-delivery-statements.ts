import type { EditState } from '../../../../domain/edit-state.js';
import { EDIT_COLUMNS, LATE_UNTIL, type DueRow, type LaneRow } from '../outbox-rows.js';
import { WORKING_LANES } from './sqlite-lanes.js';
import { NEXT_REVISION, type Statements } from './sqlite-statements.js';
import type { YieldingItem } from './sqlite-yielding.js';

/** An edit that is at the portal, perhaps, and what is known of its item. */
export interface OpenRow {
  readonly seq: number;
  readonly vendor: string;
  readonly item: number;
  readonly lane: string;
  readonly bulk: 0 | 1;
  readonly state: EditState;
  readonly open_attempt: number;
  readonly opened_at: number;
  readonly plain: number | null;
  readonly unsure_until: number | null;
  readonly unsure_seq: number | null;
  readonly late_until: number | null;
}

/** An edit that may leave, unless its item yields: in the middle of a move one does that nobody stands in the way of yet. */
interface OpenableRow extends YieldingItem {
  readonly attempts: number;
  readonly open_attempt: number | null;
  readonly yields: 0 | 1;
}

export type DeliveryStatements = ReturnType<typeof prepareDelivery>;

export function prepareDelivery(database: Statements) {
  const openRow = `SELECT e.seq, e.vendor, e.item, e.lane, e.bulk, e.state, e.open_attempt, item.plain, item.unsure_until,
    item.unsure_seq, ${LATE_UNTIL}, (SELECT opened_at FROM attempt WHERE id = e.open_attempt) AS opened_at
    FROM edit AS e JOIN item ON item.key = e.item`;
  return {
    wantedLane: database
      .prepare<[{ now: number }], string>(
        `WITH ${WORKING_LANES} SELECT work.name FROM work LEFT JOIN lane USING (name)
         WHERE coalesce(lane.lease_until, 0) <= @now AND coalesce(lane.not_before, 0) <= @now
           AND (EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND turn IS NOT NULL)
             OR EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND open_attempt IS NOT NULL)
             OR EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND bulk IN (0, 1) AND turn IS NULL AND due_at <= @now))
         ORDER BY coalesce(lane.leased_at, 0), work.name LIMIT 1`,
      )
      .pluck(),
    lease: database.prepare<[{ name: string; until: number; now: number }], LaneRow>(
      `INSERT INTO lane (name, fence, lease_until, leased_at) VALUES (@name, 1, @until, @now)
       ON CONFLICT (name) DO UPDATE SET fence = fence + 1, lease_until = @until, leased_at = @now
       RETURNING name, fence, held, failures, not_before, proven_by, refusals`,
    ),
    fence: database.prepare<[string], number>('SELECT fence FROM lane WHERE name = ?').pluck(),
    renew: database.prepare('UPDATE lane SET lease_until = ? WHERE name = ?'),
    release: database.prepare(
      'UPDATE lane SET lease_until = ?, held = ?, failures = ?, not_before = ?, proven_by = ?, refusals = ? WHERE name = ?',
    ),
    note: database.prepare(
      'UPDATE lane SET refusals = coalesce(?, refusals), not_before = coalesce(?, not_before) WHERE name = ?',
    ),
    limitPauses: database.prepare<[{ now: number; furthest: number }]>(
      'UPDATE edit SET due_at = @now WHERE turn IS NULL AND due_at > @furthest',
    ),
    limitAgain: database.prepare<[{ now: number; furthest: number }]>(
      'UPDATE item SET again_at = @now WHERE again_at IS NOT NULL AND again_at > @furthest',
    ),
    limitDoubts: database.prepare<[{ landed: number }]>(
      'UPDATE item SET unsure_until = @landed WHERE unsure_until IS NOT NULL AND unsure_until > @landed',
    ),
    limitLanes: database.prepare<[{ now: number; furthest: number }]>(
      'UPDATE lane SET not_before = @now WHERE not_before > @furthest',
    ),
    tryOthers: database.prepare<[{ now: number; credentials: string; baseUrl: string }]>(
      `UPDATE lane SET not_before = @now WHERE not_before > @now
         AND (held IS NOT NULL AND proven_by NOT IN (SELECT value FROM json_each(@credentials))
           OR failures > 0 AND instr(proven_by, @baseUrl || ' ') = 0)`,
    ),
    endLeases: database.prepare('UPDATE lane SET lease_until = 0'),
    moreInLine: database.prepare<[string, number]>(
      'SELECT 1 FROM edit INDEXED BY edit_line WHERE lane = ? AND turn IS NOT NULL LIMIT 1 OFFSET ?',
    ),
    endedPause: database.prepare<[string, number]>(
      'SELECT 1 FROM edit WHERE lane = ? AND bulk IN (0, 1) AND turn IS NULL AND due_at <= ? LIMIT 1',
    ),
    due: database.prepare<[string, number], DueRow>(
      `SELECT ${EDIT_COLUMNS}, item.unsure_seq, ${LATE_UNTIL} FROM edit AS e CROSS JOIN item ON item.key = e.item
       WHERE e.lane = ? AND e.turn IS NOT NULL ORDER BY e.bulk, e.turn, e.seq LIMIT ?`,
    ),
    nextDue: database
      .prepare<[], number | null>(
        `WITH ${WORKING_LANES} SELECT min(max(coalesce(lane.lease_until, 0), coalesce(lane.not_before, 0),
           CASE
             WHEN EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND turn IS NOT NULL) THEN 0
             WHEN EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND open_attempt IS NOT NULL) THEN 0
             ELSE min(
             coalesce((SELECT due_at FROM edit WHERE lane = work.name AND bulk = 0 AND turn IS NULL AND due_at IS NOT NULL
                       ORDER BY due_at LIMIT 1), 9e15),
             coalesce((SELECT due_at FROM edit WHERE lane = work.name AND bulk = 1 AND turn IS NULL AND due_at IS NOT NULL
                       ORDER BY due_at LIMIT 1), 9e15)) END))
         FROM work LEFT JOIN lane USING (name)`,
      )
      .pluck(),
    mayOpen: database.prepare<[number, string, string], OpenableRow>(
      `SELECT e.attempts, e.open_attempt, item.key, item.plain, item.yields AND item.lane = e.lane AND EXISTS (
         SELECT 1 FROM item AS holder WHERE holder.lane = item.lane AND holder.id = item.id AND holder.yields = 0) AS yields
       FROM edit AS e JOIN item ON item.key = e.item
       WHERE e.seq = ? AND e.lane = ? AND e.state = ? AND (e.due_at IS NOT NULL OR e.open_attempt IS NOT NULL)`,
    ),
    openAttempt: database.prepare('INSERT INTO attempt (lane, edits, still_open, opened_at) VALUES (?, ?, ?, ?)'),
    open: database.prepare(
      'UPDATE edit SET open_attempt = ?, attempts = attempts + 1, due_at = NULL, turn = NULL WHERE seq = ?',
    ),
    endAttempt: database.prepare(
      `UPDATE attempt SET delivered = delivered + @delivered, refused = refused + @refused, waiting = waiting + @waiting,
         unknown = unknown + @unknown, split = split + @split, still_open = still_open - @all,
         closed_at = iif(still_open = @all, @now, NULL)
       WHERE id = @id`,
    ),
    openRow: database.prepare<[number, string], OpenRow>(
      `${openRow} WHERE e.seq = ? AND e.lane = ? AND e.open_attempt IS NOT NULL`,
    ),
    openRows: database.prepare<[string], OpenRow>(
      `${openRow} WHERE e.lane = ? AND e.open_attempt IS NOT NULL ORDER BY e.seq`,
    ),
    refusedRow: database.prepare<[number, string], { item: number; vendor: string; again_at: number | null }>(
      `SELECT e.item, e.vendor, item.again_at FROM edit AS e JOIN item ON item.key = e.item
       WHERE e.seq = ? AND e.lane = ? AND e.state = 'refused'`,
    ),
    unpark: database.prepare(`UPDATE edit SET state = 'received', reason = ?, settled_at = NULL WHERE seq = ?`),
    close: database.prepare('UPDATE edit SET open_attempt = NULL WHERE seq = ?'),
    deliver: database.prepare(
      `UPDATE edit SET state = 'delivered', reason = NULL, settled_at = ?, open_attempt = NULL WHERE seq = ?`,
    ),
    refuse: database.prepare(
      'UPDATE edit SET state = ?, reason = ?, settled_at = ?, open_attempt = NULL WHERE seq = ?',
    ),
    wait: database.prepare('UPDATE edit SET reason = ?, due_at = ?, open_attempt = NULL WHERE seq = ?'),
    touch: database.prepare(`UPDATE item SET revision = ${NEXT_REVISION} WHERE key = ?`),
    notSure: database.prepare('UPDATE item SET unsure_until = ?, unsure_seq = ? WHERE key = ?'),
    sayAgain: database.prepare('UPDATE item SET again_at = ? WHERE key = ?'),
  };
}

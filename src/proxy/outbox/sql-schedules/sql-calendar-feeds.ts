import { CLAIM_MS, PARSE_EVERY_MS, READ_EVERY_MS, type FeedClaim, type FeedReading } from '../calendar-feeds.js';
import type { CalendarFeeds, ScheduleCommand } from '../schedules.js';
import { storable, type Database, type Transaction } from '../sql/tables/database.js';
import { adaptToFeed } from './schedule-steps.js';
import { findFeed, findRow, parsedFeed, requestOf, validatorsOf, writeFeed, type FeedRow } from './schedule-rows.js';

/** The calendars of schedules in the tables of the outbox. `calendar-feeds.ts` and `schedules.ts` list the promises. */
export function createSqlCalendarFeeds(database: Database): CalendarFeeds {
  return {
    async nextAt(): Promise<number | undefined> {
      const [row] = await database.query<{ fetch_at: number }>(
        'SELECT fetch_at FROM calendar_feed ORDER BY fetch_at LIMIT 1',
      );
      return row?.fetch_at;
    },

    async claimDue(now: number, limit: number, newId: () => string): Promise<readonly FeedClaim[]> {
      const times = [Math.floor(now), Math.floor(now) + READ_EVERY_MS] as const;
      // Usually none is due, and no transaction is needed.
      const [due] = await database.query(
        'SELECT 1 FROM calendar_feed WHERE fetch_at <= $1 OR fetch_at > $2 LIMIT 1',
        ...times,
      );
      if (due === undefined) return [];
      return database.transaction((transaction) => claimDue(transaction, times, limit, newId), { rowsOnly: true });
    },

    record(claim: FeedClaim, reading: FeedReading, command: ScheduleCommand): Promise<number | undefined> {
      const lane = storable(command.lane);
      return database.transaction((transaction) => record(transaction, claim, reading, { ...command, lane }), {
        vendor: claim.vendor,
        into: [lane],
      });
    },
  };
}

/**
 * Claims due feeds. A feed whose due time is further ahead than any interval was read before the clock was set back: it is
 * due, too.
 */
async function claimDue(
  transaction: Transaction,
  [now, latest]: readonly [now: number, latest: number],
  limit: number,
  newId: () => string,
): Promise<readonly FeedClaim[]> {
  const due = await transaction.query<{ vendor: string; id: string }>(
    `SELECT vendor, schedule AS id FROM calendar_feed WHERE fetch_at <= $1 OR fetch_at > $2
     ORDER BY fetch_at LIMIT $3 ${transaction.dialect.skipLocked}`,
    now,
    latest,
    limit,
  );
  const claims: FeedClaim[] = [];
  for (const { vendor, id } of due) {
    const claim = newId();
    await transaction.query(
      'UPDATE calendar_feed SET claim = $3, fetch_at = $4 WHERE vendor = $1 AND schedule = $2',
      vendor,
      id,
      claim,
      now + CLAIM_MS,
    );
    const [row, feed] = [await findRow(transaction, vendor, id), await findFeed(transaction, { vendor, id })];
    const { feed: url, time_zone: timeZone } = row === undefined ? {} : requestOf(row);
    if (feed === undefined || url === undefined || timeZone === undefined) continue;
    const isParsedAgain = feed.parsed_at > now || feed.parsed_at + PARSE_EVERY_MS <= now;
    claims.push({ vendor, id, url, timeZone, claim, ...(!isParsedAgain && validatorsOf(feed)) });
  }
  return claims;
}

async function record(
  transaction: Transaction,
  claim: FeedClaim,
  reading: FeedReading,
  command: ScheduleCommand,
): Promise<number | undefined> {
  const row = await findRow(transaction, claim.vendor, claim.id);
  const feed = await findFeed(transaction, claim);
  if (row === undefined || feed?.claim !== claim.claim) return undefined;
  const now = Math.floor(command.now);
  const recorded = afterReading(feed, reading, now);
  await writeFeed(transaction, claim, recorded);
  // An unchanged calendar is applied as well, because the clock may have been set.
  return reading.kind === 'failed' ? 0 : adaptToFeed(transaction, row, recorded, command);
}

function afterReading(feed: FeedRow, reading: FeedReading, now: number): FeedRow {
  const fetch_at = now + READ_EVERY_MS;
  switch (reading.kind) {
    case 'read':
      return parsedFeed(reading, now, { fetch_at, done_until: feed.done_until });
    case 'unchanged':
      return { ...feed, read_at: now, failed_since: null, problem: null, fetch_at, claim: null };
    case 'failed':
      // The busy times stay, so that an unreadable calendar makes no items available.
      return {
        ...feed,
        failed_since: feed.failed_since ?? now,
        problem: reading.problem,
        fetch_at,
        claim: null,
      };
  }
}

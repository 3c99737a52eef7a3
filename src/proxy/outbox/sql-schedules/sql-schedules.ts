import type { Schedule } from '../../../contract/schedules.js';
import type { DueSchedule, PutResult, PutSchedule, ScheduleCommand, Schedules } from '../schedules.js';
import { storable, type Database } from '../sql/tables/database.js';
import { putSchedule, runStep } from './schedule-steps.js';
import { findRow, removeFeed, reviseHeld, SCHEDULE_COLUMNS, toSchedule, type ScheduleRow } from './schedule-rows.js';

/** The schedules in the tables of the outbox. `schedules.ts` lists the promises. */
export function createSqlSchedules(database: Database): Schedules {
  return {
    put(command: PutSchedule): Promise<PutResult> {
      const { vendor, subject, name } = command;
      const stored = {
        ...command,
        vendor: storable(vendor),
        subject: storable(subject),
        name: storable(name),
        lane: storable(command.lane),
      };
      return database.transaction((transaction) => putSchedule(transaction, stored), {
        edits: command.request.items.length,
        vendor: stored.vendor,
        into: [stored.lane],
      });
    },

    async get(vendor: string, id: string): Promise<Schedule | undefined> {
      const row = await findRow(database, storable(vendor), id);
      return row && toSchedule(database, row);
    },

    async list(vendor, { after = '', limit }): Promise<Schedule[]> {
      const rows = await database.query<ScheduleRow>(
        `SELECT ${SCHEDULE_COLUMNS} FROM schedule WHERE vendor = $1 AND id > $2 ORDER BY id LIMIT $3`,
        storable(vendor),
        after,
        limit,
      );
      return Promise.all(rows.map((row) => toSchedule(database, row)));
    },

    remove(vendor: string, id: string): Promise<boolean> {
      const name = storable(vendor);
      return database.transaction(
        async (transaction) => {
          const row = await findRow(transaction, name, id);
          if (row === undefined) return false;
          await reviseHeld(transaction, row);
          await removeFeed(transaction, row);
          await transaction.query('DELETE FROM schedule WHERE vendor = $1 AND id = $2', name, id);
          return true;
        },
        { vendor: name },
      );
    },

    async nextAt(): Promise<number | undefined> {
      const [row] = await database.query<{ next_at: number }>(
        'SELECT next_at FROM schedule WHERE next_at IS NOT NULL ORDER BY next_at LIMIT 1',
      );
      return row?.next_at;
    },

    due(now: number, limit: number): Promise<readonly DueSchedule[]> {
      return database.query<DueSchedule>(
        'SELECT vendor, id FROM schedule WHERE next_at IS NOT NULL AND next_at <= $1 ORDER BY next_at LIMIT $2',
        Math.floor(now),
        limit,
      );
    },

    run({ vendor, id }: DueSchedule, command: ScheduleCommand): Promise<number | undefined> {
      const lane = storable(command.lane);
      return database.transaction(
        async (transaction) => {
          const row = await findRow(transaction, vendor, id);
          // Another proxy or a person has changed the schedule since, so the step is not due any more.
          if (row === undefined || row.next_at === null || row.next_at > command.now) return undefined;
          return runStep(transaction, row, { ...command, lane });
        },
        { vendor, into: [lane] },
      );
    },

    prune(before: number): Promise<number> {
      return database.transaction(
        async (transaction) =>
          (await transaction.query('DELETE FROM schedule WHERE ended_at < $1 RETURNING id', before)).length,
        { rowsOnly: true },
      );
    },
  };
}

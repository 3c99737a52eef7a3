import assert from 'node:assert/strict';
import type { ScheduleRequest } from '../../../src/contract/schedules.js';
import type { EditId } from '../../../src/domain/edit.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import type { PutResult, PutSchedule, ScheduleCommand } from '../../../src/proxy/outbox/schedules.js';
import { batch, edit } from './outbox-contract.js';

/** What the contracts of schedules and of calendars share. */

export const HOUR = 3_600_000;
/** A Monday. */
export const T0 = Date.parse('2026-06-01T08:00:00.000Z');
export const VENDOR = 'vendor-a';

let made = 0;

export function newId(): EditId {
  made += 1;
  return `scheduled-${String(made)}` as EditId;
}

export function command(now: number, more: Partial<ScheduleCommand> = {}): ScheduleCommand {
  return { lane: '', now, portalOffset: 0, timestampUnit: 1, newId, hasOtherOwner: () => false, ...more };
}

/** Stores a schedule of Ada. */
export function putSchedule(
  outbox: Outbox,
  id: string,
  request: Omit<ScheduleRequest, 'time_zone'>,
  { now = T0, reading }: { readonly now?: number; readonly reading?: PutSchedule['reading'] } = {},
): Promise<PutResult> {
  return outbox.schedules.put({
    ...command(now),
    vendor: VENDOR,
    subject: 'ada',
    name: 'Ada',
    id,
    request: { time_zone: 'UTC', ...request },
    ...(reading !== undefined && { reading }),
  });
}

/** Runs every due step, as the runner of schedules does. @returns how many items changed */
export async function runDue(outbox: Outbox, now: number): Promise<number> {
  let changed = 0;
  for (const due of await outbox.schedules.due(now, 100))
    changed += (await outbox.schedules.run(due, command(now))) ?? 0;
  return changed;
}

/** Sets the availability of an item as a person does. */
export async function setByHand(
  outbox: Outbox,
  id: string,
  available: boolean,
  now: number,
  subject = 'ada',
): Promise<void> {
  const updated_at = new Date(now).toISOString() as never;
  const accepted = await outbox.accept(batch([edit(id, available, { updated_at })], { now, subject }));
  assert.equal(accepted.kind, 'accepted');
}

import * as z from 'zod/mini';
import { isEditId } from '../domain/edit.js';
import { itemId, timestamp } from './fields.js';

/** Items of one schedule. */
export const MAX_SCHEDULE_ITEMS = 500;

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Made by the page, as an edit id is. */
export const scheduleId = z.custom<string>(isEditId, '1 to 64 of A-Z a-z 0-9 . _ -');

/** A local time. The zone of the schedule makes it a moment. */
const localTime = z
  .string()
  .check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/, 'YYYY-MM-DDTHH:MM'));
const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:MM'));

/** Every week on these days. An end that is not after the beginning is on the next day. */
const weekly = z.strictObject({
  days: z.array(z.enum(WEEKDAYS)).check(z.minLength(1), z.maxLength(7)),
  from: timeOfDay,
  until: timeOfDay,
});

/**
 * When items are not available. Without `from` they are so at once, without `until` for good. With `repeat`, the two say
 * between which moments a closing may begin.
 */
const definition = {
  from: z.optional(localTime),
  until: z.optional(localTime),
  repeat: z.optional(weekly),
  /** IANA name, as in `Europe/Berlin`. */
  time_zone: z.string().check(z.minLength(1), z.maxLength(64)),
};

/**
 * The body of `PUT /v1/schedules/{id}`. With `feed`, the address of a calendar (RFC 5545), its one item is unavailable while the
 * calendar is busy; `time_zone` is then the zone of whole days and of times without one.
 */
export const scheduleRequest = z.strictObject({
  items: z.array(itemId).check(z.minLength(1), z.maxLength(MAX_SCHEDULE_ITEMS)),
  ...definition,
  feed: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
});
export type ScheduleRequest = z.infer<typeof scheduleRequest>;
export type ScheduleDefinition = Omit<ScheduleRequest, 'items'>;

/**
 * Why a calendar could not be read. `not_public`: its address leads into a private network; `unreachable`: no complete answer in
 * time; `rejected`: an answer other than 200; `unreadable`: no calendar, or one that cannot be read as a whole.
 */
export const FEED_PROBLEMS = ['not_public', 'unreachable', 'rejected', 'too_large', 'unreadable'] as const;
export type FeedProblem = (typeof FEED_PROBLEMS)[number];

/** The calendar of a schedule. Its address stays at the proxy: often it is all that protects the calendar. */
const feed = z.object({
  host: z.string(),
  read_at: timestamp,
  /** Present while it cannot be read; the busy times that were read last apply until then. */
  failed_since: z.optional(timestamp),
  problem: z.optional(z.enum(FEED_PROBLEMS)),
});

/**
 * `waiting`: the next thing that it does is to make items unavailable; `closed`: to make them available again; `done`: it does
 * nothing any more.
 */
export const SCHEDULE_STATES = ['waiting', 'closed', 'done'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/**
 * What a schedule is to one of its items. `closed`: it has made the item unavailable and will open it again. `changed`: a
 * person has changed the item since, or it was unavailable before, so the schedule leaves it alone.
 */
export const SCHEDULED_ITEM_STATES = ['waiting', 'closed', 'changed', 'done'] as const;

export const schedule = z.object({
  id: scheduleId,
  items: z.array(z.object({ id: itemId, state: z.enum(SCHEDULED_ITEM_STATES) })),
  ...definition,
  feed: z.optional(feed),
  state: z.enum(SCHEDULE_STATES),
  /** When it does the next thing; absent where it is done, or its calendar has no more busy times. */
  next_at: z.optional(timestamp),
  /** Who made it: the subject, and the name where the host gave one. */
  subject: z.string(),
  name: z.optional(z.string()),
  created_at: timestamp,
});
export type Schedule = z.infer<typeof schedule>;

export const schedules = z.object({ schedules: z.array(schedule), next: z.optional(z.string()) });

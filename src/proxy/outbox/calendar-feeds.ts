import type { FeedProblem } from '../../contract/schedules.js';

/**
 * A half-open interval, `begin` inclusive and `end` exclusive, in which a calendar is busy. Milliseconds since the epoch.
 */
export interface BusyTime {
  readonly begin: number;
  readonly end: number;
}

/** Validators of a calendar for a conditional request (RFC 9110, section 13). */
export interface FeedValidators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface FeedAddress {
  readonly url: string;
  /** The time zone of all-day events and of times without a zone. */
  readonly timeZone: string;
}

/** `busy`: all busy times of the next year, merged and ordered. A calendar that cannot be read completely is `failed`. */
export type FeedReading =
  | ({ readonly kind: 'read'; readonly busy: readonly BusyTime[] } & FeedValidators)
  /** The server answered 304: the calendar has not changed since it had these validators. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly problem: FeedProblem };

/** Fetches and parses the calendars of vendors. Never rejects. */
export interface CalendarSource {
  read(address: FeedAddress, now: number, validators?: FeedValidators): Promise<FeedReading>;
}

/** Largest number of calendars of one vendor. */
export const MAX_FEEDS = 100;
/** Interval between two readings of a calendar, whether the first succeeded or failed. */
export const READ_EVERY_MS = 15 * 60_000;
/** A claim expires after this time, so that another process reads the calendar if its reader was killed. */
export const CLAIM_MS = 60_000;
/** An unchanged calendar is parsed again after this time, because busy times are only stored for the next year. */
export const PARSE_EVERY_MS = 24 * 3_600_000;

/** A claimed reading: no other process reads this feed until it is recorded or the claim expires. */
export interface FeedClaim extends FeedAddress, FeedValidators {
  readonly vendor: string;
  /** The id of the schedule. */
  readonly id: string;
  readonly claim: string;
}

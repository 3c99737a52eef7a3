import type { FeedProblem } from '../../contract/schedules.js';

/** A time in which a calendar is busy, in milliseconds since the epoch, without its end. */
export interface BusyTime {
  readonly begin: number;
  readonly end: number;
}

/** Validators of a calendar, with which the next request is conditional (RFC 9110, section 13). */
export interface FeedValidators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface FeedAddress {
  readonly url: string;
  /** The zone of whole days, and of times that name none. */
  readonly timeZone: string;
}

/** `busy`: every busy time of the next year, merged and in order. A calendar that is not read as a whole has failed. */
export type FeedReading =
  | ({ readonly kind: 'read'; readonly busy: readonly BusyTime[] } & FeedValidators)
  /** As it was when it came with these validators. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly problem: FeedProblem };

/** Fetches and parses the calendars of vendors. Never rejects. */
export interface CalendarSource {
  read(address: FeedAddress, now: number, validators?: FeedValidators): Promise<FeedReading>;
}

/** Calendars of one vendor at most. */
export const MAX_FEEDS = 100;
/** Between two readings of a calendar, whatever came of the first. */
export const READ_EVERY_MS = 15 * 60_000;
/** The claim of a reader that was killed ends after this time. */
export const CLAIM_MS = 60_000;
/**
 * A calendar that has not changed is parsed again after this time: its busy times are known a year ahead, and the year moves on.
 */
export const PARSE_EVERY_MS = 24 * 3_600_000;

/** Reading of one feed that no other process does now. */
export interface FeedClaim extends FeedAddress, FeedValidators {
  readonly vendor: string;
  /** Of the schedule. */
  readonly id: string;
  readonly claim: string;
}

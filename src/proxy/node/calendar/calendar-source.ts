import type { ReadableStream } from 'node:stream/web';
import type { FeedProblem } from '../../../contract/schedules.js';
import type { CalendarSource, FeedAddress, FeedReading, FeedValidators } from '../../outbox/calendar-feeds.js';
import { BodyTooLarge, readText } from '../../runtime/read-body.js';
import { CalendarTooLarge, parseCalendar } from './calendar-parser.js';
import { AddressNotPublic, createPublicFetch, type PublicFetchOptions } from './public-fetch.js';

/** Limit after content decoding. Years of bookings of one house take about a tenth of it. */
export const MAX_CALENDAR_BYTES = 1024 * 1024;
/** Characters. A longer validator is not stored. */
const MAX_VALIDATOR_LENGTH = 200;

/** Creates a reader of calendars that calls only the public internet, unless the options allow more. */
export function createCalendarSource(options: PublicFetchOptions = {}): CalendarSource {
  const fetch = createPublicFetch(options);

  async function read(
    { url, timeZone }: FeedAddress,
    now: number,
    { etag, lastModified }: FeedValidators,
  ): Promise<FeedReading> {
    const response = await fetch(url, {
      Accept: 'text/calendar, */*;q=0.1',
      'User-Agent': 'inventory-widget',
      ...(etag !== undefined && { 'If-None-Match': etag }),
      ...(lastModified !== undefined && { 'If-Modified-Since': lastModified }),
    });
    const isConditional = etag !== undefined || lastModified !== undefined;
    if (response.status !== 200) {
      await response.body?.cancel();
      return response.status === 304 && isConditional ? { kind: 'unchanged' } : failed('rejected');
    }
    const text = await readText(response.body as ReadableStream<Uint8Array> | null as never, MAX_CALENDAR_BYTES);
    const busy = await parseCalendar({ text, timeZone, now });
    if (busy === undefined) return failed('unreadable');
    return {
      kind: 'read',
      busy,
      etag: validator(response.headers.get('ETag')),
      lastModified: validator(response.headers.get('Last-Modified')),
    };
  }

  return {
    async read(address, now, validators = {}) {
      try {
        return await read(address, now, validators);
      } catch (error) {
        return failed(problemOf(error));
      }
    },
  };
}

function failed(problem: FeedProblem): FeedReading {
  return { kind: 'failed', problem };
}

function validator(value: string | null): string | undefined {
  return value !== null && value.length <= MAX_VALIDATOR_LENGTH ? value : undefined;
}

/** Finds the kind of a failure in the chain of causes, because `fetch` wraps the error of the connection. */
function problemOf(error: unknown): FeedProblem {
  if (error instanceof AddressNotPublic) return 'not_public';
  if (error instanceof BodyTooLarge || error instanceof CalendarTooLarge) return 'too_large';
  if (error instanceof Error && error.cause !== undefined) return problemOf(error.cause);
  const isUndecodable =
    error instanceof TypeError && (error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  return isUndecodable ? 'unreadable' : 'unreachable';
}

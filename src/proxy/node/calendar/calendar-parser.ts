import { Worker } from 'node:worker_threads';
import type { BusyTime } from '../../outbox/calendar-feeds.js';
import { ConcurrencyQueue } from '../../http/concurrency-limit.js';
import type { ParseReply, ParseRequest } from './parse-thread.js';

/** A calendar of one megabyte takes about one second. */
const MAX_PARSE_MS = 10_000;
const MAX_HEAP_MB = 128;
const CONCURRENT_PARSERS = 2;

/** Parsing took too long or too much memory. */
export class CalendarTooLarge extends Error {
  override readonly name = 'CalendarTooLarge';
}

const queue = new ConcurrencyQueue(CONCURRENT_PARSERS);

/**
 * Parses a calendar in a separate thread that is terminated after ten seconds: a recurrence rule may keep the parser busy
 * without end, and this process also serves the pages of all vendors.
 *
 * @returns the busy times; `undefined` if the calendar cannot be read completely
 * @throws {CalendarTooLarge}
 */
export function parseCalendar(request: ParseRequest, maxMs = MAX_PARSE_MS): Promise<readonly BusyTime[] | undefined> {
  return queue.run(
    () =>
      new Promise((resolve, reject) => {
        const thread = new Worker(THREAD, {
          workerData: request,
          env: {},
          resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
        });
        const timer = setTimeout(() => {
          settle(() => {
            reject(new CalendarTooLarge(`not parsed within ${String(maxMs)} ms`));
          });
        }, maxMs);
        const settle = (how: () => void): void => {
          clearTimeout(timer);
          how();
          void thread.terminate();
        };
        thread.once('message', ({ busy }: ParseReply) => {
          settle(() => {
            resolve(busy);
          });
        });
        thread.once('error', (error) => {
          settle(() => {
            reject(new CalendarTooLarge('the parser failed', { cause: error }));
          });
        });
      }),
  );
}

/** The file beside this one with the same extension, because tests run the sources. */
const THREAD = new URL(`./parse-thread${import.meta.url.slice(-3)}`, import.meta.url);

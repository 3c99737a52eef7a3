import { parentPort, workerData } from 'node:worker_threads';
import type { BusyTime } from '../../outbox/calendar-feeds.js';
import { busyTimes, UnreadableCalendar } from './busy-times.js';

/** What the thread is given. */
export interface ParseRequest {
  readonly text: string;
  readonly timeZone: string;
  readonly now: number;
}

export interface ParseReply {
  /** Absent: the calendar cannot be read as a whole. */
  readonly busy?: readonly BusyTime[] | undefined;
}

/** The whole life of the thread of `calendar-parser.ts`. */
const { text, timeZone, now } = workerData as ParseRequest;
parentPort?.postMessage(reply());

function reply(): ParseReply {
  try {
    return { busy: busyTimes(text, timeZone, now) };
  } catch (error) {
    if (error instanceof UnreadableCalendar) return {};
    throw error;
  }
}

import { parentPort, workerData } from 'node:worker_threads';
import type { BusyTime } from '../../outbox/calendar-feeds.js';
import { busyTimes, UnreadableCalendar } from './busy-times.js';

/** The input of the thread. */
export interface ParseRequest {
  readonly text: string;
  readonly timeZone: string;
  readonly now: number;
}

export interface ParseReply {
  /** Absent if the calendar cannot be read completely. */
  readonly busy?: readonly BusyTime[] | undefined;
}

/** The program of the thread that `calendar-parser.ts` starts: it parses one calendar, replies and ends. */
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

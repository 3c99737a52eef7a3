import { pino } from 'pino';
import type { Log, LogLevel } from '../log.js';

/** One JSON object a line on standard output. Only the fields of `LogFields` can be said. */
export function createJsonLog(level: LogLevel): Log {
  const logger = pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
  return (lineLevel, event, fields) => {
    logger[lineLevel]({ ...fields }, event);
  };
}

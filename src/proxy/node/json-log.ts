import { pino, type DestinationStream } from 'pino';
import { LOG_FIELDS, type Log, type LogLevel } from '../log.js';

/** One JSON object a line, by default on standard output. Only the fields of `LogFields` can be said. */
export function createJsonLog(level: LogLevel, destination: DestinationStream = pino.destination(1)): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return (lineLevel, event, fields = {}) => {
    if (!logger.isLevelEnabled(lineLevel)) return;
    logger[lineLevel](Object.fromEntries(LOG_FIELDS.map((name) => [name, fields[name]])), event);
  };
}

import { pino, type DestinationStream } from 'pino';
import { LOG_FIELDS, type Log, type LogLevel } from '../log.js';

/** Of lines that cannot be written; no more are kept. */
const MOST_KEPT_BYTES = 1024 * 1024;

/**
 * Where it goes may take nothing more, as a file on a full disk: lines wait then for the next one that can be written, and
 * the proxy goes on. As it comes, the first of them would end the process, which would then try for ever to write the rest.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: MOST_KEPT_BYTES });
  const flush = output.flushSync.bind(output);
  let takesLines = true;
  output.on('error', () => (takesLines = false));
  output.on('write', () => (takesLines = true));
  // At the end of the process.
  output.flushSync = () => {
    if (takesLines) flush();
  };
  return output;
}

/** One JSON object a line, by default on standard output. Only the fields of `LogFields` can be said. */
export function createJsonLog(level: LogLevel, destination: DestinationStream = standardOutput()): Log {
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

import { pino, type DestinationStream } from 'pino';
import { LOG_FIELDS, type Log, type LogLevel } from '../../runtime/log.js';

/** Lines that cannot be written are buffered up to this size; later ones are dropped. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Standard output that survives a failed write, for example to a file on a full disk: lines are buffered until writing
 * succeeds. By default the first failure would end the process, which would then try without end to flush the rest.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: MAX_BUFFERED_BYTES });
  const flush = output.flushSync.bind(output);
  let isWritable = true;
  output.on('error', () => (isWritable = false));
  output.on('write', () => (isWritable = true));
  // pino calls this at the end of the process.
  output.flushSync = () => {
    if (isWritable) flush();
  };
  return output;
}

/**
 * Characters that JSON does not escape and a terminal interprets: controls beyond ASCII, bidirectional marks, invisible marks.
 * A log line may quote a forged token with any of them, so they are escaped, which leaves the JSON value the same.
 */
const CONTROL_CHARACTERS = /[\x7f-\x9f\u2028\u2029\p{Cf}]/gu;

function escapeControls(line: string): string {
  return line.replace(CONTROL_CHARACTERS, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Writes one JSON object per line, by default to standard output. It writes the fields of `LogFields` and no others. */
export function createJsonLog(level: LogLevel, destination: DestinationStream = standardOutput()): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => void destination.write(escapeControls(line)) },
  );
  return (lineLevel, event, fields = {}) => {
    if (!logger.isLevelEnabled(lineLevel)) return;
    logger[lineLevel](Object.fromEntries(LOG_FIELDS.map((name) => [name, fields[name]])), event);
  };
}

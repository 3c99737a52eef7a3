import { pino, type DestinationStream } from 'pino';
import { LOG_FIELDS, type Log, type LogLevel } from '../../runtime/log.js';

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

/**
 * What JSON may hold as it is and a terminal obeys, or shows as something else: controls beyond ASCII, marks that turn a line
 * round, marks that nobody sees. A token that anybody made up is quoted here. Escaped, the line says the same.
 */
const UNSEEN = /[\x7f-\x9f\u2028\u2029\p{Cf}]/gu;

function seen(line: string): string {
  return line.replace(UNSEEN, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
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
    { write: (line) => void destination.write(seen(line)) },
  );
  return (lineLevel, event, fields = {}) => {
    if (!logger.isLevelEnabled(lineLevel)) return;
    logger[lineLevel](Object.fromEntries(LOG_FIELDS.map((name) => [name, fields[name]])), event);
  };
}

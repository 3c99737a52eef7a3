import { isExactOrigin } from './guard.js';
import type { Log } from '../runtime/log.js';

/** Anybody's page may ask: a log that each of them could lengthen would be theirs. */
const MOST = 50;
const LONGEST = 200;

/**
 * Says once of each origin that it is not a listed one. The browser hides from such a page what the proxy answers, so that
 * whoever has forgotten the origin, or misspelt it, finds it nowhere else.
 *
 * @returns told of the `Origin` of a request that is not listed
 */
export function sayStrangeOrigins(log: Log): (origin: string) => void {
  const said = new Set<string>();
  return (origin) => {
    if (said.size >= MOST || said.has(origin) || origin.length > LONGEST) return;
    // What a browser sends for a page in a sandboxed frame, or from a file.
    if (origin !== 'null' && !isExactOrigin(origin)) return;
    said.add(origin);
    log('warn', 'pages of this origin may not ask', { address: origin });
  };
}

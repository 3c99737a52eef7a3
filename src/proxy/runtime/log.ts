import type { Clock } from './clock.js';

/**
 * The fields of a log line. The list is closed, so that a token, a body or a cookie has no field to end up in
 * (T11 of `test/security/threats.ts`; the `Secret` type is the second line of defence).
 */
export interface LogFields {
  readonly request_id?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly code?: string;
  readonly milliseconds?: number;
  readonly vendor?: string;
  readonly items?: number;
  readonly reason?: string;
  readonly address?: string;
  /** Media type of a response of the portal, without parameters. */
  readonly content_type?: string;
  /** The portal's own message: one line of at most 200 characters, secrets redacted. It is never sent to the page. */
  readonly portal_said?: string;
  /** Name and message of an error of the proxy's own, never a body of a request or response. */
  readonly error?: string;
}

/** A log writer copies these fields and no others: at run time an object may hold more than its type says. */
export const LOG_FIELDS = Object.keys({
  request_id: true,
  method: true,
  route: true,
  status: true,
  code: true,
  milliseconds: true,
  vendor: true,
  items: true,
  reason: true,
  address: true,
  content_type: true,
  error: true,
  portal_said: true,
} satisfies Record<keyof LogFields, true>) as readonly (keyof LogFields)[];

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;

export const noLog: Log = () => undefined;

const WARNING_INTERVAL_MS = 60_000;

/**
 * Limits warnings to one per minute and kind, because a wrong setting fails every request. In between, the same line is
 * logged at `info`, where each request can be found by its id.
 *
 * @returns a function that takes a kind from a closed list and returns the level
 */
export function createWarningLimit(clock: Pick<Clock, 'monotonic'>): (kind: string) => 'warn' | 'info' {
  const warnedAt = new Map<string, number>();
  return (kind) => {
    const now = clock.monotonic();
    if (now - (warnedAt.get(kind) ?? -Infinity) < WARNING_INTERVAL_MS) return 'info';
    warnedAt.set(kind, now);
    return 'warn';
  };
}

import { BodyTooLarge } from '../runtime/read-body.js';

/**
 * The cause of a failed fetch, set by the server adapter: the name lookup, the connection or the TLS handshake failed,
 * so no byte of the request was sent.
 */
export class NeverConnected extends Error {
  override readonly name: string = 'NeverConnected';
}

/** The forward proxy failed. The message is ours, says what to change, and contains neither user name nor password. */
export class ForwardProxyFailed extends NeverConnected {
  override readonly name = 'ForwardProxyFailed';
}

const NOT_SENT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The connection was not established, so the portal cannot have applied the call. */
export function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NeverConnected || NOT_SENT_CODES.has(errorCodeOf(cause) ?? '');
}

/**
 * The platform's code for a failed call, for the log: `CERT_HAS_EXPIRED`, `ENOTFOUND`, `TimeoutError`. An error message
 * is logged only if it is ours, because others may quote what was sent.
 */
export function describeFailure(error: unknown): string {
  const innermost = innermostCause(error);
  if (innermost instanceof ForwardProxyFailed) return innermost.message;
  if (innermost instanceof BodyTooLarge) return `its answer has ${innermost.message}`;
  return errorCodeOf(innermost) ?? (innermost instanceof Error ? innermost.name : typeof innermost);
}

/**
 * Fetch reports every network failure as "fetch failed" with a cause. If a host name has several addresses, the cause
 * has an error for each; the first one is used.
 */
export function innermostCause(error: unknown): unknown {
  let innermost = error;
  while (innermost instanceof Error) {
    const next: unknown = innermost.cause ?? (innermost instanceof AggregateError ? innermost.errors[0] : undefined);
    if (next === undefined) break;
    innermost = next;
  }
  return innermost;
}

export function errorCodeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  // The `code` of a DOMException is a number.
  return typeof code === 'string' ? code : undefined;
}

import { BodyTooLarge } from '../runtime/read-body.js';

/**
 * A fetch of the rim may give this as the cause of its failure: name, connection or TLS handshake failed, so that not a byte
 * of the call has left.
 */
export class NeverConnected extends Error {
  override readonly name: string = 'NeverConnected';
}

/**
 * What stands between us and the portal failed. The message is in words of ours, says what to change, and holds neither user
 * nor password.
 */
export class ForwardProxyFailed extends NeverConnected {
  override readonly name = 'ForwardProxyFailed';
}

const NOT_SENT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The connection was never made, so the portal cannot have applied the call. */
export function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NeverConnected || NOT_SENT_CODES.has(errorCodeOf(cause) ?? '');
}

/**
 * What the platform calls the failure of a call, for the log: `CERT_HAS_EXPIRED`, `ENOTFOUND`, `TimeoutError`. Never its
 * message, which may quote what was sent, but where that is ours.
 */
export function describeFailure(error: unknown): string {
  const innermost = innermostCause(error);
  if (innermost instanceof ForwardProxyFailed) return innermost.message;
  if (innermost instanceof BodyTooLarge) return `its answer has ${innermost.message}`;
  return errorCodeOf(innermost) ?? (innermost instanceof Error ? innermost.name : typeof innermost);
}

/** The fetch standard has "fetch failed" for all of it; where a name has several addresses the cause is that of each. */
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
  // A DOMException has a number.
  return typeof code === 'string' ? code : undefined;
}

import { toTimestamp } from '../../domain/item.js';
import { VERSION } from '../../contract/version.js';
import type { Session } from '../../contract/widget.js';
import { CLOCK_TOLERANCE_SECONDS, type ProxySession } from '../access/session.js';
import { jsonResponse } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';

/** `GET /v1/session`: who the session belongs to, what it may do, and until when. */
export async function describeSession(
  _request: Request,
  session: ProxySession,
  { limits, clock }: RouteContext,
): Promise<Response> {
  const body: Session = {
    vendor: session.vendor,
    subject: session.subject,
    name: session.name,
    permissions: [...session.permissions],
    ...(session.items !== undefined && { items: [...session.items] }),
    limits: { max_edits: limits.maxEdits, max_body_bytes: limits.maxBodyBytes },
    server_time: toTimestamp(clock.wall()),
    expires_at: toTimestamp(session.expiresAt),
    version: VERSION,
  };
  return Promise.resolve(jsonResponse(body));
}

/**
 * `DELETE /v1/session`: the person signs out, and the token of this session is refused from now on. A session of the
 * host's own `authenticate` has no token, and is the host's to end.
 */
export async function endSession(_request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  const { tokenId, expiresAt } = session;
  // The proxy remembers it for as long as the token would be accepted.
  if (tokenId !== undefined) await context.revocationList.add(tokenId, expiresAt + CLOCK_TOLERANCE_SECONDS * 1000);
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

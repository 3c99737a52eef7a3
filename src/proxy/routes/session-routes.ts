import { toTimestamp } from '../../domain/item.js';
import { VERSION } from '../../contract/version.js';
import type { Session } from '../../contract/widget.js';
import type { ProxySession } from '../access/session.js';
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
 * `DELETE /v1/session`: the person signs out, and every token of theirs that was issued until now is refused from now on. A
 * session of the host's own `authenticate` without a token is the host's to end.
 */
export async function endSession(_request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  await context.signOuts.end(session);
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

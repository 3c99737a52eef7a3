import { toTimestamp } from '../../domain/item.js';
import { VERSION } from '../../contract/version.js';
import type { Session } from '../../contract/widget.js';
import type { ProxySession } from '../access/session.js';
import { jsonResponse } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';

/** `GET /v1/session`: the person of the session, their permissions and the expiry. */
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
 * `DELETE /v1/session`: signs the person out. Every token that was issued to them until now is rejected from now on. A
 * session of the host's own `authenticate` without a token is not affected: only the host can end it.
 */
export async function endSession(_request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  await context.signOuts.end(session);
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

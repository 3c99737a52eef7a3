import type { ApiResponse } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';
import type { ProxySession } from '../access/session.js';
import { CLOCK_TOLERANCE_SECONDS } from '../access/token-lifetime.js';

/**
 * `DELETE /v1/session`: the person signs out, and the token that said so is good for nothing any more. A session of the
 * host's own `authenticate` has no token, and is the host's to end.
 */
export async function endSession(
  _request: Request,
  session: ProxySession,
  context: RouteContext,
): Promise<ApiResponse> {
  const { tokenId, expiresAt } = session;
  // As long as the token would be taken it is remembered.
  if (tokenId !== undefined) await context.revocationList.add(tokenId, expiresAt + CLOCK_TOLERANCE_SECONDS * 1000);
  return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null };
}

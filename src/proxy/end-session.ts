import type { Answer } from './answers.js';
import type { RouteContext } from './route.js';
import type { ProxySession } from './session.js';

/** Tokens are taken for a minute after their end, because clocks differ; so long they are remembered too. */
const TOLERANCE_MS = 60_000;

/**
 * `DELETE /v1/session`: the person signs out, and the token that said so is good for nothing any more. A session of the
 * host's own `authenticate` has no token, and is the host's to end.
 */
export async function endSession(_request: Request, session: ProxySession, context: RouteContext): Promise<Answer> {
  const { tokenId, expiresAt } = session;
  if (tokenId !== undefined) await context.endedSessions.add(tokenId, expiresAt + TOLERANCE_MS);
  return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null };
}

import type { JournalEntry } from '../../src/sandbox/journal.js';
import type { SandboxPortal } from '../../src/sandbox/sandbox-portal.js';

export const CLIENT = { clientId: 'guest-house', clientSecret: 'a-secret-that-is-not-one' };
export const GRANT = grantOf(CLIENT);
export const KAYAK = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' };
export const JSON_TYPE = { 'content-type': 'application/json' };

/** The fields of this client's token request. */
export function grantOf({ clientId, clientSecret }: typeof CLIENT) {
  return { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
}

/** Sends a request to the portal, as JSON unless other headers are given. */
export function ask(
  portal: SandboxPortal,
  method: string,
  path: string,
  body?: BodyInit,
  headers: HeadersInit = JSON_TYPE,
): Promise<Response> {
  return portal.fetch(new Request(`http://portal.test${path}`, { method, headers, body: body ?? null }));
}

export async function getToken(portal: SandboxPortal, grant: object = GRANT): Promise<string> {
  const answer = await ask(portal, 'POST', '/v1/oauth/token', JSON.stringify(grant));
  return ((await answer.json()) as { access_token: string }).access_token;
}

export async function lastEntry(portal: SandboxPortal): Promise<JournalEntry | undefined> {
  const page = (await (await ask(portal, 'GET', '/sandbox/journal')).json()) as { entries: JournalEntry[] };
  return page.entries.at(-1);
}

import type { Person } from '../../contract/person.js';

/**
 * Reads the claims of an embed token (RFC 7519) without checking it, which is the proxy's business. It tells this page
 * whose waiting edits to show while the proxy cannot be asked, and grants nothing.
 */
export function personIn(token: string | undefined): Person | undefined {
  try {
    const payload = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const { vendor, sub: subject } = claims as Record<string, unknown>;
    return typeof vendor === 'string' && typeof subject === 'string' ? { vendor, subject } : undefined;
  } catch {
    // No JWT: the proxy will say who it is.
    return undefined;
  }
}

import { signEmbedToken } from '../../src/proxy/access/sign-embed-token.js';
import type { Permission } from '../../src/contract/widget.js';

/**
 * The person who is signed in at the demo's admin page: `session="/inventory-session?as=…"`. A real host reads its own
 * session cookie.
 */
export type Role = 'vendor' | 'colleague' | 'visitor' | 'newcomer' | 'many' | 'assistant';

interface Person {
  readonly subject: string;
  readonly name?: string;
  readonly vendor: string;
  readonly permissions: readonly Permission[];
}

const EVERYTHING: readonly Permission[] = ['view', 'edit', 'bulk', 'schedule', 'history', 'resolve'];

const PEOPLE: Readonly<Record<Role, Person>> = {
  vendor: { subject: 'demo-person', vendor: 'demo-vendor', permissions: EVERYTHING },
  colleague: { subject: 'demo-colleague', name: 'A colleague', vendor: 'demo-vendor', permissions: EVERYTHING },
  visitor: { subject: 'demo-visitor', vendor: 'demo-vendor', permissions: ['view'] },
  newcomer: { subject: 'demo-newcomer', vendor: 'demo-newcomer', permissions: EVERYTHING },
  many: { subject: 'demo-many', vendor: 'demo-many', permissions: EVERYTHING },
  assistant: { subject: 'demo-assistant', name: 'An assistant', vendor: 'demo-many', permissions: ['view', 'edit'] },
};

export function roleOf(text: string | null): Role {
  return Object.keys(PEOPLE).find((role): role is Role => role === text) ?? 'vendor';
}

export interface Issuer {
  /** The address at which browsers reach this host. */
  readonly origin: string;
  readonly proxy: string;
  /** The secret that the proxy reads from `SESSION_SECRET_FILE`. */
  readonly sessionSecret: string;
}

export function tokenFor(role: Role, { origin, proxy, sessionSecret }: Issuer): Promise<string> {
  return signEmbedToken(sessionSecret, { issuer: origin, audience: proxy, origin, ...PEOPLE[role] });
}

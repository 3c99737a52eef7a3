import * as z from 'zod/mini';
import type { Person } from '../../contract/widget.js';

const TAB_KEY = 'vendor-inventory-tab';
/** Names the lock of a page that does not know its person yet; its owner follows. */
export const TAB_LOCK = 'vendor-inventory-tab:';

/** Why an edit waits that was made before it was known who was there: whoever is here now says whether it counts. */
export const UNCLAIMED = 'unclaimed';

/**
 * A name for this tab that survives a reload. Random, means nothing to anybody else.
 * @param session where the page asks who is there: at another address somebody else may be
 */
export function provisionalOwner(proxy: string, random: () => string, session?: string): string {
  return JSON.stringify([proxy, 'tab', tabName(random), session]);
}

function tabName(random: () => string): string {
  try {
    return (sessionStorage[TAB_KEY] ??= random()) as string;
  } catch {
    // Storage is forbidden here, or full: the name then lasts as long as the page, like everything else.
    return random();
  }
}

export function ownerOf(proxy: string, { vendor, subject }: Person): string {
  return JSON.stringify([proxy, 'person', vendor, subject]);
}

/** Whether this tab worked before it knew for whom. */
export function isProvisional(owner: string): boolean {
  return partsOf(owner)?.[1] === 'tab';
}

/** Left by a page at the same proxy that went before it knew its person. */
export function isOrphaned(owner: string, person: string): boolean {
  return isProvisional(owner) && !isProvisional(person) && partsOf(owner)?.[0] === partsOf(person)?.[0];
}

const ownerName = z.tuple([z.string(), z.enum(['tab', 'person'])], z.unknown());

/** `undefined`: a name that another script has written into the page's storage. */
function partsOf(owner: string): readonly unknown[] | undefined {
  try {
    return ownerName.safeParse(JSON.parse(owner)).data;
  } catch {
    // No JSON.
    return undefined;
  }
}

const claims = z.object({ vendor: z.string(), sub: z.string() });

/**
 * Reads the claims of an embed token (RFC 7519) without checking it, which is the proxy's business. It tells this page
 * whose waiting edits to show while the proxy cannot be asked, and grants nothing.
 */
export function personIn(token: string | undefined): Person | undefined {
  try {
    const payload = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const { data } = claims.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return data && { vendor: data.vendor, subject: data.sub };
  } catch {
    // No JWT: the proxy will say who it is.
    return undefined;
  }
}

import * as z from 'zod/mini';
import type { Person } from '../../contract/widget.js';
import { toJson } from '../to-json.js';

const TAB_KEY = 'vendor-inventory-tab';
/** Prefix of the lock of a page that does not know its person yet; the provisional owner follows. */
export const TAB_LOCK = 'vendor-inventory-tab:';

/** The reason of an edit from before the person was known: the person who is signed in now decides whether to send it. */
export const UNCLAIMED = 'unclaimed';

/**
 * The owner of edits until the person is known: a random name of this tab that survives a reload.
 *
 * @param session the session URL of the page: another URL may belong to another person
 */
export function createProvisionalOwner(proxy: string, random: () => string, session?: string): string {
  return toJson([proxy, 'tab', tabName(random), session]);
}

function tabName(random: () => string): string {
  try {
    return (sessionStorage[TAB_KEY] ??= random()) as string;
  } catch {
    // Storage is forbidden or full. The name then lasts as long as the page, as its edits do.
    return random();
  }
}

export function toOwner(proxy: string, { vendor, subject }: Person): string {
  return toJson([proxy, 'person', vendor, subject]);
}

/** Whether this is the owner of edits from before the person was known. */
export function isProvisional(owner: string): boolean {
  return partsOf(owner)?.[1] === 'tab';
}

/** Whether these edits were left by a page for the same proxy that closed before it knew its person. */
export function isOrphaned(owner: string, person: string): boolean {
  return isProvisional(owner) && !isProvisional(person) && partsOf(owner)?.[0] === partsOf(person)?.[0];
}

const ownerName = z.tuple([z.string(), z.enum(['tab', 'person'])], z.unknown());

/** @returns `undefined` for a name that another script has written into the page's storage */
function partsOf(owner: string): readonly unknown[] | undefined {
  try {
    return ownerName.safeParse(JSON.parse(owner)).data;
  } catch {
    // The name is not JSON, so this widget did not write it.
    return undefined;
  }
}

const claims = z.object({ vendor: z.string(), sub: z.string() });

/**
 * Reads the claims of an embed token (RFC 7519) without verifying it, which only the proxy can. The page uses them to choose
 * whose waiting edits to show while the proxy is unreachable. They grant no permission.
 */
export function readPerson(token: string | undefined): Person | undefined {
  try {
    const payload = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '';
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const { data } = claims.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return data && { vendor: data.vendor, subject: data.sub };
  } catch {
    // The token is not a JWT. The session of the proxy will name the person.
    return undefined;
  }
}

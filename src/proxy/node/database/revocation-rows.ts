import { hash } from 'node:crypto';
import type { Revocation } from '../../access/ended-sessions.js';

/** A row of the table `revoked_token`. */
export interface RevocationRow {
  readonly token: string;
  readonly until: number;
  readonly issued_until: number | null;
}

/** The stored form of a name. A stolen database reveals neither tokens nor people. */
export function keyOf(name: string): string {
  return hash('sha256', name);
}

export function revocationOf({ until, issued_until }: Omit<RevocationRow, 'token'>): Revocation {
  return { until, issuedUntil: issued_until ?? undefined };
}

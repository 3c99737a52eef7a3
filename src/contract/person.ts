/**
 * Whom a page without a token takes to be signed in: cookies the browser changes unseen, so the call itself says for whom it
 * is made, and the proxy answers `session_changed` where somebody else has signed in since.
 */
export const PERSON_HEADER = 'inventory-person';

/** Who is signed in: a person is known by name to one vendor. */
export interface Person {
  readonly vendor: string;
  readonly subject: string;
}

/** @returns what stands in that header: both percent-encoded, so that no comma of theirs is the one between them */
export function personNamed({ vendor, subject }: Person): string {
  return [vendor, subject].map(encodeURIComponent).join();
}

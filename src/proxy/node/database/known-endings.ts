import { hash } from 'node:crypto';

/** Sign-outs that this process knows of, by the SHA-256 of their token's id: the id itself is kept nowhere. */
export class KnownEndings {
  readonly #until = new Map<string, number>();

  has(tokenId: string): boolean {
    // Nearly always nobody has signed out lately, and nothing has to be hashed.
    return this.#until.size > 0 && this.#until.has(placeOf(tokenId));
  }

  /** @param place from {@link placeOf} @param until milliseconds since the epoch; after that nobody has to know */
  note(place: string, until: number, now: number): void {
    if (until >= now) this.#until.set(place, Math.max(until, this.#until.get(place) ?? 0));
  }

  /** Lets go of those whose tokens have ended by themselves. */
  forget(now: number): void {
    for (const [place, until] of this.#until) if (until < now) this.#until.delete(place);
  }
}

export function placeOf(tokenId: string): string {
  return hash('sha256', tokenId);
}

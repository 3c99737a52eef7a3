import { hash } from 'node:crypto';

/** The sign-outs that this process knows of, by the SHA-256 of their token's id: the id itself is not kept. */
export class KnownEndings {
  readonly #until = new Map<string, number>();

  has(tokenId: string): boolean {
    // Usually no sign-out is recent, and nothing has to be hashed.
    return this.#until.size > 0 && this.#until.has(placeOf(tokenId));
  }

  /** @param place from {@link placeOf} @param until milliseconds since the epoch; the sign-out is forgotten after that */
  note(place: string, until: number, now: number): void {
    if (until >= now) this.#until.set(place, Math.max(until, this.#until.get(place) ?? 0));
  }

  /** Forgets those whose tokens have expired. */
  forget(now: number): void {
    for (const [place, until] of this.#until) if (until < now) this.#until.delete(place);
  }
}

export function placeOf(tokenId: string): string {
  return hash('sha256', tokenId);
}

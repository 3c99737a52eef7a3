import { Refusal } from './answers.js';
import type { ProxySession } from './session.js';

/** Fewer than the connections that our server takes: what is left is for edits, which cannot wait. */
export const MOST_STREAMS = 4_000;
/** A browser needs one for all its tabs, and an account may be used on many devices. */
export const MOST_OF_ONE = 50;

/**
 * Event streams that are open: each keeps a connection for minutes, and each looks at every change of its vendor. A page
 * without one asks by the clock.
 */
export class StreamPlaces {
  readonly #people = new Map<string, number>();
  #taken = 0;

  /** @returns gives the place back, once @throws {Refusal} where there is none */
  take({ vendor, subject }: ProxySession): () => void {
    // Neither holds a line break: nobody is taken for another.
    const person = `${vendor}\n${subject}`;
    const own = this.#people.get(person) ?? 0;
    if (own >= MOST_OF_ONE) throw new Refusal('budget_spent', undefined, { 'Retry-After': '60' });
    if (this.#taken >= MOST_STREAMS) throw new Refusal('overloaded', undefined, { 'Retry-After': '60' });
    this.#people.set(person, own + 1);
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
      const left = (this.#people.get(person) ?? 0) - 1;
      if (left > 0) this.#people.set(person, left);
      else this.#people.delete(person);
    };
  }
}

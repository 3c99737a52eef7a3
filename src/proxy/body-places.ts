import { Refusal } from './answers.js';
import type { ProxySession } from './session.js';

/** Bytes of bodies that may be on their way at once: what has come of them lies in memory, for a minute where one is dripped. */
export const MOST_BYTES = 64 * 1024 * 1024;
/** The same of one person: dozens of the longest batches, where a page sends one after the other. */
export const MOST_BYTES_OF_ONE = 8 * 1024 * 1024;

/**
 * Room for bodies that are being read. Nobody's place among those who write to the disk is taken by them, so nothing else
 * bounds how many there are but the connections, of which one person may open all.
 */
export class BodyPlaces {
  readonly #people = new Map<string, number>();
  #taken = 0;

  /** @param bytes that may come @throws {Refusal} where there is no room for them; alone anybody may read */
  async during<T>({ vendor, subject }: ProxySession, bytes: number, read: () => Promise<T>): Promise<T> {
    // Neither holds a line break: nobody is taken for another.
    const person = `${vendor}\n${subject}`;
    const own = this.#people.get(person) ?? 0;
    if (own > 0 && own + bytes > MOST_BYTES_OF_ONE)
      throw new Refusal('budget_spent', undefined, { 'Retry-After': '1' });
    if (this.#taken > 0 && this.#taken + bytes > MOST_BYTES)
      throw new Refusal('overloaded', undefined, { 'Retry-After': '1' });
    this.#take(person, bytes);
    try {
      return await read();
    } finally {
      this.#take(person, -bytes);
    }
  }

  #take(person: string, bytes: number): void {
    this.#taken += bytes;
    const own = (this.#people.get(person) ?? 0) + bytes;
    if (own > 0) this.#people.set(person, own);
    else this.#people.delete(person);
  }
}

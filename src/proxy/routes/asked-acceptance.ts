import type { Acceptance, AcceptanceWish } from '../outbox/accepted-batch.js';
import type { AskedBatch } from './parse-batch.js';

/**
 * What a store is asked to take of a batch that came over HTTP.
 *
 * A class, not a literal with a getter: V8 puts the getter of a literal among the old objects, and what it leads to stays
 * there with it until all of them are collected. Every batch was copied there first.
 */
export class AskedAcceptance implements Acceptance {
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | undefined;
  readonly lane: string;
  readonly idempotencyKey: string;
  readonly written: Acceptance['written'];
  readonly sentAt: number | undefined;
  readonly now: number;
  readonly portalOffset: number;
  readonly stampUnit: number;
  readonly #asked: AskedBatch;
  readonly #digest: () => string;

  /** @param wish `digest`: asked for where it is needed, and once more for each time */
  constructor(asked: AskedBatch, wish: AcceptanceWish & { readonly digest: () => string }) {
    this.vendor = wish.vendor;
    this.subject = wish.subject;
    this.name = wish.name;
    this.lane = wish.lane;
    this.idempotencyKey = wish.idempotencyKey;
    this.written = asked.written;
    this.sentAt = asked.sentAt === undefined ? undefined : Date.parse(asked.sentAt);
    this.now = wish.now;
    this.portalOffset = wish.portalOffset;
    this.stampUnit = wish.stampUnit;
    this.#asked = asked;
    this.#digest = wish.digest;
  }

  get digest(): string {
    return this.#digest();
  }

  get edits(): Acceptance['edits'] {
    return this.#asked.edits();
  }
}

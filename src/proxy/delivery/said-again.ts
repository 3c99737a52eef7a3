import { PROBE_MS } from './lane-policy.js';
import type { OpenEdit, Settlement } from '../outbox/outbox.js';

/** Refusals of one value that is only said again, five minutes apart, before we believe that the portal never takes it. */
export const MOST_REFUSALS = 12;

const MOST_KEPT = 1_000;

/**
 * A refusal of a value that is only said again decides nothing about its edit, which the portal took before. What it leaves
 * open is whether an older value has landed since, so the value is said once more after a while. A portal that takes no
 * stamp twice refuses it each time, and is not asked for ever.
 */
export class SaidAgain {
  readonly #refusals = new Map<number, number>();

  /** Lets what was refused wait, where it was only said again. @returns the settlements, and the edits that are given up */
  settle(settlements: readonly Settlement[], now: number): { settlements: Settlement[]; givenUp: OpenEdit[] } {
    const givenUp: OpenEdit[] = [];
    const settled = settlements.map((settlement): Settlement => {
      const { kind, edit } = settlement;
      if (kind === 'refused' && edit.again && this.#mayPass(edit)) {
        return { edit, kind: 'waiting', dueAt: now + PROBE_MS, uncertain: false };
      }
      if (kind === 'refused' && edit.again) givenUp.push(edit);
      if (kind !== 'waiting') this.#refusals.delete(edit.seq);
      return settlement;
    });
    return { settlements: settled, givenUp };
  }

  #mayPass({ seq }: OpenEdit): boolean {
    const refusals = (this.#refusals.get(seq) ?? 0) + 1;
    // Edits that a newer one replaced stay behind here.
    if (this.#refusals.size >= MOST_KEPT) this.#refusals.clear();
    this.#refusals.set(seq, refusals);
    return refusals < MOST_REFUSALS;
  }
}

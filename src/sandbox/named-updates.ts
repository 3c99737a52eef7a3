import type { PortalItem } from '../contract/portal.js';
import { problem } from './responses.js';
import type { Verdict } from './verdict.js';

/** The oldest are forgotten, and would be applied again: values are absolute, so that changes nothing but the journal. */
const MOST_NAMES = 10_000;
const MOST_LETTERS = 50_000_000;

interface Applied {
  readonly content: string;
  readonly response: Response;
}

/**
 * Updates that were applied under a name, where this portal wants one: the same one again is answered alike, and changes nothing.
 * A name is the client's, whatever the path.
 */
export class NamedUpdates {
  readonly #applied = new Map<string, Applied>();
  #letters = 0;

  once(name: string, inventory: readonly PortalItem[], apply: () => Verdict): Verdict {
    const content = JSON.stringify(inventory);
    const before = this.#applied.get(name);
    if (before?.content === content) return { response: before.response.clone(), facts: { repeated: true } };
    if (before !== undefined) {
      return { response: problem(422, 'This name was that of another update. Nothing was applied.'), facts: {} };
    }
    const verdict = apply();
    // What was refused may come again.
    if (verdict.facts.applied === true && verdict.facts.refused === undefined)
      this.#keep(name, content, verdict.response);
    return verdict;
  }

  #keep(name: string, content: string, response: Response): void {
    this.#applied.set(name, { content, response: response.clone() });
    this.#letters += content.length;
    for (const [oldest, { content: of }] of this.#applied) {
      if (this.#applied.size <= MOST_NAMES && this.#letters <= MOST_LETTERS) break;
      this.#applied.delete(oldest);
      this.#letters -= of.length;
    }
  }
}

import type { PortalItem } from '../contract/portal.js';
import { problem } from './responses.js';
import type { Verdict } from './verdict.js';

/** The oldest is forgotten, and would be applied again: values are absolute, so that changes nothing but the journal. */
const MOST_NAMES = 10_000;

interface Applied {
  readonly content: string;
  readonly response: Response;
}

/** Updates that were applied under a name, where this portal wants one: the same one again is answered alike, and changes nothing. */
export class NamedUpdates {
  readonly #applied = new Map<string, Applied>();

  once(name: string, inventory: readonly PortalItem[], act: () => Verdict): Verdict {
    const content = JSON.stringify(inventory);
    const before = this.#applied.get(name);
    if (before === undefined) return this.#keep(name, content, act());
    if (before.content === content) return { response: before.response.clone(), facts: { repeated: true } };
    return { response: problem(422, 'This name was that of another update. Nothing was applied.'), facts: {} };
  }

  /** What was refused may come again. */
  #keep(name: string, content: string, verdict: Verdict): Verdict {
    if (verdict.facts.applied !== true) return verdict;
    const [oldest] = this.#applied.keys();
    if (this.#applied.size >= MOST_NAMES && oldest !== undefined) this.#applied.delete(oldest);
    this.#applied.set(name, { content, response: verdict.response.clone() });
    return verdict;
  }
}

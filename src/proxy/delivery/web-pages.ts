import type { OpenEdit } from '../outbox/outbox.js';

/** Web pages that one edit alone must get, each after the portal took another call, before we believe that it is the edit. */
export const LONE_PAGES = 3;

const MOST_KEPT = 1_000;
const BATCHES = -1;

/**
 * Tells an edit that something in front of the portal answers with a web page (a web application firewall that dislikes an
 * id) from a portal that answers everybody with web pages for a while. One page proves nothing; the same edit alone, again
 * and again, between calls that pass, does. A portal of which one machine in two is broken parks an edit for nothing in one
 * case of eight, which its person may send again.
 */
export class WebPages {
  readonly #sinceAPass = new Set<number>();
  readonly #alone = new Map<number, number>();

  /** @returns how many different edits got a page since the last call that passed; batches count as one */
  seen(edits: readonly OpenEdit[]): number {
    const [edit] = edits;
    this.#sinceAPass.add(edit === undefined || edits.length > 1 ? BATCHES : edit.seq);
    return this.#sinceAPass.size;
  }

  /** One more page for this edit alone, after a call that passed. @returns whether it is the edit */
  isTheEdit({ seq }: OpenEdit): boolean {
    const times = (this.#alone.get(seq) ?? 0) + 1;
    // Edits that another process took to their end stay behind here.
    if (this.#alone.size >= MOST_KEPT) this.#alone.clear();
    this.#alone.set(seq, times);
    return times >= LONE_PAGES && this.#alone.delete(seq);
  }

  passed(edits: readonly OpenEdit[]): void {
    this.#sinceAPass.clear();
    for (const { seq } of edits) this.#alone.delete(seq);
  }
}

import type { ItemView, OtherValue } from '../../client/item-view.js';
import type { ConflictTexts, ToggleTexts } from '../../locales/dictionary.js';
import { enConflict } from '../../locales/en-conflict.js';
import { css } from '../stylesheet.js';
import { conflictSides } from './conflict-sides.js';
import type { DrawingTools } from './item-nodes.js';

/** What a person can do where something needs attention. */
export interface WaysOut {
  again(): void;
  keep(side: 'mine' | 'theirs'): void;
}

export interface Trouble {
  /** An item that needs attention, or nothing. */
  readonly view: ItemView | undefined;
  /** Nobody knows who wished for it. */
  readonly isUnclaimed: boolean;
  /** Who may not act is told, and offered nothing. */
  readonly mayAct: boolean;
  readonly text: ToggleTexts & Partial<ConflictTexts>;
  readonly moment: (stamp: OtherValue['updated_at']) => string;
}

const styles = css`
  .conflict {
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding-block: 2px 6px;
    color: var(--_text);
  }

  .conflict dl {
    flex: 1 0 100%;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 12px;
    margin: 0;
    font-size: 15px;
  }

  .conflict dt {
    color: var(--_text-soft);
  }

  .conflict dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;

/**
 * What a toggle offers where its item needs attention: to try again, or the choice between two people's values. Most visits
 * see none of it, so it is loaded when it is first needed.
 */
export class ItemTrouble {
  readonly #root: ShadowRoot;
  readonly #box: Element;
  readonly #tools: DrawingTools;
  readonly #again: HTMLElement;
  readonly #told: HTMLElement;
  readonly #ways: readonly HTMLButtonElement[];
  readonly #conflict: HTMLElement;

  /** @param box of the status line */
  constructor(root: ShadowRoot, box: Element, ways: WaysOut, tools: DrawingTools) {
    const { make, pill } = tools;
    [this.#root, this.#box, this.#tools] = [root, box, tools];
    this.#again = pill(() => {
      ways.again();
    });
    this.#told = make('dl');
    this.#ways = (['mine', 'theirs'] as const).map((side) =>
      pill(() => {
        ways.keep(side);
      }),
    );
    this.#conflict = make(
      'div',
      { part: 'conflict', class: 'conflict', role: 'group', 'aria-labelledby': 'status' },
      this.#told,
      ...this.#ways,
    );
    root.adoptedStyleSheets.push(styles);
  }

  draw({ view, isUnclaimed, mayAct, text, moment }: Trouble): void {
    const { make, say, place } = this.#tools;
    const { available, theirs } = view ?? {};
    const isConflict = view !== undefined && available !== undefined && theirs !== undefined;
    if (isConflict) {
      const words = { ...enConflict, ...text };
      const sides = conflictSides(view, isUnclaimed, words, moment);
      if (this.#told.textContent !== sides.flat().join(''))
        this.#told.replaceChildren(...sides.flatMap(([name, told]) => [make('dt', {}, name), make('dd', {}, told)]));
      const { keepMine, takeTheirs } = words;
      const [own, other] = [word(available, text), word(theirs.available, text)];
      for (const [at, told] of [keepMine(own), takeTheirs(other)].entries()) {
        const way = this.#ways[at];
        if (way === undefined) continue;
        say(way, mayAct ? told : '');
        way.hidden = !mayAct;
      }
    }
    say(this.#again, text.tryAgain);
    place(this.#box, this.#again, view !== undefined && !isConflict && mayAct);
    place(this.#root, this.#conflict, isConflict, this.#box.nextSibling);
  }

  remove(): void {
    this.#again.remove();
    this.#conflict.remove();
    this.#root.adoptedStyleSheets = this.#root.adoptedStyleSheets.filter((sheet) => sheet !== styles);
  }
}

function word(available: boolean, text: ToggleTexts): string {
  return available ? text.available : text.notAvailable;
}

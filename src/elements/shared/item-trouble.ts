import type { InventoryStore } from '../../client/store/inventory-store.js';
import type { ItemView, OtherValue } from '../../client/model/item-view.js';
import type { Decisions } from '../../client/store/load-decisions.js';
import type { ItemId } from '../../domain/item.js';
import type { ConflictTexts, ToggleTexts } from '../../locales/dictionary.js';
import { enConflict } from '../../locales/en-conflict.js';
import { css } from './stylesheet.js';
import { conflictSides } from './conflict-sides.js';
import type { DrawingTools } from '../availability-toggle/item-nodes.js';

export interface Trouble {
  readonly store: InventoryStore | undefined;
  /** An item that needs attention, or nothing. */
  readonly view: ItemView | undefined;
  /** Nobody knows who wished for it. */
  readonly isUnclaimed: boolean;
  /** Who may not act is told, and offered nothing. */
  readonly mayAct: boolean;
  readonly text: ToggleTexts & Partial<ConflictTexts>;
  readonly moment: (stamp: OtherValue['updated_at']) => string;
}

/** Whether an edit may be taken, which the host page has the last word on. */
type Ask = (available: boolean) => boolean;

const styles = css`
  .conflict {
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding-block: 2px 6px;
    color: var(--_text);
    overflow-wrap: anywhere;
  }

  .conflict dl {
    flex: 1 0 100%;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 12px;
    margin: 0;
    font-size: 15px;
  }

  .conflict [role='status'] {
    flex: 1 0 100%;
    color: var(--_attention);
  }

  /* There before it says anything, and in nobody's way. */
  .conflict [role='status']:empty {
    position: absolute;
  }

  .conflict dt {
    color: var(--_text-soft);
  }

  .conflict dd {
    margin: 0;
  }
`;

/**
 * What a toggle offers where its item needs attention: to try again, or the choice between two people's values. Most visits
 * see none of it, so it is loaded when it is first needed.
 */
export class ItemTrouble {
  readonly #root: ShadowRoot;
  readonly #box: Element;
  readonly #ask: Ask;
  readonly #tools: DrawingTools;
  readonly #again: HTMLElement;
  readonly #told: HTMLElement;
  readonly #ways: readonly HTMLButtonElement[];
  /** A press that seems to do nothing has to be told. */
  readonly #note: HTMLElement;
  readonly #conflict: HTMLElement;
  #drawn: Trouble | undefined;

  /** @param box of the status line */
  constructor(root: ShadowRoot, box: Element, ask: Ask, { retry, resolve }: Decisions, tools: DrawingTools) {
    const { make, pill } = tools;
    [this.#root, this.#box, this.#ask, this.#tools] = [root, box, ask, tools];
    this.#again = pill(() => {
      this.#decide(retry);
    });
    this.#told = make('dl');
    this.#ways = (['mine', 'theirs'] as const).map((side) =>
      pill(() => {
        this.#decide((store, id) => resolve(store, id, side), side === 'theirs');
      }),
    );
    this.#note = make('span', { role: 'status' });
    this.#conflict = make(
      'div',
      { part: 'conflict', class: 'conflict', role: 'group', 'aria-labelledby': 'status' },
      this.#told,
      ...this.#ways,
      this.#note,
    );
    root.adoptedStyleSheets.push(styles);
  }

  draw(trouble: Trouble): void {
    this.#drawn = trouble;
    const { view, isUnclaimed, mayAct, text, moment } = trouble;
    const { make, say, place } = this.#tools;
    const { available, theirs } = view ?? {};
    const isConflict = view !== undefined && available !== undefined && theirs !== undefined;
    if (isConflict) {
      const words = { ...enConflict, ...text };
      const sides = conflictSides(view, isUnclaimed, words, moment);
      if (this.#told.textContent !== sides.flat().join(''))
        this.#told.replaceChildren(
          ...sides.flatMap(([name, told]) => [make('dt', {}, make('bdi', {}, name)), make('dd', {}, told)]),
        );
      const { keepMine, takeTheirs } = words;
      const [own, other] = [word(available, text), word(theirs.available, text)];
      for (const [at, told] of [keepMine(own), takeTheirs(other)].entries()) {
        const way = this.#ways[at];
        if (way === undefined) continue;
        say(way, mayAct ? told : '');
        way.hidden = !mayAct;
      }
    }
    if (!isConflict) say(this.#note, '');
    say(this.#again, text.tryAgain);
    place(this.#box, this.#again, view !== undefined && !isConflict && mayAct);
    place(this.#root, this.#conflict, isConflict, this.#box.nextSibling);
  }

  /** @param isTheirs what will count is the other value */
  #decide(act: (store: InventoryStore, id: ItemId) => Promise<boolean>, isTheirs = false): void {
    const { store, view: drawn } = this.#drawn ?? {};
    if (store === undefined || drawn === undefined) return;
    const view = store.view(drawn.id);
    const { available } = isTheirs ? (view.theirs ?? {}) : view;
    if (available !== undefined && this.#ask(available)) void this.#carryOut(act(store, view.id));
  }

  async #carryOut(deed: Promise<boolean>): Promise<void> {
    const { say } = this.#tools;
    // Said twice it is another text, or nobody hears it the second time.
    say(this.#note, '');
    if (!(await deed)) say(this.#note, { ...enConflict, ...this.#drawn?.text }.notDecided);
  }

  remove(): void {
    for (const node of [this.#again, this.#conflict]) node.parentNode?.removeChild(node);
    this.#root.adoptedStyleSheets = this.#root.adoptedStyleSheets.filter((sheet) => sheet !== styles);
  }
}

function word(available: boolean, text: ToggleTexts): string {
  return available ? text.available : text.notAvailable;
}

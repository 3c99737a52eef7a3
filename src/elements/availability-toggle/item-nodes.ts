import type { Truth } from '../../domain/edit-state.js';
import { truthIcon } from '../shared/icons.js';
import { setOrRemove } from './reflection.js';

/** What a toggle says of its item, in words that are ready to be shown. */
export interface Picture {
  /** What the colours go by. */
  readonly tone: Truth | 'none' | 'problem';
  readonly truth: Truth | undefined;
  readonly line: string;
  readonly isAnnounced: boolean;
  /** The icon says it all where there is little room. */
  readonly isBrief: boolean;
  readonly time: { readonly stamp: string; readonly full: string; readonly text: string } | undefined;
  /** Two plain choices of a value that nobody has told. */
  readonly choices: Choices | undefined;
}

interface Choices {
  readonly words: readonly [available: string, notAvailable: string];
  readonly isLocked: boolean;
  readonly isReadonly: boolean;
}

type Attributes = Readonly<Record<string, string>>;

/**
 * The nodes that an item adds to its toggle. Each is made when it is first needed and kept from then on, so that focus stays
 * on it while its words change. By hand, because a template library would be a tenth of all that a page loads for an item.
 */
export class ItemNodes {
  readonly #root: ShadowRoot;
  readonly #choose: (available: boolean) => void;
  readonly #text = make('span');
  readonly #status = make('span', { id: 'status', role: 'status' }, this.#text);
  readonly #line = make('span', { class: 'line' }, this.#status);
  readonly box = make('div', { part: 'status' }, this.#line);
  readonly #time = make('time');
  /** There before it says anything, or nobody would hear it. */
  readonly #said = make('span', { class: 'said', role: 'status' });
  #truth: Truth | undefined;
  #choices: HTMLElement | undefined;

  /** @param choose a person picks one of the two choices */
  constructor(root: ShadowRoot, choose: (available: boolean) => void) {
    this.#root = root;
    this.#choose = choose;
    root.append(this.box, this.#said);
  }

  draw(picture: Picture): void {
    const { tone, line, isAnnounced, isBrief } = picture;
    this.#drawChoices(picture);
    set(this.box, { class: isBrief ? 'status brief' : 'status', 'data-truth': tone });
    set(this.#status, { 'aria-live': isAnnounced ? 'polite' : 'off' });
    // What somebody else did before is not what stands there now.
    if (isAnnounced) say(this.#said, '');
    this.#drawIcon(picture.truth);
    say(this.#text, line);
    this.#drawTime(picture);
  }

  remove(): void {
    for (const node of [this.#choices, this.box, this.#said]) place(this.#root, node, false);
  }

  /** Only to who cannot see it: the control shows it to all others. */
  say(text: string): void {
    // Said twice it is another text, or nobody hears it the second time.
    say(this.#said, text === this.#said.textContent ? `${text}\u00a0` : text);
  }

  #drawChoices({ choices }: Picture): void {
    if (choices !== undefined) {
      this.#choices ??= make(
        'div',
        { part: 'choices', class: 'choices', role: 'group', 'aria-labelledby': 'switch', 'aria-describedby': 'status' },
        ...[true, false].map((value) =>
          pill(() => {
            this.#choose(value);
          }),
        ),
      );
      for (const [at, button] of this.#choices.querySelectorAll('button').entries()) {
        say(button, choices.words[at] ?? '');
        button.disabled = choices.isLocked;
        setOrRemove(button, 'aria-disabled', choices.isReadonly ? 'true' : undefined);
      }
    }
    place(this.#root, this.#choices, choices !== undefined, this.box);
  }

  #drawIcon(truth: Truth | undefined): void {
    if (truth === this.#truth) return;
    this.#truth = truth;
    this.#status.replaceChildren(...(truth === undefined ? [] : [truthIcon(truth)]), this.#text);
  }

  /** Outside of the live region: a clock that ticks is not to be read out. */
  #drawTime({ time }: Picture): void {
    if (time !== undefined) {
      set(this.#time, { datetime: time.stamp, title: time.full });
      say(this.#time, time.text);
    }
    place(this.#line, this.#time, time !== undefined);
  }
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

function pill(act: () => void): HTMLButtonElement {
  const button = make('button', { class: 'pill', type: 'button' });
  button.addEventListener('click', act);
  return button;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) setOrRemove(element, name, value);
}

function say(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

function place(parent: Node, node: Element | undefined, isThere: boolean, before: Node | null = null): void {
  if (node === undefined) return;
  // Prototype.js has a `remove` of its own, which throws where a node stands nowhere.
  if (!isThere) node.parentNode?.removeChild(node);
  else if (node.parentNode !== parent) parent.insertBefore(node, before);
}

/** For a part that is loaded later, and may share no module with this one. */
export const drawingTools = { make, pill, say, place };
export type DrawingTools = typeof drawingTools;

import type { ItemIndex, ItemRow, ViewIndex } from '../../../client/editor/editor-types.js';
import type { StoreSnapshot } from '../../../client/store/store-snapshot.js';
import type { Timestamp } from '../../../domain/item.js';
import type { EditorDictionary, ItemTexts, ListTexts } from '../../../locales/dictionary.js';
import { type RowSign, SIGN_PATHS } from '../../shared/icons.js';
import { rowStatus } from './row-status.js';

/** The values that all rows of one rendering share. */
export interface RowContext {
  readonly text: ItemTexts & ListTexts & Pick<EditorDictionary, 'changed' | 'met'>;
  readonly snapshot: StoreSnapshot;
  readonly readonly: boolean;
  readonly disabled: boolean;
  /** Whether the id is shown beside the label. An item without a label is always shown by its id. */
  readonly showsIds: boolean;
  /** Whether some rows have a picture. The others then leave room for one, so that all names are aligned. */
  hasPictures(): boolean;
  isSelected(itemIndex: ItemIndex): boolean;
  ago(time: Timestamp): string;
  /** When an item is available again; empty until the texts for it are loaded. */
  back(time: Timestamp): string;
}

/** The action of a part of a row: the value of its `data-act`. */
export type RowAct = 'pick' | 'on' | 'off' | 'details';

/** The row at the time of the press, and the session epoch at that time. */
export interface RowPressed {
  readonly viewIndex: ViewIndex;
  readonly itemIndex: ItemIndex;
  readonly sessionEpoch: number | undefined;
}

/** The parts of a row that can have the focus. In the heading of a group, the cells are hidden. */
export const USABLE = ':not(:disabled, [hidden], .heading > :not(.lead) *)';

let serial = 0;
let model: HTMLElement | undefined;

/**
 * One row of the list, rendered without a template, which would cost more than the row itself. Rows are recycled, so each
 * `draw` writes only what differs from what the row shows.
 */
export class Row {
  readonly node: HTMLElement;
  viewIndex: ViewIndex = -1;
  itemIndex: ItemIndex = -1;
  readonly #pick: HTMLElement;
  readonly #label: HTMLElement;
  readonly #id: HTMLElement;
  readonly #group: HTMLElement;
  readonly #on: HTMLButtonElement;
  readonly #truth: HTMLElement;
  readonly #path: Element;
  readonly #status: HTMLElement;
  readonly #time: HTMLElement;
  #off: HTMLButtonElement | undefined;
  /** The content of a heading, while the row is the heading of a group. Its cells are hidden then. */
  #lead: HTMLElement | undefined;
  #image: HTMLImageElement | undefined;
  #blank: HTMLElement | undefined;
  readonly #names: string;
  #start = '';

  constructor() {
    this.node = (model ??= build()).cloneNode(true) as HTMLElement;
    const parts = this.node.querySelectorAll<HTMLElement>('*');
    const part = (index: number): HTMLElement => parts[index] ?? this.node;
    this.#pick = part(1);
    this.#label = part(3);
    this.#id = part(4);
    this.#group = part(5);
    this.#on = part(7) as HTMLButtonElement;
    this.#truth = part(9);
    this.#path = part(11);
    this.#status = part(12);
    this.#time = part(13);
    const name = String(++serial);
    this.#label.id = `l${name}`;
    this.#status.id = `s${name}`;
    this.#on.id = `n${name}`;
    this.#names = name;
    set(this.#on, 'aria-describedby', `s${name}`);
    set(this.#truth, 'aria-labelledby', `s${name} l${name}`);
  }

  /** The buttons and cells that the arrow keys visit, in the order of the columns that are shown. */
  get stops(): HTMLElement[] {
    return [...this.node.children].flatMap((cell) => {
      const buttons = [...cell.querySelectorAll<HTMLElement>('button')].filter(isShown);
      return buttons.length > 0 ? buttons : isShown(cell as HTMLElement) ? [cell as HTMLElement] : [];
    });
  }

  /** Whether the item is a cell in a line of tiles. */
  get isTile(): boolean {
    return this.node.role === 'gridcell';
  }

  /** The row itself, because it is a line with one item. */
  get rows(): readonly Row[] {
    return [this];
  }

  fill(): void {
    // A row has exactly one item.
  }

  /** The part that gets the focus when the keyboard enters the row. */
  get entry(): HTMLElement {
    if (this.isTile) return this.node;
    return (
      (this.#lead ?? this.node).querySelector<HTMLElement>(`.fold, .act button${USABLE}, .truth button`) ?? this.node
    );
  }

  get isHeading(): boolean {
    return this.#lead !== undefined;
  }

  /** Makes the row the heading of a group. @returns the element to render the heading into */
  leadWith(viewIndex: ViewIndex, heading: ItemIndex): HTMLElement {
    this.viewIndex = viewIndex;
    this.itemIndex = heading;
    for (const name of ['aria-selected', 'data-id', 'data-sign', 'data-unset']) set(this.node, name, null);
    if (this.#lead === undefined) {
      this.#lead = document.createElement('div');
      this.#lead.className = 'lead';
      this.#lead.role = 'presentation';
      this.node.prepend(this.#lead);
      this.node.classList.add('heading');
    }
    return this.#lead;
  }

  /** Sets the position directly. A custom property would restyle all descendants with each move. */
  moveTo(start: string): void {
    if (start === this.#start) return;
    this.#start = start;
    this.node.style.insetBlockStart = start;
  }

  draw(viewIndex: ViewIndex, item: ItemRow | undefined, rowContext: RowContext): void {
    this.viewIndex = viewIndex;
    if (this.#lead !== undefined) {
      this.#lead.remove();
      this.#lead = undefined;
      this.node.classList.remove('heading');
    }
    if (item === undefined) return;
    const { view, draft } = item;
    const { text } = rowContext;
    this.itemIndex = item.itemIndex;
    const label = view.label ?? view.id;
    const selected = String(rowContext.isSelected(item.itemIndex));
    set(this.node, 'aria-selected', selected);
    set(this.#pick, 'aria-checked', selected);
    set(this.#pick, 'aria-label', text.selectItem(label));
    write(this.#label, label);
    set(this.node, 'data-id', view.id);
    const id = label === view.id || !rowContext.showsIds ? '' : view.id;
    const group = view.group ?? '';
    write(this.#id, id);
    write(this.#group, group);
    // No selector may use this attribute: recycling a row would restyle it, also where the group has a column.
    set(this.#id, 'data-group', id && group ? ` · \u2068${group}` : group);
    this.#drawPicture(view.image, rowContext.hasPictures());
    this.#drawSwitch(draft ?? view.available, item, rowContext);
    const sign = signOf(item);
    set(this.node, 'data-sign', sign);
    set(this.#path, 'd', SIGN_PATHS[sign]);
    const status = rowStatus(item, rowContext.snapshot, text);
    write(this.#status, draft === undefined ? statusAndBack(status, view, rowContext) : status);
    const since = view.settled_at ?? view.updated_at;
    write(this.#time, since === undefined ? '' : rowContext.ago(since));
  }

  #drawSwitch(available: boolean | undefined, { canEdit }: ItemRow, { text, disabled, readonly }: RowContext): void {
    const known = available !== undefined;
    this.node.toggleAttribute('data-unset', !known);
    const on = this.#on;
    set(on, 'role', known ? 'switch' : null);
    set(on, 'aria-checked', known ? String(available) : null);
    set(on, 'data-act', available === true ? 'off' : 'on');
    set(on, 'aria-labelledby', known ? `l${this.#names} n${this.#names}` : `n${this.#names} l${this.#names}`);
    write(on, available === false ? text.notAvailable : text.available);
    if (!known && this.#off === undefined) {
      this.#off = on.cloneNode(true) as HTMLButtonElement;
      this.#off.id = `f${this.#names}`;
      // The first button may be the tab stop of the list.
      this.#off.tabIndex = -1;
      set(this.#off, 'data-act', 'off');
      set(this.#off, 'aria-labelledby', `f${this.#names} l${this.#names}`);
      on.after(this.#off);
    }
    for (const button of this.#off === undefined ? [on] : [on, this.#off]) {
      button.disabled = disabled;
      // It stays focusable for people who may only view, because it shows the value of the item.
      set(button, 'aria-disabled', readonly || !canEdit ? 'true' : null);
    }
    if (this.#off === undefined) return;
    this.#off.hidden = known;
    write(this.#off, text.notAvailable);
  }

  #drawPicture(source: string | undefined, leavesRoom: boolean): void {
    const isBlank = source === undefined && leavesRoom;
    if (!isBlank) this.#blank?.remove();
    else if (this.#blank?.isConnected !== true)
      this.#label.before((this.#blank ??= picture(document.createElement('i'))));
    if (source === undefined) {
      this.#image?.remove();
      return;
    }
    // With a height attribute, a browser would show its sign for a broken image if the picture cannot be loaded.
    const image = (this.#image ??= picture(new Image(36)));
    if (image.getAttribute('src') === source && image.isConnected) return;
    image.alt = '';
    image.loading = 'lazy';
    image.src = source;
    this.#label.before(image);
  }
}

/** All pictures have one size, and so has the empty box where one is missing or cannot be loaded. */
function picture<T extends HTMLElement>(node: T): T {
  node.className = 'picture';
  set(node, 'part', 'thumbnail');
  return node;
}

function statusAndBack(status: string, { back_at }: ItemRow['view'], rowContext: RowContext): string {
  const back = back_at === undefined ? '' : rowContext.back(back_at);
  return back === '' ? status : `${status} · ${back}`;
}

function signOf({ view, draft, conflict }: ItemRow): RowSign {
  if (conflict !== undefined || view.unsaved === true) return 'needs-attention';
  if (draft !== undefined) return 'changed';
  return view.truth ?? (view.available === undefined ? 'unset' : 'given');
}

function isShown(element: HTMLElement): boolean {
  return element.offsetParent !== null;
}

/** Changes the existing text node: a new one would be laid out from scratch. */
function write(element: Element, text: string): void {
  const shown = element.firstChild as Text | null;
  if (shown === null) element.append(text);
  else if (shown.data !== text) shown.data = text;
}

function set(element: Element, name: string, value: string | null): void {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** The row that is cloned for all others. */
function build(): HTMLElement {
  const cell = (name: string, role: string, ...children: Element[]): HTMLElement => {
    const node = document.createElement('div');
    node.className = name;
    set(node, 'role', role);
    set(node, 'part', name === 'row' ? 'row' : 'cell');
    if (children.length === 0 || role === 'rowheader') node.tabIndex = -1;
    node.append(...children);
    return node;
  };
  const button = (act: string, ...children: Element[]): HTMLButtonElement => {
    const node = document.createElement('button');
    node.type = 'button';
    node.tabIndex = -1;
    set(node, 'data-act', act);
    node.append(...children);
    return node;
  };
  const pick = button('pick');
  set(pick, 'role', 'checkbox');
  set(pick, 'part', 'checkbox');
  const on = button('on');
  set(on, 'part', 'switch');
  const icon = document.createElementNS(SVG, 'svg');
  set(icon, 'viewBox', '0 0 16 16');
  set(icon, 'aria-hidden', 'true');
  icon.append(document.createElementNS(SVG, 'path'));
  const truth = button('details', icon, document.createElement('span'));
  set(truth, 'aria-haspopup', 'dialog');
  const label = document.createElement('span');
  set(label, 'part', 'name');
  const id = document.createElement('small');
  set(id, 'part', 'id');
  const name = cell('name', 'rowheader', label, id);
  set(name, 'data-act', 'details');
  return cell(
    'row',
    'row',
    cell('pick', 'gridcell', pick),
    name,
    cell('group', 'gridcell'),
    cell('act', 'gridcell', on),
    cell('truth', 'gridcell', truth),
    cell('time', 'gridcell'),
  );
}

const SVG = 'http://www.w3.org/2000/svg';

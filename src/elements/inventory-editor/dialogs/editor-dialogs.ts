import { html, nothing, render } from 'lit';
import type { FilterName, FilterOfItems, Position } from '../../../client/editor/editor-types.js';
import { isChoice } from '../../../client/model/item-view.js';
import type { ItemId } from '../../../domain/item.js';
import { renderBulk, renderTurnAll } from './change-preview.js';
import { renderConflicts, renderKeys, renderQueue } from './dialog-views.js';
import { ItemChanges } from './item-changes.js';
import { renderDetails } from './item-details.js';
import { renderSignOut } from './sign-out-dialog.js';
import { addStyles } from '../../shared/document-styles.js';
import { observeSize } from '../../shared/other-document.js';
import type { PanelsOfEditor, PanelView, SignOutChoice, ToolsOfEditor } from '../editor-context.js';
import { styles } from './dialogs.styles.js';

/** Rows that a dialog lists; the list itself has them all. */
const MOST_LISTED = 100;

/** Of a dialog that nobody sees any more, and that is closed with the next picture. */
const LEAVING = 'leaving';

/** The dialogs, one at a time: what leaves the list's plain sight and returns to where it was opened from. */
export class Panels implements PanelsOfEditor {
  readonly tools: ToolsOfEditor;
  readonly #dialog: HTMLDialogElement;
  #observer: ResizeObserver | undefined;
  #view: (() => PanelView | undefined) | undefined;
  #answer: ((choice: SignOutChoice) => void) | undefined;
  #onEnd: (() => void) | undefined;
  /** What is said inside: the rest of the page is out of reach while a dialog is open. */
  #note = '';
  /** What the editor had said before: no news in here. */
  #saidBefore = '';
  readonly #filters = new Map<FilterName, FilterOfItems>();

  constructor(tools: ToolsOfEditor) {
    const { root } = tools.context;
    this.tools = tools;
    this.#dialog = document.createElement('dialog');
    this.#dialog.setAttribute('part', 'dialog');
    this.#dialog.setAttribute('aria-labelledby', 'panel-title');
    this.#dialog.addEventListener('close', () => {
      // It is told a moment later: the next dialog may be open by then.
      if (!this.#dialog.open) this.#end();
    });
    // Keys in a dialog are the dialog's; Escape closes it by the browser's own hand.
    this.#dialog.addEventListener('keydown', (event) => {
      event.stopPropagation();
    });
    root.querySelector('section')?.append(this.#dialog);
    this.observe();
    addStyles(root, [styles]);
  }

  observe(): void {
    this.#observer?.disconnect();
    this.#observer = observeSize([this.#dialog], () => {
      this.#closeUnseen();
    });
  }

  keys(): void {
    this.#open(() => renderKeys(this));
  }

  details(position: Position): void {
    const id = this.tools.context.table.idAt(position);
    if (id === undefined) return;
    const changes = new ItemChanges(this.tools, id, () => {
      this.update();
    });
    this.show(
      () => renderDetails(this, position, changes.render()),
      () => {
        changes.close();
      },
    );
  }

  bulk(available: boolean): void {
    this.#open(() => renderBulk(this, available));
  }

  turnAll(available: boolean, group?: string): void {
    this.#open(() => renderTurnAll(this, available, group));
  }

  queue(): void {
    this.#watch('waiting');
    this.#watch('attention');
    this.#open(() => renderQueue(this));
  }

  conflicts(): void {
    this.#watch('conflict');
    this.#open(() => renderConflicts(this));
  }

  show(view: () => PanelView | undefined, onEnd: () => void): void {
    this.#open(view);
    this.#onEnd = onEnd;
  }

  /** What becomes of edits that could not leave this device. Leaving unanswered is staying. */
  signOut(unsent: number, unsaved: () => number, answer: (choice: SignOutChoice) => void): void {
    // Its end would be taken for an answer.
    if (this.#isLeaving) this.dismiss();
    // Whoever asked before waits for no question that is gone.
    this.#answer?.('stay');
    this.#answer = answer;
    this.#watch('changed');
    const { store } = this.tools.context;
    const { owner } = store.snapshot;
    const choose = (choice: SignOutChoice): void => {
      this.#answer = undefined;
      // Somebody else has not been asked.
      answer(owner === store.snapshot.owner ? choice : 'stay');
      this.dismiss();
    };
    this.#open(() => {
      const left = unsaved() + store.unsentCount;
      // All has left meanwhile: nothing is left to ask, and they wanted to go.
      if (left === 0 && this.#dialog.open && owner === store.snapshot.owner) {
        choose('send');
        return undefined;
      }
      return renderSignOut(this, left || unsent, choose);
    });
  }

  /** Everything that was refused, and no conflict: that one needs a choice. */
  retryFailed(): void {
    void this.eachOf('attention', async (position) => {
      const item = this.tools.context.table.row(position);
      if (item === undefined || isChoice(item.view) || item.met !== undefined) return;
      await this.retry(item.view.id);
    });
  }

  async retry(id: ItemId): Promise<void> {
    const { store, mayChange } = this.tools.context;
    const { available } = store.view(id);
    if (available === undefined || !mayChange([id], id, available)) return;
    this.tools.aloud.retries();
    await store.retry(id);
  }

  async discard(id: ItemId): Promise<void> {
    const { tools } = this;
    const { store, text, announce } = tools.context;
    const view = this.#view;
    const gone = await store.discard(id);
    if (view === this.#view) {
      this.#note = gone ? '' : text.notDiscarded;
      this.update();
    } else if (!gone) {
      // Whoever has left the dialog reads it below the list.
      announce((tools.leftAlone = text.notDiscarded));
    }
  }

  /** The first positions of a filter, and how many there are. */
  listed(name: FilterName): { readonly positions: Position[]; readonly count: number } {
    const { order } = this.#watch(name);
    const positions: Position[] = [];
    for (let place = 0; place < Math.min(order.length, MOST_LISTED); place += 1) {
      const position = order.at(place);
      if (position !== undefined) positions.push(position);
    }
    return { positions, count: order.length };
  }

  /** Does something to each row of a filter, as the filter is when all of it is known. */
  async eachOf(name: FilterName, act: (position: Position) => Promise<void> | void): Promise<void> {
    const all = await new Promise<Position[]>((resolve) => {
      const done = (): void => {
        if (filter.busy) return;
        const { order } = filter;
        filter.close();
        resolve([...Array(order.length).keys()].map((place) => order.at(place) ?? -1));
      };
      const filter = this.tools.newFilter(name, () => {
        queueMicrotask(done);
      });
      done();
    });
    for (const position of all) await act(position);
  }

  close(): void {
    if (this.#dialog.open) this.#dialog.close();
    this.#end();
    this.#dialog.remove();
  }

  /** Ends the dialog; the focus goes back to where it was. */
  readonly dismiss = (): void => {
    this.#dialog.close();
    // Its event comes later: until then nobody needs what it shows.
    this.#end();
  };

  leave(): boolean {
    if (this.#isLeaving) return false;
    this.#dialog.className = LEAVING;
    this.#view = undefined;
    void this.tools.seen().then(() => {
      if (this.#isLeaving) this.dismiss();
    });
    return true;
  }

  update(): void {
    if (this.#view === undefined) return;
    // With an editor that is put somewhere else it stays open, and is in front of nothing.
    if (this.#dialog.open && !this.#dialog.matches(':modal')) {
      this.#dialog.close();
      this.#dialog.showModal();
    }
    const view = this.#view();
    // What it is of is gone.
    if (view === undefined) {
      this.dismiss();
      return;
    }
    const { title, body, choices } = view;
    const { root } = this.tools.context;
    const said = this.#said;
    const rows = [...this.#dialog.querySelectorAll('li')];
    const at = rows.findIndex((row) => row.contains(root.activeElement));
    const item = rows[at]?.dataset['item'];
    render(
      html`<h3 id="panel-title"><bdi>${title}</bdi></h3>
        <div class="body">${body}</div>
        <p class="quiet" role="status">${this.#note}</p>
        <div class="said" role="status">${said === this.#saidBefore ? '' : said}</div>
        <div class="choices">${choices}</div>`,
      this.#dialog,
    );
    if (this.#dialog.open) this.#makeBodyReachable();
    // A choice that is made goes. The keyboard goes on with the next row's first choice, or with the way out: a key that is
    // pressed twice must not discard that one too.
    const row = this.#dialog.querySelectorAll('li')[at];
    const isHeld = this.#dialog.contains(root.activeElement) && row?.dataset['item'] === item;
    if (!this.#dialog.open || isHeld) return;
    const next = row?.querySelector('button') ?? this.#dialog.querySelector(':scope > .choices :last-child');
    (next as HTMLElement | null)?.focus();
  }

  /** The editor's own line, which nobody hears while a dialog is in front of it. */
  get #said(): string {
    return this.tools.context.root.querySelector('.said')?.textContent ?? '';
  }

  get #isLeaving(): boolean {
    return this.#dialog.className === LEAVING;
  }

  #watch(name: FilterName): FilterOfItems {
    let filter = this.#filters.get(name);
    if (filter === undefined) {
      filter = this.tools.newFilter(name, () => {
        this.update();
      });
      this.#filters.set(name, filter);
    } else if (filter.stale) filter.apply({ filter: name });
    return filter;
  }

  #open(view: () => PanelView | undefined): void {
    // The editor has left the page while this was loaded.
    if (!this.#dialog.isConnected) {
      this.#end();
      return;
    }
    if (this.#isLeaving) this.dismiss();
    this.#view = view;
    this.#saidBefore = this.#said;
    this.update();
    if (this.#view !== undefined && !this.#dialog.open) this.#dialog.showModal();
    this.#closeUnseen();
    this.#makeBodyReachable();
  }

  /** What scrolls has to be reached by a keyboard, and what does not is no stop. */
  #makeBodyReachable(): void {
    const body = this.#dialog.querySelector<HTMLElement>('.body');
    if (body === null || body.scrollHeight <= body.clientHeight) return;
    body.tabIndex = 0;
    // Named, or whoever comes to it hears of no more than a group.
    body.role = 'group';
    body.setAttribute('aria-labelledby', 'panel-title');
  }

  /** Hidden with what is around it, as in a tab of the page, it would keep the whole page out of reach. */
  #closeUnseen(): void {
    const { open, isConnected } = this.#dialog;
    if (open && isConnected && this.#dialog.getClientRects().length === 0) this.dismiss();
  }

  #end(): void {
    this.#answer?.('stay');
    this.#answer = undefined;
    this.#onEnd?.();
    this.#onEnd = undefined;
    this.#view = undefined;
    this.#note = '';
    this.#dialog.className = '';
    for (const filter of this.#filters.values()) filter.close();
    this.#filters.clear();
    render(nothing, this.#dialog);
    // What opened it may be gone: the keyboard is looked after when the editor draws itself.
    this.tools.context.requestUpdate();
  }
}

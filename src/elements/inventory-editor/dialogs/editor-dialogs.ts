import { html, nothing, render } from 'lit';
import type { FilterName, FilterOfItems, ItemIndex } from '../../../client/editor/editor-types.js';
import { isChoice } from '../../../client/model/item-view.js';
import type { ItemId } from '../../../domain/item.js';
import { renderBulk, renderSetAll } from './change-preview.js';
import { renderConflicts, renderKeys, renderQueue } from './dialog-views.js';
import { ItemChanges } from './item-changes.js';
import { renderDetails } from './item-details.js';
import { renderSignOut } from './sign-out-dialog.js';
import { addStyles } from '../../shared/document-styles.js';
import { observeSize } from '../../shared/other-document.js';
import type { DialogsOfEditor, DialogView, SignOutChoice, ToolsOfEditor } from '../editor-context.js';
import { styles } from './dialogs.styles.js';

/** Rows that a dialog lists; the list itself has them all. */
const MAX_LISTED = 100;

/** Class of a dialog that is hidden already and is closed in the next frame. */
const LEAVING = 'leaving';

/** The dialogs of the editor, one at a time. When one closes, the focus returns to where it was opened. */
export class EditorDialogs implements DialogsOfEditor {
  readonly tools: ToolsOfEditor;
  readonly #dialog: HTMLDialogElement;
  #observer: ResizeObserver | undefined;
  #view: (() => DialogView | undefined) | undefined;
  #answer: ((choice: SignOutChoice) => void) | undefined;
  #onEnd: (() => void) | undefined;
  /** A message inside the dialog, because the rest of the page is inert while it is open. */
  #note = '';
  /** What the editor announced before the dialog opened, which the dialog does not repeat. */
  #earlierText = '';
  readonly #filters = new Map<FilterName, FilterOfItems>();

  constructor(tools: ToolsOfEditor) {
    const { root } = tools.context;
    this.tools = tools;
    this.#dialog = document.createElement('dialog');
    this.#dialog.setAttribute('part', 'dialog');
    this.#dialog.setAttribute('aria-labelledby', 'panel-title');
    this.#dialog.addEventListener('close', () => {
      // The event is fired in a later task, when the next dialog may be open.
      if (!this.#dialog.open) this.#end();
    });
    // Keys in a dialog must not reach the list. The browser itself closes the dialog on Escape.
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

  details(itemIndex: ItemIndex): void {
    const id = this.tools.context.table.idAt(itemIndex);
    if (id === undefined) return;
    const changes = new ItemChanges(this.tools, id, () => {
      this.update();
    });
    this.show(
      () => renderDetails(this, itemIndex, changes.render()),
      () => {
        changes.close();
      },
    );
  }

  bulk(available: boolean): void {
    this.#open(() => renderBulk(this, available));
  }

  setAll(available: boolean, group?: string): void {
    this.#open(() => renderSetAll(this, available, group));
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

  show(view: () => DialogView | undefined, onEnd: () => void): void {
    this.#open(view);
    this.#onEnd = onEnd;
  }

  /** Asks what happens to edits that could not be sent. A dialog that is closed without an answer counts as `stay`. */
  signOut(unsent: number, unsaved: () => number, answer: (choice: SignOutChoice) => void): void {
    // Otherwise its close would answer this question.
    if (this.#isLeaving) this.dismiss();
    // An earlier call gets its answer, because its question is no longer shown.
    this.#answer?.('stay');
    this.#answer = answer;
    this.#watch('changed');
    const { store } = this.tools.context;
    const { owner } = store.snapshot;
    const choose = (choice: SignOutChoice): void => {
      this.#answer = undefined;
      // Another person has signed in since, and was not asked.
      answer(owner === store.snapshot.owner ? choice : 'stay');
      this.dismiss();
    };
    this.#open(() => {
      const left = unsaved() + store.unsentCount;
      // All changes were sent while the dialog was open, so there is nothing left to ask.
      if (left === 0 && this.#dialog.open && owner === store.snapshot.owner) {
        choose('send');
        return undefined;
      }
      return renderSignOut(this, left || unsent, choose);
    });
  }

  /** Retries every refused edit, but no conflict, which needs a choice. */
  retryFailed(): void {
    void this.eachOf('attention', async (itemIndex) => {
      const item = this.tools.context.table.row(itemIndex);
      if (item === undefined || isChoice(item.view) || item.conflict !== undefined) return;
      await this.retry(item.view.id);
    });
  }

  async retry(id: ItemId): Promise<void> {
    const { store, confirmChange } = this.tools.context;
    const { available } = store.view(id);
    if (available === undefined || !confirmChange([id], id, available)) return;
    this.tools.outcomes.retries();
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
      // The dialog was closed, so the message is shown below the list.
      announce((tools.leftAlone = text.notDiscarded));
    }
  }

  /** @returns the first item indexes of a filter, and the number of all */
  listed(name: FilterName): { readonly itemIndexes: ItemIndex[]; readonly count: number } {
    const { order } = this.#watch(name);
    const itemIndexes: ItemIndex[] = [];
    for (let viewIndex = 0; viewIndex < Math.min(order.length, MAX_LISTED); viewIndex += 1) {
      const itemIndex = order.at(viewIndex);
      if (itemIndex !== undefined) itemIndexes.push(itemIndex);
    }
    return { itemIndexes, count: order.length };
  }

  /** Calls `act` for each row of a filter, once the filter has found all of them. */
  async eachOf(name: FilterName, act: (itemIndex: ItemIndex) => Promise<void> | void): Promise<void> {
    const all = await new Promise<ItemIndex[]>((resolve) => {
      const done = (): void => {
        if (filter.busy) return;
        const { order } = filter;
        filter.close();
        resolve([...Array(order.length).keys()].map((viewIndex) => order.at(viewIndex) ?? -1));
      };
      const filter = this.tools.newFilter(name, () => {
        queueMicrotask(done);
      });
      done();
    });
    for (const itemIndex of all) await act(itemIndex);
  }

  close(): void {
    if (this.#dialog.open) this.#dialog.close();
    this.#end();
    this.#dialog.remove();
  }

  /** Closes the dialog; the focus returns to where it was. */
  readonly dismiss = (): void => {
    this.#dialog.close();
    // The `close` event is fired later; the content is not needed until then.
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
    // If the editor was moved in the page, the dialog is open but no longer modal.
    if (this.#dialog.open && !this.#dialog.matches(':modal')) {
      this.#dialog.close();
      this.#dialog.showModal();
    }
    const view = this.#view();
    // Its item or its change no longer exists.
    if (view === undefined) {
      this.dismiss();
      return;
    }
    const { title, body, choices } = view;
    const { root } = this.tools.context;
    const liveText = this.#liveRegionText;
    const rows = [...this.#dialog.querySelectorAll('li')];
    const at = rows.findIndex((row) => row.contains(root.activeElement));
    const item = rows[at]?.dataset['item'];
    render(
      html`<h3 id="panel-title"><bdi>${title}</bdi></h3>
        <div class="body">${body}</div>
        <p class="quiet" role="status">${this.#note}</p>
        <div class="live-region" role="status">${liveText === this.#earlierText ? '' : liveText}</div>
        <div class="choices">${choices}</div>`,
      this.#dialog,
    );
    if (this.#dialog.open) this.#makeBodyReachable();
    // The row of a decided item disappears. The focus moves to the next row's first button, or to the one that closes the
    // dialog, so that a key pressed twice does not discard another item.
    const row = this.#dialog.querySelectorAll('li')[at];
    const isHeld = this.#dialog.contains(root.activeElement) && row?.dataset['item'] === item;
    if (!this.#dialog.open || isHeld) return;
    const next = row?.querySelector('button') ?? this.#dialog.querySelector(':scope > .choices :last-child');
    (next as HTMLElement | null)?.focus();
  }

  /** The editor's own live region, which screen readers ignore while a dialog is open. */
  get #liveRegionText(): string {
    return this.tools.context.root.querySelector('.live-region')?.textContent ?? '';
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

  #open(view: () => DialogView | undefined): void {
    // The editor has left the page while this was loaded.
    if (!this.#dialog.isConnected) {
      this.#end();
      return;
    }
    if (this.#isLeaving) this.dismiss();
    this.#view = view;
    this.#earlierText = this.#liveRegionText;
    this.update();
    if (this.#view !== undefined && !this.#dialog.open) this.#dialog.showModal();
    this.#closeUnseen();
    this.#makeBodyReachable();
  }

  /** A scrolling body is a tab stop, so that the keyboard can scroll it; any other is not. */
  #makeBodyReachable(): void {
    const body = this.#dialog.querySelector<HTMLElement>('.body');
    if (body === null || body.scrollHeight <= body.clientHeight) return;
    body.tabIndex = 0;
    // Without a name, a screen reader would announce a group and nothing else.
    body.role = 'group';
    body.setAttribute('aria-labelledby', 'panel-title');
  }

  /** A modal dialog that is hidden with its surroundings, as in a tab of the page, would keep the whole page inert. */
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
    // The element that opened the dialog may be gone; the next render moves the focus.
    this.tools.context.requestUpdate();
  }
}

import { html, type TemplateResult } from 'lit';
import type {
  FilterName,
  ItemIndex,
  Query,
  RowOrder,
  SaveProgress,
  ViewIndex,
} from '../../../client/editor/editor-types.js';
import { ClosureTable } from '../../../client/storage/closure-table.js';
import { DraftAutosave } from '../../../client/editor/saved/draft-autosave.js';
import { ItemDraft } from '../../../client/editor/draft.js';
import { UndoAutosave } from '../../../client/editor/saved/undo-autosave.js';
import { EVERYTHING, ItemFilter } from '../../../client/editor/filter.js';
import { Closures } from '../../../client/editor/saved/saved-closure.js';
import { ItemSelection } from '../../../client/editor/selection.js';
import { GroupedOrder, isHeading } from '../../../client/editor/view/grouped-order.js';
import { ItemGroups } from '../../../client/editor/view/item-groups.js';
import { ViewAutosave } from '../../../client/editor/saved/saved-view.js';
import { type SavedView, ViewTable } from '../../../client/storage/view-table.js';
import type { ItemId } from '../../../domain/item.js';
import type { ChangeAnnouncer } from '../../../client/model/subscriptions.js';
import { afterNextPaint } from '../../../client/browser/next-frame.js';
import { OutcomeAnnouncer, FoundCount, stayText } from './outcome-announcer.js';
import { renderBars } from '../tools/action-bar.js';
import type { EditorContext, DialogsOfEditor, ScheduleOptions, ToolsOfEditor } from '../editor-context.js';
import { addStyles } from '../../shared/document-styles.js';
import { changedText } from '../../shared/status-text.js';
import { FocusKeeper } from '../list/focus-restore.js';
import { renderHeads } from '../list/column-heads.js';
import { GridKeys } from '../list/grid-keyboard.js';
import { followMarkup, goOn, goOnWith, leaveList, reorder } from './next-list.js';
import { drawHeading } from '../list/group-heading.js';
import type { Row, RowAct, RowPressed } from '../list/item-row.js';
import { EditorDialogs } from '../dialogs/editor-dialogs.js';
import { askToSignOut, unsaved } from '../dialogs/sign-out-dialog.js';
import { renderToolbar } from '../tools/toolbar.js';
import { styles } from '../tools/tools.styles.js';

/**
 * Searching, selecting, drafting, saving and undoing. Loaded after the first rows are rendered.
 *
 * It owns the parts of the model that are needed after the first rows, translates clicks and keys into calls of them, and
 * renders the toolbar above the list and the bars below it.
 */
export class EditorTools implements ToolsOfEditor {
  context: EditorContext;
  readonly filter: ItemFilter;
  readonly selection: ItemSelection;
  readonly draft: ItemDraft;
  readonly autosave: DraftAutosave;
  readonly closures: Closures;
  readonly #undoAutosave: UndoAutosave;
  readonly outcomes: OutcomeAnnouncer;
  readonly seen = afterNextPaint;
  readonly #keys: GridKeys;
  readonly #focus: FocusKeeper;
  readonly #leaveMarkup: () => void;
  readonly #leaveRows: () => void;
  readonly #announcer: ChangeAnnouncer = {
    shows: (id) => this.context.table.findItemIndex(id) !== undefined,
    announce: (first, count) =>
      void this.context.announce(changedText(first, count, first.label ?? first.id, this.context.text)),
  };
  readonly groups: ItemGroups;
  readonly grouped: GroupedOrder;
  readonly #view: ViewAutosave;
  wanted = EVERYTHING;
  progress: SaveProgress | undefined;
  leftAlone = '';
  /** The session epoch in which "select all" was pressed while the search was still running. */
  #allFor: number | undefined;
  #areHeadingsDue = false;
  readonly #foundCount = new FoundCount();
  #cancel: AbortController | undefined;
  #dialogs: EditorDialogs | undefined;

  constructor(context: EditorContext) {
    const { table, store, root, mode, confirmChange } = context;
    this.context = context;
    this.outcomes = new OutcomeAnnouncer(context);
    this.filter = new ItemFilter(table, () => void this.#onOrder());
    this.selection = new ItemSelection(table);
    this.draft = new ItemDraft(table, store, {
      mode,
      confirmChange,
      withdraw: (ids) => store.withdraw(ids),
    });
    this.autosave = new DraftAutosave(this.draft, store, context.requestUpdate, root);
    this.closures = new Closures(this.draft, store, () => void this.#onClosures(), new ClosureTable());
    this.#undoAutosave = new UndoAutosave(this.draft, store, context.requestUpdate, () => {
      this.closures.removeOpenItems();
    });
    this.groups = new ItemGroups(table, () => void this.#onGroups());
    this.grouped = new GroupedOrder(this.groups);
    this.#leaveRows = table.subscribe((changed) => {
      if (changed !== undefined) this.#drawHeadingsSoon();
    });
    this.#view = new ViewAutosave(store, listName(context), (view) => void this.#onView(view), new ViewTable());
    store.announcers.add(this.#announcer);
    this.#keys = new GridKeys(this);
    // The focus moves to the row with the list's tab stop, so that a key pressed twice flips no switch. Without rows, it
    // moves to the search.
    this.#focus = new FocusKeeper(root, (left) => {
      const stop = left.matches('input') ? null : root.querySelector('.sheet [tabindex="0"]');
      return (
        stop?.closest('.row, .tile')?.querySelector<HTMLElement>('.fold, .truth button') ?? root.querySelector('input')
      );
    });
    this.#leaveMarkup = followMarkup(context);
    addStyles(root, [styles]);
    goOn(this);
  }

  get order(): RowOrder {
    const { order } = this.filter;
    return this.isGrouped ? this.grouped.of(order) : order;
  }

  get isGrouped(): boolean {
    return this.wanted.sort === 'group' && this.groups.areSeveral;
  }

  /** How many items match the search; `undefined` without a search. */
  get found(): string | undefined {
    const { text } = this.context;
    if (this.wanted.text === '') return undefined;
    return this.filter.busy ? text.counting : text.found(this.filter.order.length);
  }

  /** Call when the page sets other items. @returns whether this list continues with them */
  renew(items: unknown): boolean {
    return goOnWith(this, items);
  }

  close(): void {
    leaveList(this);
    this.#cancel?.abort();
    this.#foundCount.close();
    this.context.store.announcers.delete(this.#announcer);
    this.outcomes.close();
    this.#focus.close();
    this.#leaveMarkup();
    this.filter.close();
    this.groups.close();
    this.#leaveRows();
    this.#view.close();
    this.autosave.close();
    this.closures.close();
    this.#undoAutosave.close();
    this.selection.close();
    this.draft.close();
    this.#dialogs?.close();
  }

  /** Observes sizes in the document that the editor is in. */
  observe(): void {
    this.#focus.observe();
    this.#dialogs?.observe();
  }

  /** Called before the element renders. */
  setContext(context: EditorContext): void {
    this.context = context;
    this.draft.mode = context.mode;
    this.outcomes.setContext(context, !!this.#cancel);
  }

  /** Called after the element has rendered; renders the dialogs. */
  updated(): void {
    this.#dialogs?.update();
    this.#focus.updated();
  }

  /** Ignores a press by a person who has signed out since, and the second click of a double click. */
  act(act: RowAct, { viewIndex, itemIndex, sessionEpoch }: RowPressed, event: MouseEvent): void {
    if (event.detail > 1 || sessionEpoch !== this.context.table.sessionEpoch) return;
    this.leftAlone = '';
    if (act === 'details') this.withDialogs((dialogs) => dialogs.details(itemIndex));
    else if (act !== 'pick') void this.set(itemIndex, act === 'on');
    else if (this.order.at(viewIndex) === itemIndex) this.select(viewIndex, event.shiftKey);
  }

  onKey(event: KeyboardEvent): void {
    this.#keys.onKey(event);
  }

  walk(from: ViewIndex, to: ViewIndex, selects: boolean): void {
    this.#keys.walk(from, to, selects);
  }

  get isSelecting(): boolean {
    return this.#allFor !== undefined;
  }

  select(viewIndex: ViewIndex, range: boolean): void {
    this.#allFor = undefined;
    if (range) this.selection.extendTo(this.order, viewIndex);
    else this.selection.toggle(this.order, viewIndex);
    this.#selected();
  }

  selectAll(isIn = true): void {
    this.selection.selectAll(this.filter.order, isIn);
    // Items that the search finds later are included.
    this.#allFor = isIn && this.filter.busy ? this.context.table.sessionEpoch : undefined;
    this.#selected();
  }

  /** The check box in the header row. */
  selectAllOrNone(): void {
    this.selectAll(this.selection.state(this.filter.order) !== 'all');
  }

  clearSelection(): void {
    this.selection.clear();
    this.#allFor = undefined;
    this.#selected();
  }

  endSelection(): void {
    this.selection.clear();
    this.#allFor = undefined;
    this.context.rows.refresh();
    this.context.requestUpdate();
  }

  #selected(): void {
    this.context.rows.refresh();
    const { announce, text } = this.context;
    announce(this.isSelecting ? text.counting : text.selected(this.selection.count));
  }

  async set(itemIndex: ItemIndex, available: boolean): Promise<void> {
    const { context } = this;
    const item = context.table.row(itemIndex);
    if (item === undefined || context.locked || !item.canEdit) return;
    if ((item.draft ?? item.view.available) === available) return;
    const { id } = item.view;
    if (!context.confirmChange([id], id, available)) return;
    const overrides = item.view.back_at !== undefined && available !== item.view.available;
    await this.draft.set(itemIndex, available);
    if (overrides) {
      this.leftAlone = `\u2068${item.view.label ?? id}\u2069: ${context.text.setByHand}`;
      context.announce(this.leftAlone);
      context.requestUpdate();
    }
    // An edit that stays on this device has no outcome to announce.
    const sentence = stayText(context.table.row(itemIndex), context.store.snapshot, context.text);
    if (sentence === '') return;
    const { text } = context;
    context.announce(
      `\u2068${item.view.label ?? id}\u2069: ${available ? text.available : text.notAvailable}. ${sentence}`,
    );
  }

  find(wanted: Partial<Query>): void {
    this.wanted = { ...this.wanted, ...wanted };
    if ('sort' in wanted || 'group' in wanted) this.#saveView();
    this.#find(wanted);
  }

  #find(wanted: Partial<Query>): void {
    this.wanted = { ...this.wanted, ...wanted };
    this.#allFor = undefined;
    this.context.rows.top();
    this.#foundCount.ask(wanted);
    this.grouped.search(this.wanted.text !== '' || this.wanted.filter !== 'all');
    this.filter.apply(this.wanted);
    this.#onOrder();
  }

  #saveView(): void {
    const { sort, isReversed, group } = this.wanted;
    this.#view.save({
      sort,
      isReversed,
      ...(group === undefined ? {} : { group }),
      collapsed: [...this.grouped.collapsed],
    });
  }

  /** Restores the order, filter and groups of an earlier visit. */
  #onView({ sort, isReversed, group, collapsed }: SavedView): void {
    for (const name of collapsed) this.grouped.collapsed.add(name);
    // Without visible groups, nothing would explain the missing items or their order.
    const isHidden = this.context.hides('groups');
    if (isHidden && sort === 'group') this.#find({});
    else this.#find({ sort, isReversed, group: isHidden ? undefined : group });
  }

  #onGroups(): void {
    const { group } = this.wanted;
    // If the items have other groups now, the list would be empty, and the filter that empties it is no longer offered.
    if (group !== undefined && !this.groups.names.includes(group)) this.find({ group: undefined });
    reorder(this);
    this.context.requestUpdate();
  }

  fold(group: string): void {
    this.grouped.toggle(group);
    this.#saveView();
    reorder(this);
    this.#drawHeadings();
    this.context.requestUpdate();
  }

  drawHeading(row: Row, viewIndex: ViewIndex, heading: ItemIndex): void {
    drawHeading(this, row, viewIndex, heading);
  }

  /** Renders once, however many rows change in one task. */
  #drawHeadingsSoon(): void {
    if (this.#areHeadingsDue) return;
    this.#areHeadingsDue = true;
    queueMicrotask(() => {
      this.#areHeadingsDue = false;
      this.#drawHeadings();
    });
  }

  /** Renders the heading of a group again, because its count has changed. */
  #drawHeadings(): void {
    const { rows } = this.context;
    for (const { itemIndex } of rows.drawn) if (isHeading(itemIndex)) rows.redraw(itemIndex);
  }

  #onClosures(): void {
    this.#drawHeadings();
    this.context.requestUpdate();
  }

  focusSearch(): void {
    this.context.root.querySelector<HTMLInputElement>('.search input')?.focus();
  }

  async undo(redo = false): Promise<void> {
    const { context, draft } = this;
    if (context.locked) return;
    const { changed, skipped } = await (redo ? draft.redo() : draft.undo());
    const outcome = context.text[redo ? 'redone' : 'undone'](changed, skipped);
    // A press without a visible effect is also explained in visible text.
    this.leftAlone = skipped > 0 ? outcome : '';
    context.requestUpdate();
    // After the announcement of the queue, which would replace this one.
    await afterNextPaint();
    context.announce(outcome);
  }

  async save(): Promise<void> {
    const { context } = this;
    if (context.locked) return;
    if (this.#cancel) return void (await this.draft.save());
    this.#cancel = new AbortController();
    try {
      const { saved, held, left } = await this.draft.save((progress) => {
        this.progress = progress;
        context.requestUpdate();
      }, this.#cancel.signal);
      if (left === 0) this.closures.afterDrafts(true);
      const outcome = context.text.saveDone(saved, held, left);
      this.leftAlone = held > 0 ? outcome : '';
      if (saved + held + left > 0)
        context.announce(`${outcome} ${stayText(undefined, context.store.snapshot, context.text)}`.trim());
    } finally {
      this.#cancel = undefined;
      this.progress = undefined;
      context.requestUpdate();
    }
  }

  cancelSave(): void {
    this.#cancel?.abort();
  }

  discard(): void {
    const { context, draft } = this;
    const { changed } = context.table.counts;
    draft.discard();
    this.closures.afterDrafts(false);
    if (changed > 0) context.announce(context.text.discarded(changed));
  }

  /** Creates a filter of its own for a dialog, which lists items by the same filters. */
  newFilter(name: FilterName, onChange: () => void): ItemFilter {
    const filter = new ItemFilter(this.context.table, onChange);
    filter.apply({ filter: name });
    return filter;
  }

  async whenApplied(): Promise<void> {
    let last: Promise<unknown> | undefined;
    // The caller that started the failed step gets its error; this wait goes on.
    while (last !== this.draft.applying) await (last = this.draft.applying)?.catch(() => undefined);
  }

  /**
   * Signs the person out. Deletes their stored drafts, including those of earlier visits.
   *
   * @param end `signOut` of this list's store
   * @returns whether the person is signed out; `false` if they chose to stay
   */
  async signOut(end: (deletesUnsent: boolean) => Promise<number>): Promise<boolean> {
    // Waits until changes that were made or saved before are sent completely.
    await this.whenApplied();
    if (this.#cancel) await this.draft.save();
    // Waits until the drafts of earlier visits are known.
    await this.autosave.settled;
    // Drafts are deleted at sign-out like edits that cannot be sent, so one question asks about both.
    let unsent = unsaved(this) || (await end(false));
    while (unsent > 0) {
      const choice = await askToSignOut(this, unsent);
      if (choice === 'stay') return false;
      const deletes = choice === 'delete';
      if (!deletes) {
        await this.autosave.restore();
        await this.save();
      }
      unsent = (!deletes && unsaved(this)) || (await end(deletes));
    }
    await Promise.all([this.autosave.settled, this.closures.settled, this.#undoAutosave.settled, this.#view.settled]);
    return true;
  }

  openLists(): Promise<void> {
    return this.#openPart(
      () => this.context.loadLists(),
      (lists) => void lists.open(this),
    );
  }

  openHistory(): Promise<void> {
    return this.#openPart(
      () => this.context.loadHistory(),
      (history) => void history.open(this),
    );
  }

  openSchedule(ids: readonly ItemId[], options?: ScheduleOptions): Promise<void> {
    return this.#openPart(
      () => this.context.loadSchedules(),
      (schedules) => void schedules.open(this, ids, options),
    );
  }

  /** Opens a part that is loaded on demand, or says that it could not be loaded. */
  async #openPart<Part>(load: () => Promise<Part>, open: (part: Part) => void): Promise<void> {
    const { context } = this;
    try {
      const part = await load();
      // Another list may have replaced this one while the part was loaded.
      if (context.root.isConnected && context.table === this.context.table) open(part);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      context.announce((this.leftAlone = context.text.notLoaded));
      context.requestUpdate();
    }
  }

  withDialogs(open: (dialogs: DialogsOfEditor) => void): void {
    this.#dialogs ??= new EditorDialogs(this);
    open(this.#dialogs);
    this.context.requestUpdate();
  }

  renderToolbar(): TemplateResult {
    return renderToolbar(this);
  }

  renderHeads(): TemplateResult {
    return renderHeads(this);
  }

  renderNoMatch(): TemplateResult {
    const { text } = this.context;
    return html`<div class="quiet none">
      ${this.filter.busy ? text.counting : text.noMatch}
      <button type="button" class="plain" @click=${() => void this.find({ text: '', filter: 'all', group: undefined })}>
        ${text.showAll}
      </button>
    </div>`;
  }

  renderBars(): TemplateResult {
    return renderBars(this);
  }

  #onOrder(): void {
    const { filter, context } = this;
    if (!filter.busy) {
      if (this.#allFor === context.table.sessionEpoch) this.selectAll();
      this.#allFor = undefined;
      this.#foundCount.isFound(filter, () => this.context.announce(this.context.text.found(filter.order.length)));
    }
    reorder(this);
    context.requestUpdate();
  }
}

/** The name of the list among a person's lists: the page, and the id of the element if it has one. */
function listName({ element }: EditorContext): string {
  return `${location.pathname}#${element.id}`;
}

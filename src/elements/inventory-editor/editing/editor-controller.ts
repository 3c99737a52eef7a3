import { html, type TemplateResult } from 'lit';
import type {
  FilterName,
  Place,
  Position,
  Query,
  RowOrder,
  SaveProgress,
} from '../../../client/editor/editor-types.js';
import { ClosureTable } from '../../../client/storage/closure-table.js';
import { DraftKeeper } from '../../../client/editor/saved/draft-autosave.js';
import { ItemDraft } from '../../../client/editor/draft.js';
import { UndoAutosave } from '../../../client/editor/saved/undo-autosave.js';
import { EVERYTHING, ItemFilter } from '../../../client/editor/filter.js';
import { Closings } from '../../../client/editor/saved/saved-closure.js';
import { ItemSelection } from '../../../client/editor/selection.js';
import { GroupedOrder, isHeading } from '../../../client/editor/view/grouped-order.js';
import { ItemGroups } from '../../../client/editor/view/item-groups.js';
import { ViewAutosave } from '../../../client/editor/saved/saved-view.js';
import { type SavedView, ViewTable } from '../../../client/storage/view-table.js';
import type { ItemId } from '../../../domain/item.js';
import type { ChangeAnnouncer } from '../../../client/model/subscriptions.js';
import { afterNextPaint } from '../../../client/browser/next-frame.js';
import { Aloud, FoundCount, stayText } from './outcome-announcer.js';
import { renderBars } from '../tools/action-bar.js';
import type { EditorContext, PanelsOfEditor, ToolsOfEditor } from '../editor-context.js';
import { addStyles } from '../../shared/document-styles.js';
import { changedText } from '../../shared/status-text.js';
import { FocusKeeper } from '../list/focus-restore.js';
import { renderHeads } from '../list/column-heads.js';
import { GridKeys } from '../list/grid-keyboard.js';
import { followMarkup, goOn, goOnWith, leaveList, reorder } from './next-list.js';
import { drawHeading } from '../list/group-heading.js';
import type { Row, RowAct, RowPressed } from '../list/item-row.js';
import { Panels } from '../dialogs/editor-dialogs.js';
import { askToSignOut, unsaved } from '../dialogs/sign-out-dialog.js';
import { renderToolbar } from '../tools/toolbar.js';
import { styles } from '../tools/tools.styles.js';

/**
 * What a person does with the list beyond looking at it: finds, selects, drafts, saves, takes back. Loaded when the first
 * rows are drawn, so that these come first.
 *
 * It owns the parts of the model that most visits need late, turns acts and keys into calls of them, and draws the tools
 * above the list and the bars below it.
 */
export class EditorTools implements ToolsOfEditor {
  context: EditorContext;
  readonly filter: ItemFilter;
  readonly selection: ItemSelection;
  readonly draft: ItemDraft;
  readonly keeper: DraftKeeper;
  readonly closings: Closings;
  readonly #undoAutosave: UndoAutosave;
  readonly aloud: Aloud;
  readonly seen = afterNextPaint;
  readonly #keys: GridKeys;
  readonly #focus: FocusKeeper;
  readonly #leaveMarkup: () => void;
  readonly #leaveRows: () => void;
  readonly #announcer: ChangeAnnouncer = {
    shows: (id) => this.context.table.positionOf(id) !== undefined,
    announce: (first, count) =>
      void this.context.announce(changedText(first, count, first.label ?? first.id, this.context.text)),
  };
  readonly groups: ItemGroups;
  readonly grouped: GroupedOrder;
  readonly #view: ViewAutosave;
  wanted = EVERYTHING;
  progress: SaveProgress | undefined;
  leftAlone = '';
  /** Who has selected all while it is still being found: the table's count of people. */
  #allFor: number | undefined;
  #areHeadingsDue = false;
  readonly #foundCount = new FoundCount();
  #cancel: AbortController | undefined;
  #panels: Panels | undefined;

  constructor(context: EditorContext) {
    const { table, store, root, mode, mayChange } = context;
    this.context = context;
    this.aloud = new Aloud(context);
    this.filter = new ItemFilter(table, () => void this.#onOrder());
    this.selection = new ItemSelection(table);
    this.draft = new ItemDraft(table, store, {
      mode,
      mayChange,
      withdraw: (ids) => store.withdraw(ids),
    });
    this.keeper = new DraftKeeper(this.draft, store, context.requestUpdate, root);
    this.closings = new Closings(this.draft, store, () => void this.#onClosings(), new ClosureTable());
    this.#undoAutosave = new UndoAutosave(this.draft, store, context.requestUpdate, () => {
      this.closings.dropOpen();
    });
    this.groups = new ItemGroups(table, () => void this.#onGroups());
    this.grouped = new GroupedOrder(this.groups);
    this.#leaveRows = table.subscribe((changed) => {
      if (changed !== undefined) this.#drawHeadingsSoon();
    });
    this.#view = new ViewAutosave(store, listName(context), (view) => void this.#onView(view), new ViewTable());
    store.announcers.add(this.#announcer);
    this.#keys = new GridKeys(this);
    // In the row with the list's one stop: a key that is pressed twice turns no switch. Where there is none, the search.
    this.#focus = new FocusKeeper(root, (left) => {
      const stop = left.matches('input') ? null : root.querySelector('.sheet [tabindex="0"]');
      return stop?.closest('.row')?.querySelector<HTMLElement>('.fold, .truth button') ?? root.querySelector('input');
    });
    this.#leaveMarkup = followMarkup(context);
    addStyles(root, [styles]);
    goOn(this);
  }

  get order(): RowOrder {
    const { order } = this.filter;
    return this.wanted.sort === 'group' && this.groups.areSeveral ? this.grouped.of(order) : order;
  }

  /** How many items match what is searched for; `undefined` where nothing is. */
  get found(): string | undefined {
    const { text } = this.context;
    if (this.wanted.text === '') return undefined;
    return this.filter.busy ? text.counting : text.found(this.filter.order.length);
  }

  /** The page gives other items. @returns whether this list goes on with them */
  renew(items: unknown): boolean {
    return goOnWith(this, items);
  }

  close(): void {
    leaveList(this);
    this.#cancel?.abort();
    this.#foundCount.close();
    this.context.store.announcers.delete(this.#announcer);
    this.aloud.close();
    this.#focus.close();
    this.#leaveMarkup();
    this.filter.close();
    this.groups.close();
    this.#leaveRows();
    this.#view.close();
    this.keeper.close();
    this.closings.close();
    this.#undoAutosave.close();
    this.selection.close();
    this.draft.close();
    this.#panels?.close();
  }

  /** Follows the sizes in the document where the editor is now. */
  observe(): void {
    this.#focus.observe();
    this.#panels?.observe();
  }

  /** Before the element draws itself. */
  take(context: EditorContext): void {
    this.context = context;
    this.draft.mode = context.mode;
    this.aloud.take(context, !!this.#cancel);
  }

  /** The element has drawn itself: so do the dialogs. */
  updated(): void {
    this.#panels?.update();
    this.#focus.updated();
  }

  /** Does nothing of what an earlier person has pressed, and once what is pressed by a double click. */
  act(act: RowAct, { place, position, person }: RowPressed, event: MouseEvent): void {
    if (event.detail > 1 || person !== this.context.table.person) return;
    this.leftAlone = '';
    if (act === 'details') this.panel((panels) => panels.details(position));
    else if (act !== 'pick') void this.set(position, act === 'on');
    else if (this.order.at(place) === position) this.select(place, event.shiftKey);
  }

  onKey(event: KeyboardEvent): void {
    this.#keys.onKey(event);
  }

  get isSelecting(): boolean {
    return this.#allFor !== undefined;
  }

  select(place: Place, range: boolean): void {
    this.#allFor = undefined;
    if (range) this.selection.extendTo(this.order, place);
    else this.selection.toggle(this.order, place);
    this.#selected();
  }

  selectAll(isIn = true): void {
    this.selection.selectAll(this.filter.order, isIn);
    // What is found from now on is meant, too.
    this.#allFor = isIn && this.filter.busy ? this.context.table.person : undefined;
    this.#selected();
  }

  /** The box in the head of the list. */
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

  async set(position: Position, available: boolean): Promise<void> {
    const { context } = this;
    const item = context.table.row(position);
    if (item === undefined || context.locked || !item.mayEdit) return;
    if ((item.draft ?? item.view.available) === available) return;
    const { id } = item.view;
    if (!context.mayChange([id], id, available)) return;
    await this.draft.set(position, available);
    // What stays on this device for now has no outcome that would be said.
    const words = stayText(context.table.row(position), context.store.snapshot, context.text);
    if (words === '') return;
    const { text } = context;
    context.announce(
      `\u2068${item.view.label ?? id}\u2069: ${available ? text.available : text.notAvailable}. ${words}`,
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

  /** How the person looked at this list on an earlier page. */
  #onView({ sort, isReversed, group, collapsed }: SavedView): void {
    for (const name of collapsed) this.grouped.collapsed.add(name);
    this.#find({ sort, isReversed, group });
  }

  #onGroups(): void {
    const { group } = this.wanted;
    // A list whose items have other groups now would be empty, and the choice that empties it is not offered any more.
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

  drawHeading(row: Row, place: Place, heading: Position): void {
    drawHeading(this, row, place, heading);
  }

  /** Once, however many rows change in one task. */
  #drawHeadingsSoon(): void {
    if (this.#areHeadingsDue) return;
    this.#areHeadingsDue = true;
    queueMicrotask(() => {
      this.#areHeadingsDue = false;
      this.#drawHeadings();
    });
  }

  /** What a heading counts has changed. */
  #drawHeadings(): void {
    const { rows } = this.context;
    for (const { position } of rows.byPlace.values()) if (isHeading(position)) rows.redraw(position);
  }

  #onClosings(): void {
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
    // A press that seems to do nothing has to be told to who sees it, too.
    this.leftAlone = skipped > 0 ? outcome : '';
    context.requestUpdate();
    // After what the queue says of itself, or nobody would hear it.
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
      if (left === 0) this.closings.afterDrafts(true);
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
    this.closings.afterDrafts(false);
    if (changed > 0) context.announce(context.text.discarded(changed));
  }

  /** For the dialogs: what is listed there is found the same way. */
  newFilter(name: FilterName, onChange: () => void): ItemFilter {
    const filter = new ItemFilter(this.context.table, onChange);
    filter.apply({ filter: name });
    return filter;
  }

  async untilTurned(): Promise<void> {
    let last: Promise<unknown> | undefined;
    // What failed is told to whoever asked for it, and stands in nobody's way.
    while (last !== this.draft.turning) await (last = this.draft.turning)?.catch(() => undefined);
  }

  /**
   * Who keeps drafts wipes this person's, those of earlier visits too.
   *
   * @param end `signOut` of this list's store @returns whether the person is signed out; `false`: they want to stay
   */
  async signOut(end: (deletesUnsent: boolean) => Promise<number>): Promise<boolean> {
    // What was set or saved before is sent as a whole.
    await this.untilTurned();
    if (this.#cancel) await this.draft.save();
    // What an earlier visit left has been looked for.
    await this.keeper.settled;
    // Drafts go with the person, as what cannot be sent does: the same question is about both.
    let unsent = unsaved(this) || (await end(false));
    while (unsent > 0) {
      const choice = await askToSignOut(this, unsent);
      if (choice === 'stay') return false;
      const deletes = choice === 'delete';
      if (!deletes) {
        await this.keeper.takeBack();
        await this.save();
      }
      unsent = (!deletes && unsaved(this)) || (await end(deletes));
    }
    await Promise.all([this.keeper.settled, this.closings.settled, this.#undoAutosave.settled, this.#view.settled]);
    return true;
  }

  openLists(): Promise<void> {
    return this.#openPart(
      () => this.context.loadLists(),
      (lists) => void lists.open(this),
    );
  }

  openSchedule(ids: readonly ItemId[], onDone?: () => void): Promise<void> {
    return this.#openPart(
      () => this.context.loadSchedules(),
      (schedules) => void schedules.open(this, ids, onDone),
    );
  }

  /** Opens what is loaded on demand, or says that the network has lost it. */
  async #openPart<Part>(load: () => Promise<Part>, open: (part: Part) => void): Promise<void> {
    const { context } = this;
    try {
      const part = await load();
      // Another list has other tools by then.
      if (context.root.isConnected && context.table === this.context.table) open(part);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      context.announce((this.leftAlone = context.text.notLoaded));
      context.requestUpdate();
    }
  }

  panel(open: (panels: PanelsOfEditor) => void): void {
    this.#panels ??= new Panels(this);
    open(this.#panels);
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
      if (this.#allFor === context.table.person) this.selectAll();
      this.#allFor = undefined;
      this.#foundCount.isFound(filter, () => this.context.announce(this.context.text.found(filter.order.length)));
    }
    reorder(this);
    context.requestUpdate();
  }
}

/** Names the list among the lists of a person: by its page, and by the element's id where a page has several. */
function listName({ element }: EditorContext): string {
  return `${location.pathname}#${element.id}`;
}

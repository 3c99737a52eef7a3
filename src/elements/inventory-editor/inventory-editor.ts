import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { RowOrder, ViewIndex } from '../../client/editor/editor-types.js';
import type { StoreSnapshot } from '../../client/store/store-snapshot.js';
import { ItemList, whenRead } from '../../client/editor/item-list.js';
import { isHeading } from '../../client/editor/view/grouped-order.js';
import type { HostItemInput } from '../../contract/host-items.js';
import { enConflict, enItem, enList } from '../../locales/en.js';
import type { FeatureDictionary } from '../../locales/features/feature-dictionary.js';
import { InventoryChangeEvent } from '../events.js';
import { isComingIn, readChildItems } from './light-dom-items.js';
import { addStyles, restoreStyles } from '../shared/document-styles.js';
import { requestDictionary, renderWithDictionary, findLanguage, portalNameOf } from '../shared/language.js';
import { timeAgo, timeAhead } from '../shared/relative-time.js';
import { secretAttribute } from '../shared/secret-attribute.js';
import { connectionText } from '../shared/connection-text.js';
import { StoreController } from '../store-controller.js';
import { tokens } from '../shared/tokens.js';
import { cardStyles, printStyles, styles } from './inventory-editor.styles.js';
import { attributes } from './editor-attributes.js';
import type { EditorContext, EditorTexts, ImportReport } from './editor-context.js';
import { EditorNews } from './editing/announcer.js';
import { EditorParts, loadHistory, loadLists, loadSchedules } from './editor-parts.js';
import { renderGrid } from './list/item-grid.js';
import { openText, ProblemNotice, renderLeftOut, renderNoItems, totalText } from './problem-notice.js';
import type { Row, RowAct, RowContext } from './list/item-row.js';
import { styles as rowStyles } from './list/item-row.styles.js';
import type { TileLine } from './list/tiles/tile-line.js';
import { type RowsHost, VirtualRows } from './list/virtual-list.js';
import { LazyModule } from '../shared/late-part.js';

const tiles = new LazyModule(() => import('./list/tiles/tile-line.js'));

/**
 * Lists a vendor's items with a switch for each: a person can search, select, set many at once, and see the delivery status
 * of each change. It is a table on wide screens and a list of cards on narrow ones, and as fast with a hundred thousand
 * items as with ten.
 *
 * @slot - Shown until the element is upgraded. A child `<script type="application/json">` holds the host's items.
 * @fires inventory-change - An edit is about to be made; cancelable. Fires once for a bulk edit, with all its items.
 * @fires inventory-receipt - The delivery status of an edit has changed.
 * @fires inventory-saved - Every change is on the portal or was discarded.
 * @fires inventory-ready - The proxy has responded.
 * @fires inventory-error - The proxy cannot be used now.
 * @fires inventory-session-expired - The proxy or the host refused the session, or the person has signed out.
 * @slot header-actions - Buttons and links of the page beside the title.
 * @slot empty - Replaces the text of a list without items.
 * @csspart header - Title and counts.
 * @csspart tools - Search, filters and order.
 * @csspart list - The items.
 * @csspart bars - The bars that stay in sight below the list: drafts, problems, the selection, unsaved changes.
 * @csspart dialog - The dialog: details, previews, the queue, conflicts, and the questions at a sign-out.
 * @csspart row - A row, or a tile.
 * @csspart cell - A cell of a row.
 * @csspart name - The name of an item.
 * @csspart id - The id of an item.
 * @csspart thumbnail - The picture of an item.
 * @csspart switch - The switch of an item, or one of the two choices of an unknown value.
 * @csspart checkbox - The check box of an item.
 * @csspart search - The search field.
 * @csspart chip - A filter.
 * @csspart button - A button.
 * @csspart primary-button - A button that saves, or confirms the question of a dialog.
 * @csspart count - The number of all items, or of those found.
 * @csspart empty - The text in place of rows.
 * @csspart problem - The notice about a connection problem.
 * @cssproperty --inventory-list-height - Height at which the list begins to scroll; `min(70vh, 720px)`.
 */
export class InventoryEditor extends LitElement {
  static override styles = [tokens, styles, rowStyles, cardStyles, printStyles];

  static override properties = attributes;

  readonly #controller: StoreController = new StoreController(this);

  /**
   * Base URL of the proxy; may have a path. In the drop-in script it defaults to the address that the script was loaded
   * from.
   */
  proxy: string | undefined;

  /** URL on the host that responds to a POST with `{"token": "…"}`. Without it, the host's cookies identify the person. */
  session: string | undefined;

  /** Returns a promise of an embed token; replaces `session`. */
  getSession: (() => Promise<string>) | undefined;

  /** Name of the portal in texts, as in "Live on Craftmarket"; without it, "the portal". */
  portalName: string | undefined;

  /** Title of the list, in place of "Availability". */
  heading: string | undefined;

  /** Heading level of the title, 1 to 6; 2 by default. */
  headingLevel = 2;

  /** `card` (default) or `plain`: without a frame, for a page that has its own. */
  variant: 'card' | 'plain' = 'card';

  /** `list` (default) or `grid`: large pictures side by side, for phones and tablets. */
  view: 'list' | 'grid' = 'list';

  /**
   * The parts that the editor hides, separated by spaces: `title`, `search`, `filters`, `sort`, `id`, `status`, `updated`,
   * `groups`. Without the attribute, it hides the ids of items that have a label.
   */
  hide = 'id';

  /**
   * Items of the host, which the editor never changes. There is no attribute, because a framework would convert them to a
   * string.
   */
  items: readonly HostItemInput[] | undefined;

  /** `manual` (default): changes wait for "Save". `auto`: each change is sent at once. */
  saveMode: 'manual' | 'auto' = 'manual';

  /** Shows the values and does not let a person change them. */
  readonly = false;

  /** Disables the switches. */
  disabled = false;

  /** Height of the rows: `comfortable` (default), `compact`, or `touch` for phones and tablets. */
  density: 'comfortable' | 'compact' | 'touch' = 'comfortable';

  /** IANA name of the time zone in which times are shown; by default that of the device. */
  timeZone: string | undefined;

  /** Texts of the page that replace those of the dictionary. */
  strings: Partial<EditorTexts & FeatureDictionary> = {};

  readonly #news = new EditorNews(this);
  readonly #notice = new ProblemNotice(this);
  #childItems: readonly unknown[] | undefined;
  #given: unknown;
  #table: ItemList | undefined;
  #lastStore: StoreController['store'];
  #rows: VirtualRows | undefined;
  readonly #parts = new EditorParts({
    language: () => findLanguage(this),
    context: () => this.#context(),
    onLoaded: () => void this.requestUpdate(),
    warn: (message) => void this.#warn(message),
  });
  #text: EditorTexts = { ...enItem(), ...enList() } as EditorTexts;
  #key: readonly unknown[] = [];
  #rowContext: RowContext | undefined;
  #stale = true;
  #warned = false;

  /** The element was moved into another document, such as a frame or a popped-out window. */
  adoptedCallback(): void {
    restoreStyles(this.shadowRoot);
    this.#rows?.observe();
    this.#parts.tools?.observe();
  }

  protected override createRenderRoot(): ShadowRoot {
    const root = this.shadowRoot ?? this.attachShadow(InventoryEditor.shadowRootOptions);
    addStyles(root, InventoryEditor.elementStyles);
    return root;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#draw();
  }

  protected override scheduleUpdate(): Promise<void> | undefined {
    return renderWithDictionary(this, () => void super.scheduleUpdate());
  }

  protected override update(changed: PropertyValues<this>): void {
    if (changed.has('items')) this.#childItems = undefined;
    this.#openTable();
    this.#checkList(changed.size > 0);
    this.#parts.setContext(this.#context());
    super.update(changed);
  }

  protected override updated(): void {
    const { store } = this.#controller;
    if (store === undefined && this.isConnected && !this.#warned) {
      this.#warned = true;
      this.#warn(this.#problem(undefined));
    }
    this.#news.updated(store);
    if (this.#news.isLate || this.#stale) this.#drawRows();
    this.#news.isLate = this.#stale = false;
    this.#parts.tools?.updated();
  }

  /** Reads the items from the proxy again. */
  async refresh(): Promise<void> {
    await this.#controller.store?.refresh();
  }

  /** Sends the drafts. Resolves when the edits are stored on this device. */
  async save(): Promise<void> {
    await (await this.#parts.load())?.save();
  }

  /** Discards the drafts. */
  async discard(): Promise<void> {
    (await this.#parts.load())?.discard();
  }

  /** Undoes the last change, of one item or of many. Saved changes can also be undone after a reload, for a day. */
  async undo(): Promise<void> {
    await (await this.#parts.load())?.undo();
  }

  /** Repeats the change that `undo()` has undone. */
  async redo(): Promise<void> {
    await (await this.#parts.load())?.undo(true);
  }

  /**
   * Imports a list as one step, which `undo()` reverts: a column of ids, or `id,available` with a value such as `yes` or
   * `no`, separated by commas, semicolons or tabs. A rejected line changes nothing.
   *
   * @returns the number of lines that are new, changed, the same or rejected, with the reasons
   */
  async importCsv(text: string): Promise<ImportReport> {
    return (await this.#lists()).importCsv(text);
  }

  /** Writes all items that this page knows as comma-separated values, which `importCsv()` and spreadsheets read. */
  async exportCsv(): Promise<string> {
    return (await this.#lists()).exportCsv();
  }

  /** Resolves when every change is on the portal or needs a decision of a person, or when the editor is removed. */
  get settled(): Promise<void> {
    return this.#news.settled();
  }

  /**
   * Sends the waiting edits, asks the person about those that cannot be sent, and deletes what this browser stored for the
   * person. It also works while the editor is not in the page.
   *
   * @returns whether the person is signed out; `false` if they chose to stay
   */
  async signOut(): Promise<boolean> {
    // An element that was only just created or configured has no store yet.
    if (this.isConnected) await this.updateComplete;
    const store = this.#controller.store || this.#lastStore;
    if (store === undefined) return true;
    const tools = await this.#parts.load();
    return tools === undefined ? (await store.signOut()) === 0 : tools.signOut((deletes) => store.signOut(deletes));
  }

  /** Import and export, once every item is read. @throws if a module could not be loaded, or there is no list */
  async #lists(): Promise<{ importCsv: (text: string) => Promise<ImportReport>; exportCsv: () => string }> {
    const [tools, lists] = await Promise.all([this.#parts.load(), loadLists(findLanguage(this), this.strings)]);
    if (tools === undefined) throw new Error('there is no list to import or export');
    await whenRead(tools.context.table);
    return { importCsv: (text) => lists.importCsv(tools, text), exportCsv: () => lists.exportCsv(tools) };
  }

  #openTable(): void {
    if (!this.items && isComingIn(this.#draw)) return;
    const [{ store }, given] = [this.#controller, this.#given];
    const entries = (this.#given = this.items ?? (this.#childItems ??= readChildItems(this, this.#warn)));
    if (store === this.#table?.store && (entries === given || this.#parts.renew(this.#table, entries))) return;
    this.#closeTable();
    if (store === undefined) return;
    if (!Array.isArray(entries) || this.hasAttribute('items')) this.#warn('items is no array of items.');
    this.#table = new ItemList((this.#lastStore = store), Array.isArray(entries) ? entries : [], this.#warn);
    this.#table.subscribe((changed) => {
      if (changed === undefined) this.#stale = true;
      else this.#rows?.redraw(changed);
      if (changed === undefined) this.requestUpdate();
      else this.#news.afterPicture();
    });
  }

  #closeTable(): void {
    this.#parts.close();
    this.#table?.close();
    this.#rows?.close();
    this.#table = this.#rows = undefined;
  }

  get #level(): number {
    const level = Number(this.headingLevel);
    return level >= 1 && level <= 6 ? Math.round(level) : 2;
  }

  get #locked(): boolean {
    return this.readonly || this.disabled || this.#controller.store?.snapshot.canEdit !== true;
  }

  /** A framework may set the property to `null` or `undefined`. */
  get #hidden(): string {
    return (this.hide as string | null | undefined) ?? 'id';
  }

  #hides(part: string): boolean {
    return this.#hidden.split(' ').includes(part);
  }

  get #order(): RowOrder {
    return this.#parts.tools?.order ?? this.#table?.order ?? [];
  }

  #drawRows(): void {
    const [scroller, sheet] = [this.renderRoot.querySelector('.scroller'), this.renderRoot.querySelector('.sheet')];
    if (this.#table === undefined || scroller === null || sheet === null) return;
    // The module for tiles is loaded for the first editor that shows them. If it could not be loaded, the editor shows a
    // list.
    if (this.view === 'grid' && tiles.request(this.#drawAnew) === undefined) return;
    const { module } = tiles;
    if (this.view === 'grid' && module && this.shadowRoot !== null) addStyles(this.shadowRoot, [module.styles]);
    this.#rows ??= new VirtualRows(scroller as HTMLElement, sheet as HTMLElement, this.#rowsHost);
    this.#rows.refresh();
    if (this.#order.length > 0) this.#parts.later();
  }

  #context(): EditorContext | undefined {
    const [{ store }, table, rows, root] = [this.#controller, this.#table, this.#rows, this.shadowRoot];
    if (table === undefined || store === undefined || rows === undefined || root === null) return undefined;
    return {
      element: this,
      root,
      table,
      store,
      rows,
      text: this.#text,
      language: findLanguage(this) || 'en',
      timeZone: this.timeZone,
      locked: this.#locked,
      mode: this.saveMode === 'auto' ? 'auto' : 'manual',
      hides: (part) => this.#hides(part),
      confirmChange: (ids, first, available) => this.dispatchEvent(new InventoryChangeEvent(first, available, ids)),
      announce: (text) => void this.#news.announce(text),
      requestUpdate: this.#draw,
      loadLists: () => loadLists(findLanguage(this), this.strings),
      loadSchedules: () => loadSchedules(findLanguage(this), this.strings),
      loadHistory: () => loadHistory(findLanguage(this), this.strings),
      readChildren: () => void this.requestUpdate('items', null),
    };
  }

  #problem(snapshot: StoreSnapshot | undefined): string {
    const secret = secretAttribute(this);
    if (secret !== undefined) return this.#text.secretGiven(secret);
    return connectionText(snapshot, this.#text) || (this.#parts.isLost ? this.#text.missingPart : '');
  }

  readonly #warn = (message: string): void => void console.warn(`<${this.localName}>: ${message}`, this);

  get #Tiles(): typeof TileLine | undefined {
    return this.view === 'grid' ? tiles.module?.TileLine : undefined;
  }

  readonly #rowsHost: RowsHost = {
    order: (): RowOrder => this.#order,
    tiles: () => this.#Tiles,
    onLines: () => void this.requestUpdate(),
    draw: (row: Row, viewIndex: ViewIndex): void => {
      const itemIndex = this.#order.at(viewIndex);
      if (this.#rowContext === undefined) return;
      if (isHeading(itemIndex)) this.#parts.tools?.drawHeading(row, viewIndex, itemIndex);
      else row.draw(viewIndex, itemIndex === undefined ? undefined : this.#table?.row(itemIndex), this.#rowContext);
    },
  };

  #checkList(isChanged: boolean): void {
    const [snapshot, language] = [this.#controller.store?.snapshot, findLanguage(this) || 'en'];
    const portal = portalNameOf(this.portalName);
    const [dictionary, { editorDictionary, tools }] = [requestDictionary(language, portal), this.#parts];
    const key = [language, dictionary, editorDictionary, tools, this.#table, snapshot?.status, snapshot?.canEdit];
    if (!isChanged && key.every((part, at) => part === this.#key[at])) return;
    this.#key = key;
    this.#stale = true;
    const text = (this.#text = {
      ...enItem(portal),
      ...enList(portal),
      ...enConflict,
      ...dictionary,
      ...editorDictionary?.(portal),
      ...this.strings,
    } as EditorTexts);
    this.#rowContext = snapshot && {
      text,
      snapshot,
      readonly: this.readonly,
      disabled: this.disabled,
      showsIds: !this.#hides('id'),
      hasPictures: () => this.#table?.hasPictures === true,
      isSelected: (itemIndex) => this.#parts.tools?.selection.has(itemIndex) === true,
      back: (time) => text.back?.(timeAhead(time, Date.now(), language, this.timeZone)) ?? '',
      ago: (time) => timeAgo(time, Date.now(), language, this.timeZone, text.justNow),
    };
  }

  readonly #onClick = (event: MouseEvent): void => {
    const button = (event.target as Element).closest<HTMLElement>('[data-act]');
    const row = this.#rows?.rowOf(button);
    if (button === null || row === undefined || button.ariaDisabled === 'true') return;
    const act = button.dataset['act'] as RowAct;
    // While the tools are loading, the row may get another item, and another person may sign in.
    const pressed = { ...row, sessionEpoch: this.#table?.sessionEpoch };
    if (this.#parts.tools !== undefined) this.#parts.tools.act(act, pressed, event);
    else void this.#parts.load().then((tools) => tools?.act(act, pressed, event));
  };

  readonly #onFocus = ({ target }: FocusEvent): void => void this.#rows?.focused(target as HTMLElement);
  readonly #onKey = (event: KeyboardEvent): void => {
    const { tools } = this.#parts;
    if (tools === undefined || (this.#Tiles !== undefined && tiles.module?.onTileKey(event, tools) === true)) return;
    tools.onKey(event);
  };
  readonly #draw = (): void => void this.requestUpdate();
  readonly #drawAnew = (): void => {
    this.#stale = true;
    this.requestUpdate();
  };
  readonly #tryAgain = (): void =>
    void this.#notice.tryAgain(
      () => this.#problem(this.#controller.store?.snapshot),
      () => Promise.all([this.refresh(), this.#parts.load()]),
    );
  readonly #onPickAll = (): void => void this.#parts.tools?.selectAllOrNone();

  #renderGrid(): TemplateResult {
    const tools = this.#parts.tools;
    return renderGrid({
      text: this.#text,
      length: this.#order.length,
      tiled: this.#Tiles && this.#rows?.lines,
      pictured: this.#table?.hasPictures === true,
      complete: this.#table?.complete === true && tools?.filter.busy !== true,
      locked: this.#locked,
      heads: tools?.renderHeads(),
      picked: tools?.selection.state(tools.filter.order) ?? 'none',
      onClick: this.#onClick,
      onFocus: this.#onFocus,
      onPickAll: this.#onPickAll,
    });
  }

  #renderNoRows(snapshot: StoreSnapshot | undefined): TemplateResult | typeof nothing {
    if (this.#order.length > 0) return nothing;
    if (this.#table?.counts.all) return this.#parts.tools?.renderNoMatch() ?? nothing;
    return renderNoItems(snapshot?.status, this.#table?.complete === true, this.#text);
  }

  protected override render(): TemplateResult {
    const { store } = this.#controller;
    const [text, table, snapshot] = [this.#text, this.#table, store?.snapshot];
    const isAllKnown = (store?.knownIds.size ?? 0) >= (table?.counts.all ?? 0);
    const isReadOnly = this.readonly || (snapshot?.status === 'ready' && !snapshot.canEdit);
    const tools =
      this.#order.length > 0 || table?.counts.all
        ? (this.#parts.tools?.renderToolbar() ?? html`<div class="tools"></div>`)
        : nothing;
    return html`<div>
      <section
        aria-labelledby="title"
        data-hide=${this.#hidden}
        ?data-grouped=${this.#parts.tools?.isGrouped}
        aria-busy=${snapshot?.status === 'loading' ? 'true' : 'false'}
        @keydown=${this.#onKey}
      >
        <header part="header">
          <h2 id="title" aria-level=${this.#level}>${this.heading || text.inventory}</h2>
          <p class="total" part="count">${this.#parts.tools?.found ?? totalText(table, snapshot?.status, text)}</p>
          <slot name="header-actions"></slot>
          <p class="count">${openText(snapshot, text, table?.counts.changed, isAllKnown)}</p>
        </header>
        ${this.#notice.render(this.#problem(snapshot), text, snapshot && this.#tryAgain)}
        ${isReadOnly ? html`<p class="quiet">${text.readOnly}</p>` : nothing}
        ${tools}${this.#renderGrid()}${this.#renderNoRows(snapshot)} ${renderLeftOut(table?.leftOutCount ?? 0, text)}
        ${this.#parts.tools?.renderBars() ?? nothing}
        <div class="live-region" role="status">${this.#news.liveRegionText}</div>
      </section>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inventory-editor': InventoryEditor;
  }
}

import { toClosingId } from '../../../domain/edit.js';
import type { ItemId } from '../../../domain/item.js';
import type { SavedClosure, ClosureTable } from '../../storage/closure-table.js';
import type { ClosuresOfItems, EditorStore, OfferedClosure, ItemIndex, Rows, ClosurePreview } from '../editor-types.js';
import type { ItemDraft } from '../draft.js';
import { type RowState, shownValue } from '../row-state.js';
import { newEditId } from '../../storage/edit-id.js';
import { NativePromise } from '../../storage/native-promise.js';
import { isProvisional } from '../../storage/queue-owner.js';
import { changeIds, type ClosureChange, type ClosureOffer, joinOffers } from './closure-offer.js';

/** Whether an item belongs to the closure after a change. @param row `undefined` if this page has no row of it */
type IsIncluded = (row: RowState | undefined) => boolean;

/**
 * "Close all", and reopening exactly the items that it closed: after a storm or a season, people no longer know which
 * items were unavailable before. Its promises:
 *
 * - Only available items are closed, and only those are reopened: no item that was unavailable or without a value.
 * - An item that another person has changed since stays as it is. Nothing is done in the name of the next person.
 * - Undoing a closing forgets it. Undoing a reopening offers the reopening again.
 * - A closure survives the page, for the person who made it. It is deleted when that person signs out.
 * - What was closed on another device, or by a colleague, is offered as well: the proxy names the items as long as they
 *   have not changed since. "Leave closed" ends the offer for this person on this device.
 *
 * It is stored before the items are closed, and deleted after they are reopened. If the page closes in between, the
 * next page offers to reopen items that are open, which changes nothing.
 */
export class Closures implements ClosuresOfItems {
  readonly #draft: ItemDraft;
  readonly #store: EditorStore;
  readonly #onChange: () => void;
  readonly #db: ClosureTable;
  #work: Promise<void> = NativePromise.resolve();
  readonly #unsubscribe: () => void;
  #closure: SavedClosure | undefined;
  /**
   * The offer, derived from the closure and the proxy's listing; `undefined`: to be derived again, because one of them has
   * changed.
   */
  #offer: ClosureOffer | undefined;
  #closedCount = 0;
  #isChangeDue = false;
  #owner: string;
  /** Callbacks of closings and reopenings that are drafts. */
  #onDraftsDone: ((saved: boolean) => void)[] = [];
  #refused = false;

  constructor(draft: ItemDraft, store: EditorStore, onChange: () => void, db: ClosureTable) {
    this.#draft = draft;
    this.#store = store;
    this.#onChange = onChange;
    this.#db = db;
    this.#owner = store.snapshot.owner;
    this.#closedCount = store.closed.size;
    this.#unsubscribe = store.subscribe((changed) => {
      this.#onOwner();
      this.#onClosed(changed);
    });
    void this.#read();
  }

  get offered(): OfferedClosure | undefined {
    const { ids, madeAt } = this.#findOffer();
    return ids.length === 0 ? undefined : { count: ids.length, madeAt, isStored: !this.#refused };
  }

  get settled(): Promise<void> {
    return this.#work;
  }

  get closedIds(): readonly ItemId[] {
    return this.#findOffer().ids;
  }

  async apply(
    available: boolean,
    confirmChange?: (ids: readonly ItemId[]) => boolean,
    within?: readonly ItemIndex[],
  ): Promise<number> {
    const { table } = this.#draft;
    const { sessionEpoch } = table;
    // Another tab may have closed items since the last read. The closure must keep them.
    if (!available) await this.#read();
    if (sessionEpoch !== table.sessionEpoch) return 0;
    const preview = this.preview(available, within);
    const madeBefore = this.offered?.madeAt;
    const known = new Set(this.#closure?.ids);
    // Items that are in the closure and are still closed stay in it.
    const isHere = (id: ItemId): boolean => known.has(id) || table.findItemIndex(id) !== undefined;
    const ids = available ? this.#closedAmong(within).filter(isHere) : preview.ids.filter((id) => !known.has(id));
    const changeSet = available ? undefined : toClosingId(newEditId());
    const at = available ? undefined : Date.now();
    let isReverted = undefined as boolean | undefined;
    const afterDrafts = (saved: boolean): void => {
      // A cancelled save has changed only some of the rows, so the value of each row decides.
      if (!isReverted && (available || !saved))
        void this.#update(ids, (row) => row === undefined || shownValue(row) !== true, { at: madeBefore });
    };
    const onUndoRedo = (isUndo: boolean): Promise<void> | undefined => {
      // After another sign-in, the closure belongs to another person and must not change.
      if (isUndo === isReverted || sessionEpoch !== table.sessionEpoch) return undefined;
      isReverted = isUndo;
      const isDrafted = this.#draft.mode === 'manual';
      if (isDrafted) this.#onDraftsDone.push(afterDrafts);
      // An item that this page does not know cannot be reopened here, so it stays in the closure.
      const isIncluded: IsIncluded = (row) => isUndo === available || row === undefined;
      const ignored = changeSet === undefined ? [] : [changeSet];
      return this.#update(
        ids,
        isIncluded,
        { at: isUndo ? madeBefore : at, ignored },
        isDrafted && available && !isUndo,
      );
    };
    if (!available) await onUndoRedo(false);
    if (sessionEpoch !== table.sessionEpoch) return 0;
    // The host is asked last: it may copy the values into its items at once, and the preview above would then find no row
    // to change.
    if (confirmChange?.(preview.ids) === false) {
      void onUndoRedo(true);
      return 0;
    }
    await this.#draft.setSelected(preview, available, {
      onUndoRedo: (isUndo) => void onUndoRedo(isUndo),
      changeSet,
    });
    // The step may have been undone during the write.
    if (isReverted === undefined) void onUndoRedo(false);
    return preview.change;
  }

  /** Removes items that are open again, after an undo or redo of a step of an earlier page. */
  removeOpenItems(): void {
    void this.#update(this.#closure?.ids, (row) => row === undefined || shownValue(row) !== true);
  }

  forget(): void {
    const ignored = [...new Set(this.closedIds.flatMap((id) => this.#store.closed.get(id) ?? []))];
    void this.#update(this.#closure?.ids, () => false, { ignored });
  }

  afterDrafts(saved: boolean): void {
    for (const after of this.#onDraftsDone.splice(0)) after(saved);
  }

  close(): void {
    this.#unsubscribe();
    void this.#work.then(() => {
      this.#db.close();
    });
  }

  preview(
    available: boolean,
    within?: readonly ItemIndex[],
  ): ClosurePreview & Rows & { readonly ids: readonly ItemId[] } {
    const { table } = this.#draft;
    const itemIndexes: ItemIndex[] = [];
    const ids: ItemId[] = [];
    let skipped = 0;
    const consider = (itemIndex: ItemIndex): void => {
      const row = table.isRow(itemIndex) ? table.at(itemIndex) : undefined;
      if (row === undefined || shownValue(row) !== !available) return;
      const { id, value } = row;
      // An item that is closed only in a draft reopens even if another person has set its value.
      const view = available && value !== true ? this.#store.view(id) : undefined;
      // A colleague who closed this item together with others made the change that is reverted here, so it does not count.
      const isChanged = (view?.by ?? view?.theirs) !== undefined && view?.closing === undefined;
      if (isChanged || !this.#store.canEdit(id)) skipped += 1;
      else {
        itemIndexes.push(itemIndex);
        ids.push(id);
      }
    };
    if (available) for (const id of this.#closedAmong(within)) consider(table.findItemIndex(id) ?? -1);
    else if (within !== undefined) within.forEach(consider);
    else for (let itemIndex = 0; itemIndex < table.size; itemIndex += 1) consider(itemIndex);
    return { change: itemIndexes.length, skipped, rows: () => itemIndexes.sort((one, other) => one - other), ids };
  }

  /** The offer: the items that this device has closed, and those that the proxy reports as closed elsewhere. */
  #findOffer(): ClosureOffer {
    return (this.#offer ??= joinOffers(this.#closure, this.#draft.table, this.#store));
  }

  /** The items of the closure among these item indexes. */
  #closedAmong(within: readonly ItemIndex[] | undefined): readonly ItemId[] {
    if (within === undefined) return this.closedIds;
    const itemIndexes = new Set(within);
    return this.closedIds.filter((id) => itemIndexes.has(this.#draft.table.findItemIndex(id) ?? -1));
  }

  /**
   * Adds or removes these items only, so that items that another tab has closed stay in the closure.
   *
   * @param isDrafted the change is a draft: it is not stored, because the next page needs the saved state
   */
  #update(
    ids: readonly ItemId[] | undefined,
    isIncluded: IsIncluded,
    more: ClosureChange = {},
    isDrafted = false,
  ): Promise<void> | undefined {
    const owner = this.#owner;
    const { table } = this.#draft;
    const change = changeIds(ids, (id) => isIncluded(table.at(table.findItemIndex(id) ?? -1)), more);
    this.#setClosure(change(this.#closure));
    this.#onChange();
    return isDrafted ? undefined : this.#next(() => this.#db.change(owner, change));
  }

  #read(): Promise<void> {
    const owner = this.#owner;
    return this.#next(async () => {
      const closure = await this.#db.read(owner);
      if (owner !== this.#owner || closure === undefined) return;
      this.#setClosure(closure);
      this.#onChange();
    });
  }

  #setClosure(closure: SavedClosure | undefined): void {
    this.#closure = closure;
    this.#offer = undefined;
  }

  /** The proxy reports other closed items. Renders once, however many items change in one task. */
  #onClosed(changed: ItemId | undefined): void {
    const { closed } = this.#store;
    if (closed.size === this.#closedCount && (changed === undefined || !closed.has(changed))) return;
    this.#closedCount = closed.size;
    this.#offer = undefined;
    if (this.#isChangeDue) return;
    this.#isChangeDue = true;
    queueMicrotask(() => {
      this.#isChangeDue = false;
      this.#onChange();
    });
  }

  #onOwner(): void {
    const { owner, problem } = this.#store.snapshot;
    const before = this.#owner;
    if (owner === before) {
      // The person has signed out before the proxy had named them.
      if (problem === 'signed_out' && this.#closure !== undefined) {
        this.#setClosure(undefined);
        this.#onDraftsDone = [];
        void this.#next(() => this.#db.change(before));
      }
      return;
    }
    this.#owner = owner;
    if (isProvisional(before)) void this.#next(() => this.#claim(before, owner));
    else {
      this.#setClosure(undefined);
      this.#onDraftsDone = [];
      // After a sign-out the owner is anonymous.
      if (isProvisional(owner)) void this.#next(() => this.#db.change(before));
    }
    void this.#read();
  }

  /** Adds the items that were closed before the person was known to the closure of that person. */
  async #claim(tab: string, owner: string): Promise<void> {
    const made = await this.#db.read(tab);
    if (made === undefined) return;
    await this.#db.change(
      owner,
      changeIds(made.ids, () => true, made),
    );
    await this.#db.change(tab);
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work
      .then(work)
      .then(() => {
        this.#refused = false;
      })
      .catch((error: unknown) => {
        if (!this.#refused) console.warn('vendor-inventory-widget: the browser refuses to keep closings.', error);
        this.#refused = true;
        this.#onChange();
      });
    return this.#work;
  }
}

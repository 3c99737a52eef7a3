import type { ItemId } from '../../../domain/item.js';
import type { Change, SavedClosure, ClosureTable } from '../../storage/closure-table.js';
import type { ClosingsOfItems, EditorStore, OfferedClosing, Position, Rows, TurnPreview } from '../editor-types.js';
import type { ItemDraft } from '../draft.js';
import { type RowState, shownValue } from '../row-state.js';
import { isProvisional } from '../../storage/queue-owner.js';

/** @param row of an id; `undefined`: this page has none */
type IsThere = (row: RowState | undefined) => boolean;

const NONE: readonly ItemId[] = [];

/**
 * "Close all", and opening exactly that again: after a storm, or after a season, when nobody knows any more what was
 * unavailable before. Its promises:
 *
 * - Only what is available is closed, and only that is opened again: neither what was unavailable nor what nobody has set.
 * - What somebody else has changed since is left alone. Nothing is done as the next person at this page.
 * - Undone, it was never there; and whoever undoes the opening may open again.
 * - It outlives the page, and is kept for the person who closed. When that person signs out, it is wiped.
 *
 * It is written down before anything is closed, and forgotten after it is opened: a page that ends in between offers to open
 * what is open, which changes nothing.
 */
export class Closings implements ClosingsOfItems {
  readonly #draft: ItemDraft;
  readonly #store: EditorStore;
  readonly #onChange: () => void;
  readonly #db: ClosureTable;
  #work: Promise<void> = Promise.resolve();
  readonly #leave: () => void;
  #closing: SavedClosure | undefined;
  #owner: string;
  /** Turns that are drafted and not saved. */
  #drafted: ((saved: boolean) => void)[] = [];
  #refused = false;

  constructor(draft: ItemDraft, store: EditorStore, onChange: () => void, db: ClosureTable) {
    this.#draft = draft;
    this.#store = store;
    this.#onChange = onChange;
    this.#db = db;
    this.#owner = store.snapshot.owner;
    this.#leave = store.subscribe(() => {
      this.#onOwner();
    });
    void this.#read();
  }

  get offered(): OfferedClosing | undefined {
    return this.#closing && { count: this.#closing.ids.length, madeAt: this.#closing.at, isKept: !this.#refused };
  }

  get settled(): Promise<void> {
    return this.#work;
  }

  get closed(): readonly ItemId[] {
    return this.#closing?.ids ?? NONE;
  }

  async turn(
    available: boolean,
    mayTurn?: (ids: readonly ItemId[]) => boolean,
    within?: readonly Position[],
  ): Promise<number> {
    const { table } = this.#draft;
    const { person } = table;
    // Another tab may have closed some meanwhile: they are not to be forgotten.
    if (!available) await this.#read();
    if (person !== table.person) return 0;
    const turn = this.preview(available, within);
    const before = this.#closing;
    const known = new Set(before?.ids);
    // What was closed before and is closed still belongs to what is opened again.
    const ids = available ? this.#closedIn(within) : turn.ids.filter((id) => !known.has(id));
    const at = available ? undefined : Date.now();
    let wasBack = undefined as boolean | undefined;
    const afterDrafts = (saved: boolean): void => {
      // A save that was cancelled has turned some.
      if (!wasBack && (available || !saved))
        void this.#put(ids, (row) => row === undefined || shownValue(row) !== true, before?.at);
    };
    const onTurn = (isBack: boolean): Promise<void> | undefined => {
      // Another person is here: it is no word about what they closed.
      if (isBack === wasBack || person !== table.person) return undefined;
      wasBack = isBack;
      const isDrafted = this.#draft.mode === 'manual';
      if (isDrafted) this.#drafted.push(afterDrafts);
      // What this page does not know is not opened here.
      const isThere: IsThere = (row) => isBack === available || row === undefined;
      return this.#put(ids, isThere, isBack ? before?.at : at, isDrafted && available && !isBack);
    };
    if (!available) await onTurn(false);
    if (person !== table.person) return 0;
    // Right before it is done: the page that is asked may write it into its items at once, and nothing would be left to do.
    if (mayTurn?.(turn.ids) === false) {
      void onTurn(true);
      return 0;
    }
    await this.#draft.setSelected(turn, available, onTurn);
    // It may have been undone while it was written.
    if (wasBack === undefined) void onTurn(false);
    return turn.change;
  }

  /** Undo or redo of a step that an earlier page made: what is open again is no longer on offer. */
  dropOpen(): void {
    void this.#put(this.#closing?.ids, (row) => row === undefined || shownValue(row) !== true, this.#closing?.at);
  }

  drop(): void {
    void this.#put(this.#closing?.ids, () => false);
  }

  afterDrafts(saved: boolean): void {
    for (const after of this.#drafted.splice(0)) after(saved);
  }

  close(): void {
    this.#leave();
    void this.#work.then(() => {
      this.#db.close();
    });
  }

  preview(available: boolean, within?: readonly Position[]): TurnPreview & Rows & { readonly ids: readonly ItemId[] } {
    const { table } = this.#draft;
    const positions: Position[] = [];
    const ids: ItemId[] = [];
    let skipped = 0;
    const look = (position: Position): void => {
      const row = table.isRow(position) ? table.at(position) : undefined;
      if (row === undefined || shownValue(row) !== !available) return;
      const { id, value } = row;
      // What is closed in a draft alone stands over whatever anybody has said before.
      const view = available && value !== true ? this.#store.view(id) : undefined;
      if ((view?.by ?? view?.theirs) !== undefined || !this.#store.mayEdit(id)) skipped += 1;
      else {
        positions.push(position);
        ids.push(id);
      }
    };
    if (available) for (const id of this.#closedIn(within)) look(table.positionOf(id) ?? -1);
    else if (within !== undefined) within.forEach(look);
    else for (let position = 0; position < table.size; position += 1) look(position);
    return { change: positions.length, skipped, rows: () => positions.sort((one, other) => one - other), ids };
  }

  /** What was closed of these positions. */
  #closedIn(within: readonly Position[] | undefined): readonly ItemId[] {
    if (within === undefined) return this.closed;
    const positions = new Set(within);
    return this.closed.filter((id) => positions.has(this.#draft.table.positionOf(id) ?? -1));
  }

  /**
   * Only these: what another tab has closed stays on offer.
   * @param isDrafted it is not so yet, and the next page is told what is so
   */
  #put(
    ids: readonly ItemId[] | undefined,
    isThere: IsThere,
    at?: number,
    isDrafted = false,
  ): Promise<void> | undefined {
    const owner = this.#owner;
    const { table } = this.#draft;
    const change = withThese(ids, (id) => isThere(table.at(table.positionOf(id) ?? -1)), at);
    this.#closing = change(this.#closing);
    this.#onChange();
    return isDrafted ? undefined : this.#next(() => this.#db.change(owner, change));
  }

  #read(): Promise<void> {
    const owner = this.#owner;
    return this.#next(async () => {
      const closing = await this.#db.read(owner);
      if (owner !== this.#owner || closing === undefined) return;
      this.#closing = closing;
      this.#onChange();
    });
  }

  #onOwner(): void {
    const { owner, problem } = this.#store.snapshot;
    const before = this.#owner;
    if (owner === before) {
      // Signed out before it was known who is here.
      if (problem === 'signed_out' && this.#closing !== undefined) {
        this.#closing = undefined;
        this.#drafted = [];
        void this.#next(() => this.#db.change(before));
      }
      return;
    }
    this.#owner = owner;
    if (isProvisional(before)) void this.#next(() => this.#claim(before, owner));
    else {
      this.#closing = undefined;
      this.#drafted = [];
      // Nobody's page again: this person has signed out.
      if (isProvisional(owner)) void this.#next(() => this.#db.change(before));
    }
    void this.#read();
  }

  /** It is known who is here: what was closed before that is theirs, with what they had closed earlier. */
  async #claim(tab: string, owner: string): Promise<void> {
    const made = await this.#db.read(tab);
    if (made === undefined) return;
    await this.#db.change(
      owner,
      withThese(made.ids, () => true, made.at),
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

/** @param at when, where that changes */
function withThese(ids: readonly ItemId[] | undefined, isThere: (id: ItemId) => boolean, at?: number): Change {
  return (there) => {
    const all = new Set(there?.ids);
    ids?.forEach((id) => all[isThere(id) ? 'add' : 'delete'](id));
    return all.size > 0 ? { at: (at ?? there?.at) as number, ids: [...all] } : undefined;
  };
}

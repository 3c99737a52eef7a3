import { OFF, ON, shownIn, type Code } from '../domain/stand.js';
import type { ItemId } from '../domain/item.js';
import { ClosingDb, type Closing } from './closing-db.js';
import type { ClosingsOfItems, EditorStore, OfferedClosing, Position, Rows, TurnPreview } from './editor-model.js';
import type { ItemDraft } from './item-draft.js';
import { isProvisional } from './queue-owner.js';

/**
 * "Close all", and opening exactly that again: after a storm, or after a season, when nobody knows any more what was
 * unavailable before. Its promises:
 *
 * - Only what is available is closed, and only that is opened again: neither what was unavailable nor what nobody has set.
 * - What somebody else has changed since is left alone.
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
  readonly #db: ClosingDb;
  readonly #leave: () => void;
  #owner: string;
  #closing: Closing | undefined;
  /** What was before a turn that is drafted and not saved; `none`: there is no such turn. */
  #before: { readonly closing: Closing | undefined } | undefined;
  #refused = false;
  #work: Promise<void> = Promise.resolve();

  constructor(draft: ItemDraft, store: EditorStore, onChange: () => void, db = new ClosingDb()) {
    this.#draft = draft;
    this.#store = store;
    this.#onChange = onChange;
    this.#db = db;
    this.#owner = store.snapshot.owner;
    this.#leave = store.subscribe(() => {
      this.#onOwner();
    });
    this.#read();
  }

  get offered(): OfferedClosing | undefined {
    return this.#closing && { count: this.#closing.ids.length, madeAt: this.#closing.at, isKept: !this.#refused };
  }

  get settled(): Promise<void> {
    return this.#work;
  }

  preview(available: boolean): TurnPreview {
    return this.#rows(available);
  }

  ids(available: boolean): readonly ItemId[] {
    return this.#rows(available).ids;
  }

  async turn(available: boolean): Promise<number> {
    if (!available) {
      // Another tab may have closed some meanwhile: they are not to be forgotten.
      this.#read();
      await this.#work;
    }
    const turn = this.#rows(available);
    const { ids } = turn;
    const before = this.#closing;
    // What was closed before and is closed still belongs to what is opened again.
    const known = [...new Set([...(before?.ids ?? []), ...ids])];
    const closing = available ? undefined : { at: Date.now(), ids: known };
    if (closing !== undefined) {
      this.#put(closing);
      await this.#work;
    }
    let isLast = available;
    await this.#draft.setSelected(turn, available, (isBack) => {
      isLast = false;
      this.#put(isBack ? before : closing);
    });
    // It may have been undone while it was written.
    if (isLast) this.#put(undefined);
    this.#before = this.#draft.mode === 'manual' ? (this.#before ?? { closing: before }) : undefined;
    return ids.length;
  }

  drop(): void {
    this.#put(undefined);
  }

  afterDrafts(saved: boolean): void {
    const before = this.#before;
    this.#before = undefined;
    if (before !== undefined && !saved) this.#put(before.closing);
  }

  close(): void {
    this.#leave();
    void this.#work.then(() => {
      this.#db.close();
    });
  }

  /** What a turn would change now. */
  #rows(available: boolean): TurnPreview & Rows & { readonly ids: readonly ItemId[] } {
    const { table } = this.#draft;
    const from: Code = available ? OFF : ON;
    const positions: Position[] = [];
    const ids: ItemId[] = [];
    let skipped = 0;
    const look = (position: Position | undefined): void => {
      const id = position !== undefined && table.isRow(position) ? table.idAt(position) : undefined;
      if (position === undefined || id === undefined || shownIn(table.states.at(position)) !== from) return;
      if ((available && this.#isOthers(id)) || !this.#store.mayEdit(id)) skipped += 1;
      else {
        positions.push(position);
        ids.push(id);
      }
    };
    if (available) for (const id of this.#closing?.ids ?? []) look(table.positionOf(id));
    else for (let position = 0; position < table.size; position += 1) look(position);
    return { change: positions.length, skipped, rows: () => Uint32Array.from(positions).sort(), ids };
  }

  #isOthers(id: ItemId): boolean {
    const { by, theirs } = this.#store.view(id);
    return (by ?? theirs) !== undefined;
  }

  #put(closing: Closing | undefined): void {
    const owner = this.#owner;
    this.#closing = closing;
    this.#next(() => this.#db.write(owner, closing));
    this.#onChange();
  }

  #read(): void {
    const owner = this.#owner;
    this.#next(async () => {
      const closing = await this.#db.read(owner);
      if (owner !== this.#owner || closing === undefined) return;
      this.#closing = closing;
      this.#onChange();
    });
  }

  #onOwner(): void {
    const [before, { owner }] = [this.#owner, this.#store.snapshot];
    if (owner === before) return;
    this.#owner = owner;
    if (isProvisional(before)) {
      this.#claim(before);
      return;
    }
    this.#closing = undefined;
    this.#before = undefined;
    // Nobody's page again: this person has signed out.
    if (isProvisional(owner)) this.#next(() => this.#db.write(before, undefined));
    this.#read();
  }

  /** It is known who is here: what was closed before that is theirs, with what they had closed earlier. */
  #claim(tab: string): void {
    const owner = this.#owner;
    this.#next(async () => {
      const made = await this.#db.read(tab);
      if (made === undefined) {
        this.#read();
        return;
      }
      const earlier = await this.#db.read(owner);
      if (owner === this.#owner) {
        this.#before &&= { closing: earlier };
        this.#put({ at: made.at, ids: [...new Set([...(earlier?.ids ?? []), ...made.ids])] });
      }
      this.#next(() => this.#db.write(tab, undefined));
    });
  }

  #next(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).then(
      () => {
        this.#refused = false;
      },
      (error: unknown) => {
        if (!this.#refused)
          console.warn('vendor-inventory-widget: the browser refuses to keep what was closed.', error);
        this.#refused = true;
        this.#onChange();
      },
    );
  }
}

import type { ItemId } from '../../../domain/item.js';
import { DraftTable, type StoredPage, type StoredDraft } from '../../storage/draft-table.js';
import { newEditId } from '../../storage/edit-id.js';
import { untilIdle, afterNextPaint } from '../../browser/next-frame.js';
import { isOrphaned, isProvisional } from '../../storage/queue-owner.js';
import type { EditorStore, KeeperOfDrafts, OfferedDrafts, Position, UndoResult } from '../editor-types.js';
import type { ItemDraft } from '../draft.js';
import { OpenPageRegistry } from '../../browser/tab-locks.js';
import { untilRead } from '../item-list.js';
import { isChanged } from '../row-state.js';

/** Rows in one transaction: what a slice can copy on a machine four times slower. */
const CHUNK = 100;

/** Pages that ended with a list of an editor that goes on, somewhere else or with another list. */
const ended = new WeakMap<object, Set<string>>();

/**
 * Keeps what a person has not saved, so that a reload, a crash or a lost session costs none of it. Its promises:
 *
 * - A wish is written when it is made and can be seen, and taken away when it is saved or discarded.
 * - What an earlier page left is offered with its age, and never put back unasked. Another list of the same editor goes on
 *   with it, where the same person is there: what was made for nobody at another session is offered.
 * - It is kept for the person who made it, offered to nobody else, and wiped when that person signs out. What a page left that
 *   went before it knew its person is offered to whoever is there next.
 * - Where the browser refuses storage, that is said.
 */
export class DraftKeeper implements KeeperOfDrafts {
  readonly #draft: ItemDraft;
  readonly #store: EditorStore;
  readonly #onChange: () => void;
  readonly #db = new DraftTable();
  readonly #pages = new OpenPageRegistry(() => void this.#look());
  readonly #leave: () => void;
  #page: string = newEditId();
  #owner: string;
  /** The oldest first. */
  #offered: readonly StoredPage[] = [];
  #refused = false;
  #isClosed = false;
  /** Rows to write: those that storage has refused are tried again with the next ones. */
  readonly #touched = new Set<Position>();
  readonly #ended: Set<string>;
  #isQueued = false;
  /** One after the other: what was made first is written first. */
  #work: Promise<void> = Promise.resolve();

  constructor(draft: ItemDraft, store: EditorStore, onChange: () => void, editor: object = {}) {
    this.#draft = draft;
    this.#store = store;
    this.#onChange = onChange;
    this.#owner = store.snapshot.owner;
    ended.set(editor, (this.#ended = ended.get(editor) ?? new Set()));
    draft.changes.onChange = (positions) => {
      for (const position of positions) this.#touched.add(position);
      // Before it is written: nobody may think meanwhile that this page had nothing.
      if (draft.table.counts.changed > 0) this.#pages.hold(this.#page);
      if (!this.#isQueued) void this.#next(() => this.#write());
      this.#isQueued = true;
    };
    this.#leave = store.subscribe(this.#onSnapshot);
    void this.#look();
  }

  get offered(): OfferedDrafts | undefined {
    const newest = this.#offered.at(-1);
    return newest && { count: this.#offered.reduce((sum, { count }) => sum + count, 0), madeAt: newest.at };
  }

  get refused(): boolean {
    return this.#refused;
  }

  get settled(): Promise<void> {
    return this.#work;
  }

  takeBack(): Promise<UndoResult> {
    const pages = this.#offered;
    this.#offered = [];
    return this.#take(pages);
  }

  async #take(pages: readonly StoredPage[]): Promise<UndoResult> {
    const person = this.#owner;
    await untilRead(this.#draft.table);
    const { found, taken, skipped } = await this.#findOffered(pages);
    if (this.#isClosed || person !== this.#owner) return { changed: 0, skipped: 0 };
    const rows = [...found].sort(([one], [other]) => one - other);
    // What was looked for twice is taken once: undo is to take something back.
    if (rows.length > 0)
      this.#draft.restore(
        rows.map(([position, { available, base, stamp }]) => ({ position, wanted: available, base: { base, stamp } })),
      );
    // First this page's rows are written, then the others go.
    for (const [kept, ids] of taken) {
      this.#ended.delete(kept.page);
      // Where they could not be written it is the only copy.
      void this.#next(() => this.#refused || this.#db.drop(kept, ids));
    }
    await this.#look();
    return { changed: rows.length, skipped };
  }

  async dropOffered(): Promise<void> {
    const pages = this.#offered;
    this.#offered = [];
    for (const { owner, page } of pages) void this.#next(() => this.#db.remove(owner, page));
    this.#onChange();
    // A look that had begun before brought them back to sight.
    await this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#ended.add(this.#page);
    this.#leave();
    // Until it is written it is this page's: who looks for it meanwhile is told when it is there.
    void this.#work.then(() => {
      this.#pages.close();
      this.#db.close();
    });
  }

  /** What of it this page knows, and has no newer wish for. */
  async #findOffered(pages: readonly StoredPage[]) {
    const { table } = this.#draft;
    const found = new Map<Position, StoredDraft>();
    const taken = new Map<StoredPage, ItemId[]>();
    let skipped = 0;
    for (const page of pages) {
      const ids: ItemId[] = [];
      for (const wish of await this.#read(page)) {
        const position = table.positionOf(wish.id) ?? -1;
        if (!table.isRow(position)) {
          skipped += 1;
          continue;
        }
        ids.push(wish.id);
        const row = table.at(position);
        const isSo = row?.value === wish.available;
        if (row === undefined || row.draft !== undefined) continue;
        if (isSo && (row.isKnown || !this.#ended.has(page.page))) continue;
        // Where the same editor's next list repeats the draft, it tells nothing but the person's own wish.
        if (isSo) table.put(position, { ...row, value: undefined });
        found.set(position, wish);
      }
      taken.set(page, ids);
    }
    return { found, taken, skipped };
  }

  async #read({ owner, page }: StoredPage): Promise<StoredDraft[]> {
    const wishes: StoredDraft[] = [];
    await this.#next(async () => {
      for await (const chunk of this.#db.wishes(owner, page)) wishes.push(...chunk);
    });
    return wishes;
  }

  async #write(): Promise<void> {
    const { table, changes } = this.#draft;
    const [owner, page, person] = [this.#owner, this.#page, table.person];
    this.#isQueued = false;
    if (table.counts.changed === 0) {
      this.#touched.clear();
      await afterNextPaint();
      await this.#db.remove(owner, page);
      if (table.counts.changed === 0) this.#pages.release();
      return;
    }
    let picture: typeof untilIdle = afterNextPaint;
    while (this.#touched.size > 0 && person === table.person) {
      const some = [...this.#touched].slice(0, CHUNK);
      const kept: StoredDraft[] = [];
      const gone: ItemId[] = [];
      for (const position of some) {
        const id = table.idAt(position);
        const row = table.at(position);
        const draft = row !== undefined && isChanged(row) ? row.draft : undefined;
        this.#touched.delete(position);
        if (id === undefined) continue;
        if (draft === undefined) gone.push(id);
        else kept.push({ id, available: draft.available, ...changes.baseOf(position) });
      }
      try {
        await picture();
        picture = untilIdle;
        await this.#db.write(owner, page, Date.now(), kept, gone);
      } catch (error) {
        if (person === table.person) for (const position of some) this.#touched.add(position);
        throw error;
      }
    }
    this.#refused = false;
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return;
    const owner = this.#owner;
    await this.#next(async () => {
      // In this order: a page that ends in between has written what it had.
      const living = await this.#pages.listOpenPages();
      const owners = [...(await this.#db.owners())].filter((one) => one === owner || isOrphaned(one, owner));
      const pages = (await Promise.all(owners.map((one) => this.#db.pages(one)))).flat().sort((a, b) => a.at - b.at);
      if (owner !== this.#owner) return;
      const left = pages.filter(({ page }) => page !== this.#page && !living.has(page));
      const isOwn = (one: StoredPage): boolean => one.owner === owner && this.#ended.has(one.page);
      const own = left.filter(isOwn);
      this.#offered = left.filter((one) => !isOwn(one));
      if (own.length > 0) void this.#take(own);
      this.#onChange();
    });
  }

  readonly #onSnapshot = (): void => {
    const { owner, problem } = this.#store.snapshot;
    const before = this.#owner;
    if (owner === before) {
      // Signed out before anybody knew who was here.
      if (problem === 'signed_out' && this.#draft.table.counts.changed > 0) this.#draft.discard();
      return;
    }
    this.#owner = owner;
    this.#offered = [];
    if (isProvisional(before)) void this.#next(() => this.#db.move(before, owner));
    else {
      this.#touched.clear();
      this.#pages.release();
      this.#page = newEditId();
      // Nobody's page again: this person has signed out. Another person's page: the drafts wait for the first to return.
      if (isProvisional(owner)) void this.#next(() => this.#db.remove(before));
    }
    void this.#look();
  };

  #next(work: () => unknown): Promise<void> {
    this.#work = this.#work.then(work as () => void).catch((error: unknown) => {
      if (!this.#refused) console.warn('vendor-inventory-widget: the browser refuses to keep drafts.', error);
      this.#refused = true;
      this.#onChange();
    });
    return this.#work;
  }
}

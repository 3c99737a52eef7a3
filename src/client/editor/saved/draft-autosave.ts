import type { ItemId } from '../../../domain/item.js';
import { DraftTable, type StoredPage, type StoredDraft } from '../../storage/draft-table.js';
import { newEditId } from '../../storage/edit-id.js';
import { NativePromise } from '../../storage/native-promise.js';
import { untilIdle, afterNextPaint } from '../../browser/next-frame.js';
import { isOrphaned, isProvisional } from '../../storage/queue-owner.js';
import type { EditorStore, AutosavedDrafts, OfferedDrafts, ItemIndex, UndoResult } from '../editor-types.js';
import type { ItemDraft } from '../draft.js';
import { OpenPageRegistry } from '../../browser/tab-locks.js';
import { whenRead } from '../item-list.js';
import { isChanged } from '../row-state.js';

/** Rows in one transaction: a machine that is four times slower still copies them within one slice of work. */
const CHUNK = 100;

/** By editor: the pages of its earlier lists, whose drafts its next list restores by itself. */
const earlierPages = new WeakMap<object, Set<string>>();

/**
 * Stores drafts on this device, so that a reload, a crash or a lost session does not lose them. Its promises:
 *
 * - A draft is written as soon as it was made and rendered, and deleted when it is saved or discarded.
 * - Drafts of an earlier page are offered with their age, and restored only when the person asks for it. Another list
 *   of the same editor restores the drafts of the same person by itself; anonymous drafts of another session are only
 *   offered.
 * - Drafts belong to the person who made them. They are never offered to another person, and are deleted at the
 *   sign-out. Drafts of a page that closed before its person was known are offered to the next person.
 * - If the browser does not store drafts, `refused` reports it.
 */
export class DraftAutosave implements AutosavedDrafts {
  readonly #draft: ItemDraft;
  readonly #store: EditorStore;
  readonly #onChange: () => void;
  readonly #db = new DraftTable(() => {
    // The database has opened after a timeout, so the drafts of earlier pages can be listed now.
    if (this.#refused) void this.#findPages();
  });
  readonly #pages = new OpenPageRegistry(() => void this.#findPages());
  readonly #unsubscribe: () => void;
  #page: string = newEditId();
  #owner: string;
  /** The pages with drafts on offer, the oldest first. */
  #offered: readonly StoredPage[] = [];
  #refused = false;
  #isClosed = false;
  /** Item indexes of the drafts to write. Those that storage rejected are written again with the next ones. */
  readonly #touched = new Set<ItemIndex>();
  readonly #earlierPages: Set<string>;
  #isQueued = false;
  /**
   * The last storage operation. They run one after the other, so that drafts are written in the order in which they
   * were made.
   */
  #work: Promise<void> = NativePromise.resolve();

  constructor(draft: ItemDraft, store: EditorStore, onChange: () => void, editor: object = {}) {
    this.#draft = draft;
    this.#store = store;
    this.#onChange = onChange;
    this.#owner = store.snapshot.owner;
    earlierPages.set(editor, (this.#earlierPages = earlierPages.get(editor) ?? new Set()));
    draft.changes.onChange = (itemIndexes) => {
      for (const itemIndex of itemIndexes) this.#touched.add(itemIndex);
      // The lock is held before the write, so that no other page takes this one for a closed page.
      if (draft.table.counts.changed > 0) this.#pages.hold(this.#page);
      if (!this.#isQueued) void this.#next(() => this.#write());
      this.#isQueued = true;
    };
    this.#unsubscribe = store.subscribe(this.#onSnapshot);
    void this.#findPages();
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

  restore(): Promise<UndoResult> {
    const pages = this.#offered;
    this.#offered = [];
    return this.#restore(pages);
  }

  async #restore(pages: readonly StoredPage[]): Promise<UndoResult> {
    const owner = this.#owner;
    await whenRead(this.#draft.table);
    const { found, taken, skipped } = await this.#findOffered(pages);
    if (this.#isClosed || owner !== this.#owner) return { changed: 0, skipped: 0 };
    const rows = [...found].sort(([one], [other]) => one - other);
    // A second call finds nothing to restore, and must not record an empty undo step.
    if (rows.length > 0)
      this.#draft.restore(
        rows.map(([itemIndex, { available, base, stamp }]) => ({
          itemIndex,
          wanted: available,
          base: { base, stamp },
        })),
      );
    // This page's rows are written before the restored ones are deleted.
    for (const [kept, ids] of taken) {
      this.#earlierPages.delete(kept.page);
      // If the write failed, the restored rows are the only copy.
      void this.#next(() => this.#refused || this.#db.drop(kept, ids));
    }
    await this.#findPages();
    return { changed: rows.length, skipped };
  }

  async discardOffered(): Promise<void> {
    const pages = this.#offered;
    this.#offered = [];
    for (const { owner, page } of pages) void this.#next(() => this.#db.remove(owner, page));
    this.#onChange();
    // A read that began before the deletion may have put the drafts on offer again.
    await this.#findPages();
  }

  close(): void {
    this.#isClosed = true;
    this.#earlierPages.add(this.#page);
    this.#unsubscribe();
    // The lock is held until the drafts are written. Pages that look for drafts are notified when it is free.
    void this.#work.then(() => {
      this.#pages.close();
      this.#db.close();
    });
  }

  /** Finds the drafts whose items this page knows without a newer draft. */
  async #findOffered(pages: readonly StoredPage[]) {
    const { table } = this.#draft;
    const found = new Map<ItemIndex, StoredDraft>();
    const taken = new Map<StoredPage, ItemId[]>();
    let skipped = 0;
    for (const page of pages) {
      const ids: ItemId[] = [];
      for (const draft of await this.#read(page)) {
        const itemIndex = table.findItemIndex(draft.id) ?? -1;
        if (!table.isRow(itemIndex)) {
          skipped += 1;
          continue;
        }
        ids.push(draft.id);
        const row = table.at(itemIndex);
        const equalsValue = row?.value === draft.available;
        if (row === undefined || row.draft !== undefined) continue;
        if (equalsValue && (row.isKnown || !this.#earlierPages.has(page.page))) continue;
        // The host's page has copied the draft into the next list of this editor. The copy does not count as a value.
        if (equalsValue) table.put(itemIndex, { ...row, value: undefined });
        found.set(itemIndex, draft);
      }
      taken.set(page, ids);
    }
    return { found, taken, skipped };
  }

  async #read({ owner, page }: StoredPage): Promise<StoredDraft[]> {
    const drafts: StoredDraft[] = [];
    await this.#next(async () => {
      for await (const chunk of this.#db.drafts(owner, page)) drafts.push(...chunk);
    });
    return drafts;
  }

  async #write(): Promise<void> {
    const { table, changes } = this.#draft;
    const [owner, page, sessionEpoch] = [this.#owner, this.#page, table.sessionEpoch];
    this.#isQueued = false;
    if (table.counts.changed === 0) {
      this.#touched.clear();
      await afterNextPaint();
      await this.#db.remove(owner, page);
      if (table.counts.changed === 0) this.#pages.release();
      return;
    }
    let untilReady: typeof untilIdle = afterNextPaint;
    while (this.#touched.size > 0 && sessionEpoch === table.sessionEpoch) {
      const some = [...this.#touched].slice(0, CHUNK);
      const kept: StoredDraft[] = [];
      const gone: ItemId[] = [];
      for (const itemIndex of some) {
        const id = table.idAt(itemIndex);
        const row = table.at(itemIndex);
        const draft = row !== undefined && isChanged(row) ? row.draft : undefined;
        this.#touched.delete(itemIndex);
        if (id === undefined) continue;
        if (draft === undefined) gone.push(id);
        else kept.push({ id, available: draft.available, ...changes.baseOf(itemIndex) });
      }
      try {
        await untilReady();
        untilReady = untilIdle;
        await this.#db.write(owner, page, Date.now(), kept, gone);
      } catch (error) {
        if (sessionEpoch === table.sessionEpoch) for (const itemIndex of some) this.#touched.add(itemIndex);
        throw error;
      }
    }
    this.#refused = false;
  }

  async #findPages(): Promise<void> {
    if (this.#isClosed) return;
    const owner = this.#owner;
    await this.#next(async () => {
      // The locks are read first: a page that closes in between has written its drafts by then.
      const openPages = await this.#pages.listOpenPages();
      const owners = [...(await this.#db.owners())].filter((one) => one === owner || isOrphaned(one, owner));
      const pages = (await Promise.all(owners.map((one) => this.#db.pages(one)))).flat().sort((a, b) => a.at - b.at);
      if (owner !== this.#owner) return;
      const left = pages.filter(({ page }) => page !== this.#page && !openPages.has(page));
      const isOwn = (one: StoredPage): boolean => one.owner === owner && this.#earlierPages.has(one.page);
      const own = left.filter(isOwn);
      this.#offered = left.filter((one) => !isOwn(one));
      if (own.length > 0) void this.#restore(own);
      this.#onChange();
    });
  }

  readonly #onSnapshot = (): void => {
    const { owner, problem } = this.#store.snapshot;
    const before = this.#owner;
    if (owner === before) {
      // The person has signed out before the proxy had named them.
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
      // After a sign-out the owner is anonymous, and a sign-out deletes the drafts. If another person has signed in, the
      // drafts stay for the person who may return.
      if (isProvisional(owner)) void this.#next(() => this.#db.remove(before));
    }
    void this.#findPages();
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

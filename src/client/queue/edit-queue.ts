import { type Edit, type EditId, toEditIds } from '../../domain/edit.js';
import { holdLock } from '../browser/tab-locks.js';
import { KnownRows, StorageTrouble } from './memory-fallback.js';
import { isUnsent, EditTable, type QueuedEdit } from '../storage/edit-table.js';
import { TAB_LOCK } from '../storage/queue-owner.js';
import type { QueueMessage, TabChannel, TabMessage } from '../browser/tab-channel.js';

export interface Added {
  /** Whether they survive the page. */
  readonly isDurable: boolean;
  /** Of the others nothing is left that anybody has to hear of. */
  readonly there: ReadonlySet<EditId>;
}

/** More edits than that, made at once, are a bulk. */
const MAX_CHOICES = 20;

/**
 * The durable queue. Its promises:
 *
 * - An edit is written when it is made, not when it is sent: `beforeunload` does not fire on a phone.
 * - A row is marked before its bytes leave. From then on nothing takes its place, and it is sent until a receipt is seen.
 * - A row is deleted only after a receipt says that it is settled, or when nobody has sent it and its person wants so.
 * - Where the browser refuses storage, the edit is kept in memory, is sent all the same, and `add` says so: nothing is
 *   ever called stored that is not. It moves to the disk when there is one again.
 *
 * It knows one owner at a time. Until the session is known the owner is this tab, and those rows pass to the person who
 * turns out to be signed in. What is left of a tab that never knew its person goes out on the word of a person only. Rows of
 * one person never pass to another: they stay, unread and unsent.
 */
export class EditQueue {
  readonly #db: EditTable;
  readonly #provisional: string;
  readonly #rows = new KnownRows();
  readonly #trouble = new StorageTrouble();
  #owner: string;
  #channel: TabChannel | undefined;
  #onNews: ((news: TabMessage) => void) | undefined;
  #letGo: (() => void) | undefined;

  constructor(provisionalOwner: string, db = new EditTable()) {
    this.#provisional = this.#owner = provisionalOwner;
    this.#db = db;
    db.onLost = () => void this.#restore();
  }

  get owner(): string {
    return this.#owner;
  }

  /** Edits that exist in this page's memory only: not on the disk here, and not at the proxy. */
  get unsavedCount(): number {
    return this.#rows.unsaved.filter(({ stage }) => stage !== 'handed-over').length;
  }

  isUnsaved(edit: EditId): boolean {
    return this.#rows.isUnsaved(edit);
  }

  /** What this page knows without asking the disk, what is being written included. */
  get known(): QueuedEdit[] {
    return this.#rows.known(this.#owner);
  }

  /** Takes news of other tabs, and of edits that storage lost or took at last: `known` is as they say. @returns stops it */
  watch(channel: TabChannel, onNews: (news: TabMessage) => void): () => void {
    this.#channel = channel;
    this.#onNews = onNews;
    channel.join(this.#owner);
    channel.listen((news) => void this.#hear(news));
    return () => {
      this.#onNews = this.#channel = undefined;
      channel.leave();
    };
  }

  /**
   * Each in the place of an earlier wish for the same item that nobody has sent.
   * @param edits of different items, at most 1,000: cheaper at once than one by one
   * @param how `withdrawal`: the person wants what there is without the edit that waits. If nobody has sent that, it is
   * removed and nothing is sent; else this is an edit as any other
   */
  async add(edits: readonly Edit[], how: 'new' | 'withdrawal' = 'new'): Promise<Added> {
    const bulk = edits.length > MAX_CHOICES && { bulk: true };
    const rows = this.#hold(
      edits.map((edit): QueuedEdit => ({ ...edit, ...bulk, owner: this.#owner, stage: 'stored' })),
    );
    const isWritten = this.#rows.write(rows);
    try {
      // What waits in memory was made before.
      if (this.#rows.unsaved.length > 0) await this.#save();
      const { added, gone } = await this.#db.add(this.#owned(rows), how, this.#rows.untold);
      for (const row of added) gone.push(...this.#rows.note(row));
      this.#rows.forget(gone);
      if (added.length > 0) this.#channel?.post({ kind: 'queue', edits: toEditIds(added) });
      if (gone.length > 0) this.#channel?.post({ kind: 'withdrawn', edits: gone });
      return { isDurable: true, there: new Set(toEditIds(added)) };
    } catch (error) {
      this.#trouble.warn(error);
      const kept = this.#owned(rows).filter((row) => this.#rows.keep(row, how === 'withdrawal'));
      return { isDurable: false, there: new Set(toEditIds(kept)) };
    } finally {
      isWritten();
    }
  }

  /** @returns those that were removed: nobody has sent them, and nobody will */
  async discard(edits: readonly EditId[]): Promise<readonly EditId[]> {
    const removed: EditId[] = [];
    const done = this.#change(this.#owner, edits, 'withdrawn', (row) =>
      isUnsent(row) ? void removed.push(row.edit_id) : row,
    );
    // What was in memory only is gone by now, whatever the disk says.
    const gone = removed.slice();
    return (await done) ? removed : gone;
  }

  /** Says on the disk that these may have left. @returns those still to be sent: another tab may have sent or replaced some */
  async take(rows: readonly QueuedEdit[]): Promise<readonly QueuedEdit[]> {
    const taken = await this.#change(rows[0]?.owner ?? this.#owner, toEditIds(rows), 'queue', (row) =>
      row.stage === 'stored' ? { ...row, stage: 'sending' } : row,
    );
    return rows.filter((row) => taken?.some(({ edit_id, stage }) => edit_id === row.edit_id && stage === 'sending'));
  }

  /** The proxy has refused to look at these: none of them has arrived. */
  async giveBack(edits: readonly QueuedEdit[]): Promise<void> {
    await this.#change(this.#owner, toEditIds(edits), 'queue', (row) =>
      row.stage === 'sending' ? { ...row, stage: 'stored' } : row,
    );
  }

  async mark(edits: readonly EditId[], stage: QueuedEdit['stage'], reason?: string): Promise<void> {
    await this.#change(this.#owner, edits, 'queue', (row) =>
      // A late refusal does not undo a receipt that another tab has seen.
      stage === 'refused' && row.stage === 'handed-over' ? row : { ...row, stage, reason },
    );
  }

  /** The last word on these is said. */
  async remove(edits: readonly EditId[]): Promise<void> {
    await this.#change(this.#owner, edits, 'settled', () => undefined);
  }

  /** All rows of the owner, in the order in which they were made. */
  async rows(): Promise<QueuedEdit[]> {
    await this.#trouble.quietly(() => this.#save());
    const { owner } = this;
    const stored = await this.#trouble.quietly(() => this.#db.all(owner));
    if (stored !== undefined && owner === this.#owner) this.#rows.noteAll(stored);
    return this.#hold(this.#rows.of(this.#owner));
  }

  /** As long as nobody knows whose they are, they are this page's. */
  #hold<Rows extends readonly QueuedEdit[]>(rows: Rows): Rows {
    if (rows.length > 0 && this.#owner === this.#provisional) this.#letGo ??= holdLock(TAB_LOCK + this.#owner);
    return rows;
  }

  /** Whoever is here may have become known meanwhile. */
  #owned(rows: readonly QueuedEdit[]): QueuedEdit[] {
    return rows.map((row) => (row.owner === this.#provisional ? { ...row, owner: this.#owner } : row));
  }

  /** The session is known. @returns whether another person was here before, whose edits are none of this one's business */
  async adopt(owner: string): Promise<boolean> {
    const before = this.#owner;
    if (before === owner) return false;
    this.#owner = owner;
    this.#channel?.join(owner);
    if (before !== this.#provisional) return true;
    this.#rows.give(before, owner);
    await this.#trouble.quietly(() => this.#db.change(before, undefined, (row) => ({ ...row, owner })));
    this.#letGo?.();
    this.#letGo = undefined;
    return false;
  }

  /** Looks through rows that are not this owner's, and may become so. @param change `undefined` removes the row */
  async takeIn(from: IDBKeyRange, change: (row: QueuedEdit) => QueuedEdit | undefined): Promise<void> {
    const rows = await this.#trouble.quietly(() => this.#db.change(from, undefined, change));
    const taken = toEditIds((rows ?? []).filter(({ owner }) => owner === this.#owner));
    if (taken.length > 0) this.#channel?.post({ kind: 'queue', edits: taken });
  }

  /**
   * The person has signed out, and leaves nothing behind for the next one at this device.
   * @param erase what the disk has of them @throws what that threw, and all stays then: whoever signs out has to hear of it
   */
  async wipe(erase: (db: EditTable, owner: string) => Promise<unknown>): Promise<void> {
    const { owner } = this;
    await erase(this.#db, owner);
    this.#owner = this.#provisional;
    this.#rows.forget(toEditIds(this.#rows.of(owner)));
    this.#channel?.post({ kind: 'withdrawn', edits: [] });
    this.#channel?.leave();
  }

  /** Tries to bring to the disk what is in memory only. @throws what storage threw */
  async #save(): Promise<void> {
    const { homeless } = this.#rows;
    if (homeless.length === 0) return;
    this.#rows.move(homeless, (await this.#db.add(homeless, 'moved')).added);
    const news: TabMessage = { kind: 'queue', edits: toEditIds(homeless) };
    this.#channel?.post(news);
    this.#onNews?.(news);
  }

  /** The disk has nothing any more; what this page knows is all that there is. */
  async #restore(): Promise<void> {
    this.#rows.loseDisk();
    this.#onNews?.({ kind: 'queue', edits: [] });
    await this.#trouble.quietly(() => this.#save());
  }

  /** @returns those that are there afterwards; `undefined` where storage failed */
  async #change(
    owner: string,
    edits: readonly EditId[],
    kind: QueueMessage['kind'],
    change: (row: QueuedEdit) => QueuedEdit | undefined,
  ): Promise<readonly QueuedEdit[] | undefined> {
    const saved = edits.filter((edit) => !this.#rows.isUnsaved(edit));
    const rows = this.#rows.change(edits, change);
    if (saved.length === 0) return rows;
    const changed = await this.#trouble.quietly(() =>
      this.#db.change(owner, saved, (stored) => this.#rows.better([stored]).map(change)[0]),
    );
    // A disk that cannot be written is no reason to keep an edit from the proxy. Who wants one to be gone hears that it is not.
    if (changed === undefined) return kind === 'withdrawn' ? undefined : this.#rows.change(edits, change, true);
    for (const edit of saved) this.#rows.untold.delete(edit);
    if (owner === this.#owner) this.#rows.noteSome(saved, changed);
    this.#channel?.post({ kind, edits: saved });
    return [...rows, ...changed];
  }

  async #hear(news: TabMessage): Promise<void> {
    if ('edits' in news) {
      const [owner, edits] = [this.#owner, news.edits];
      // A page that was frozen must not bring them back when it finds the disk empty.
      if (news.kind !== 'queue') this.#rows.forget(edits);
      if (edits.length === 0) await this.rows();
      else {
        const rows = await this.#trouble.quietly(() => this.#db.some(owner, edits));
        if (rows === undefined || owner !== this.#owner) return;
        this.#rows.noteSome(edits, rows);
      }
    }
    this.#onNews?.(news);
  }
}

import { type Edit, type EditId, toEditIds } from '../../domain/edit.js';
import { holdLock } from '../browser/tab-locks.js';
import { KnownRows, StorageFailureLog } from './memory-fallback.js';
import { isUnsent, EditTable, type QueuedEdit } from '../storage/edit-table.js';
import { TAB_LOCK } from '../storage/queue-owner.js';
import type { QueueMessage, TabChannel, TabMessage } from '../browser/tab-channel.js';

export interface Added {
  /** Whether the edits survive the page. */
  readonly isDurable: boolean;
  /** The edits that are in the queue now. The others were withdrawn, and need no receipt. */
  readonly added: ReadonlySet<EditId>;
}

/** More edits than this at once count as a bulk change. */
const MAX_CHOICES = 20;

/**
 * The durable queue. Its promises:
 *
 * - An edit is stored when it is made and not when the page closes: `beforeunload` does not fire on a phone.
 * - A row is marked before it is sent. From then on nothing replaces it, and it is resent until a receipt arrives.
 * - A row is deleted only after a receipt says that it is settled, or if it was not sent and its person withdraws it.
 * - If the browser rejects a write, the edit stays in memory and is sent all the same, and `add` reports that: an edit is
 *   never called stored that is not. It moves to the disk once a write succeeds again.
 *
 * The queue has one owner at a time. Until the session is known the owner is this tab; then its rows pass to the person who
 * is signed in. Orphaned rows, from a tab that closed before it knew its person, are sent only after a person decides so.
 * Rows of one person never pass to another: they stay, unread and unsent.
 */
export class EditQueue {
  readonly #db: EditTable;
  readonly #provisional: string;
  readonly #rows = new KnownRows();
  readonly #failureLog = new StorageFailureLog();
  #owner: string;
  #channel: TabChannel | undefined;
  #onChange: ((message: TabMessage) => void) | undefined;
  #releaseLock: (() => void) | undefined;

  constructor(provisionalOwner: string, db = new EditTable()) {
    this.#provisional = this.#owner = provisionalOwner;
    this.#db = db;
    db.onLost = () => void this.#restore();
  }

  get owner(): string {
    return this.#owner;
  }

  /** The number of edits that exist in this page's memory only: not on the disk, and not at the proxy. */
  get unsavedCount(): number {
    return this.#rows.unsaved.filter(({ stage }) => stage !== 'handed-over').length;
  }

  isUnsaved(edit: EditId): boolean {
    return this.#rows.isUnsaved(edit);
  }

  /** The rows that this page knows without reading the disk, including those being written. */
  get known(): QueuedEdit[] {
    return this.#rows.known(this.#owner);
  }

  /**
   * @param onChange called after `known` has changed: by other tabs, or because storage lost an edit or stored it at last
   * @returns a function that stops the watching
   */
  watch(channel: TabChannel, onChange: (message: TabMessage) => void): () => void {
    this.#channel = channel;
    this.#onChange = onChange;
    channel.join(this.#owner);
    channel.listen((message) => void this.#onMessage(message));
    return () => {
      this.#onChange = this.#channel = undefined;
      channel.leave();
    };
  }

  /**
   * Adds edits. Each replaces an unsent edit of its item.
   *
   * @param edits edits of different items, at most 1,000: one transaction is cheaper than many
   * @param how `withdrawal`: the edit returns to the value before the waiting edit. If that one was not sent, it is removed
   *   and nothing is sent; else this is an ordinary edit
   */
  async add(edits: readonly Edit[], how: 'new' | 'withdrawal' = 'new'): Promise<Added> {
    const bulk = edits.length > MAX_CHOICES && { bulk: true };
    const rows = this.#holdLock(
      edits.map((edit): QueuedEdit => ({ ...edit, ...bulk, owner: this.#owner, stage: 'stored' })),
    );
    const onWritten = this.#rows.write(rows);
    try {
      // Edits that are in memory only are older, so they are stored first.
      if (this.#rows.unsaved.length > 0) await this.#save();
      const { added, gone } = await this.#db.add(this.#withOwner(rows), how, this.#rows.unrecorded);
      for (const row of added) gone.push(...this.#rows.record(row));
      this.#rows.forget(gone);
      if (added.length > 0) this.#channel?.post({ kind: 'queue', edits: toEditIds(added) });
      if (gone.length > 0) this.#channel?.post({ kind: 'withdrawn', edits: gone });
      return { isDurable: true, added: new Set(toEditIds(added)) };
    } catch (error) {
      this.#failureLog.warn(error);
      const stored = this.#withOwner(rows).filter((row) => this.#rows.keep(row, how === 'withdrawal'));
      return { isDurable: false, added: new Set(toEditIds(stored)) };
    } finally {
      onWritten();
    }
  }

  /** @returns the edits that were removed, which were not sent and never will be */
  async discard(edits: readonly EditId[]): Promise<readonly EditId[]> {
    const removed: EditId[] = [];
    const done = this.#change(this.#owner, edits, 'withdrawn', (row) =>
      isUnsent(row) ? void removed.push(row.edit_id) : row,
    );
    // Edits in memory only are removed by now, even if the write to the disk fails.
    const gone = removed.slice();
    return (await done) ? removed : gone;
  }

  /** Marks edits as `sending`, before they are sent. @returns those to send: another tab may have sent or replaced some */
  async markSending(rows: readonly QueuedEdit[]): Promise<readonly QueuedEdit[]> {
    const taken = await this.#change(rows[0]?.owner ?? this.#owner, toEditIds(rows), 'queue', (row) =>
      row.stage === 'stored' ? { ...row, stage: 'sending' } : row,
    );
    return rows.filter((row) => taken?.some(({ edit_id, stage }) => edit_id === row.edit_id && stage === 'sending'));
  }

  /** Marks edits as not sent, because the proxy rejected their request unread. */
  async markUnsent(edits: readonly QueuedEdit[]): Promise<void> {
    await this.#change(this.#owner, toEditIds(edits), 'queue', (row) =>
      row.stage === 'sending' ? { ...row, stage: 'stored' } : row,
    );
  }

  async mark(edits: readonly EditId[], stage: QueuedEdit['stage'], reason?: string): Promise<void> {
    await this.#change(this.#owner, edits, 'queue', (row) =>
      // A late rejection does not undo a receipt that another tab has received.
      stage === 'refused' && row.stage === 'handed-over' ? row : { ...row, stage, reason },
    );
  }

  /** Removes edits that are settled. */
  async remove(edits: readonly EditId[]): Promise<void> {
    await this.#change(this.#owner, edits, 'settled', () => undefined);
  }

  /** @returns all rows of the owner, in the order in which they were made */
  async rows(): Promise<QueuedEdit[]> {
    await this.#failureLog.ignoreFailure(() => this.#save());
    const { owner } = this;
    const stored = await this.#failureLog.ignoreFailure(() => this.#db.all(owner));
    if (stored !== undefined && owner === this.#owner) this.#rows.recordAll(stored);
    return this.#holdLock(this.#rows.of(this.#owner));
  }

  /** Holds a lock while the person is unknown, so that no other page claims the rows of this one. */
  #holdLock<Rows extends readonly QueuedEdit[]>(rows: Rows): Rows {
    if (rows.length > 0 && this.#owner === this.#provisional) this.#releaseLock ??= holdLock(TAB_LOCK + this.#owner);
    return rows;
  }

  /** Rows whose person became known while they were being written pass to that person. */
  #withOwner(rows: readonly QueuedEdit[]): QueuedEdit[] {
    return rows.map((row) => (row.owner === this.#provisional ? { ...row, owner: this.#owner } : row));
  }

  /** Sets the owner once the session is known. @returns whether the queue belonged to another person before */
  async setOwner(owner: string): Promise<boolean> {
    const before = this.#owner;
    if (before === owner) return false;
    this.#owner = owner;
    this.#channel?.join(owner);
    if (before !== this.#provisional) return true;
    this.#rows.reassign(before, owner);
    await this.#failureLog.ignoreFailure(() => this.#db.change(before, undefined, (row) => ({ ...row, owner })));
    this.#releaseLock?.();
    this.#releaseLock = undefined;
    return false;
  }

  /** Changes rows of other owners, which may make them this owner's. @param change returns `undefined` to remove the row */
  async changeOthers(from: IDBKeyRange, change: (row: QueuedEdit) => QueuedEdit | undefined): Promise<void> {
    const rows = await this.#failureLog.ignoreFailure(() => this.#db.change(from, undefined, change));
    const taken = toEditIds((rows ?? []).filter(({ owner }) => owner === this.#owner));
    if (taken.length > 0) this.#channel?.post({ kind: 'queue', edits: taken });
  }

  /**
   * Deletes all rows of the person who signs out, so that the next person at this device finds none.
   *
   * @param erase deletes the rows on the disk
   * @throws the error of `erase`; then all rows stay, and the element has to inform the person
   */
  async wipe(erase: (db: EditTable, owner: string) => Promise<unknown>): Promise<void> {
    const { owner } = this;
    await erase(this.#db, owner);
    this.#owner = this.#provisional;
    this.#rows.forget(toEditIds(this.#rows.of(owner)));
    this.#channel?.post({ kind: 'withdrawn', edits: [] });
    this.#channel?.leave();
  }

  /** Stores the rows that are in memory only. @throws the error of the storage */
  async #save(): Promise<void> {
    const { rowsToStore } = this.#rows;
    if (rowsToStore.length === 0) return;
    this.#rows.markStored(rowsToStore, (await this.#db.add(rowsToStore, 'moved')).added);
    const message: TabMessage = { kind: 'queue', edits: toEditIds(rowsToStore) };
    this.#channel?.post(message);
    this.#onChange?.(message);
  }

  /** Stores the rows of this page again after the database was lost. */
  async #restore(): Promise<void> {
    this.#rows.onDatabaseLost();
    this.#onChange?.({ kind: 'queue', edits: [] });
    await this.#failureLog.ignoreFailure(() => this.#save());
  }

  /** @returns the rows after the change; `undefined` if storage failed */
  async #change(
    owner: string,
    edits: readonly EditId[],
    kind: QueueMessage['kind'],
    change: (row: QueuedEdit) => QueuedEdit | undefined,
  ): Promise<readonly QueuedEdit[] | undefined> {
    const saved = edits.filter((edit) => !this.#rows.isUnsaved(edit));
    const rows = this.#rows.change(edits, change);
    if (saved.length === 0) return rows;
    const changed = await this.#failureLog.ignoreFailure(() =>
      this.#db.change(owner, saved, (stored) => this.#rows.reconcile([stored]).map(change)[0]),
    );
    // A failed write must not keep an edit from being sent, so the change is made in memory. A withdrawal fails instead.
    if (changed === undefined) return kind === 'withdrawn' ? undefined : this.#rows.change(edits, change, true);
    for (const edit of saved) this.#rows.unrecorded.delete(edit);
    if (owner === this.#owner) this.#rows.recordSome(saved, changed);
    this.#channel?.post({ kind, edits: saved });
    return [...rows, ...changed];
  }

  async #onMessage(message: TabMessage): Promise<void> {
    if ('edits' in message) {
      const [owner, edits] = [this.#owner, message.edits];
      // A page that was frozen must not restore these edits if it finds the database empty.
      if (message.kind !== 'queue') this.#rows.forget(edits);
      if (edits.length === 0) await this.rows();
      else {
        const rows = await this.#failureLog.ignoreFailure(() => this.#db.some(owner, edits));
        if (rows === undefined || owner !== this.#owner) return;
        this.#rows.recordSome(edits, rows);
      }
    }
    this.#onChange?.(message);
  }
}

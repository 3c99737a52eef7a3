import { type EditId, toEditIds } from '../../domain/edit.js';
import { isUnsent, type QueuedEdit } from '../storage/edit-table.js';

/**
 * The rows of the queue as a page knows them. Some exist in its memory only, because storage rejected or lost them. For all
 * others the disk is authoritative.
 */
export class KnownRows {
  #rows = new Map<EditId, QueuedEdit>();
  readonly #unsaved = new Set<EditId>();
  /** The unsaved rows whose database was deleted: another tab may have sent them since this page read them. */
  readonly #lost = new Set<EditId>();
  /** Rows whose write has not ended. */
  readonly #writing = new Map<EditId, QueuedEdit>();
  /** Edits that were sent but could not be marked so on the disk. An empty array means that the edit is settled. */
  readonly unrecorded = new Map<EditId, QueuedEdit | readonly []>();

  /** @returns the rows of an owner in the order in which they were made: those on the disk, then those in memory only */
  of(owner: string): QueuedEdit[] {
    return [...this.#rows.values()].filter((row) => row.owner === owner);
  }

  /** As `of`, with the rows that are being written. */
  known(owner: string): QueuedEdit[] {
    return [...this.of(owner), ...this.#writing.values()];
  }

  /** @param stored rows of the disk @returns the rows with the changes that could not be written to the disk */
  reconcile(stored: readonly QueuedEdit[]): QueuedEdit[] {
    return stored.flatMap((row) => this.unrecorded.get(row.edit_id) ?? row);
  }

  /** @returns a function to call when the write has ended */
  write(rows: readonly QueuedEdit[]): () => void {
    for (const row of rows) this.#writing.set(row.edit_id, row);
    return () => {
      for (const row of rows) this.#writing.delete(row.edit_id);
    };
  }

  isUnsaved(edit: EditId): boolean {
    return this.#unsaved.has(edit);
  }

  /** The rows of all owners that are in this memory only. */
  get unsaved(): QueuedEdit[] {
    return [...this.#unsaved].flatMap((edit) => this.#rows.get(edit) ?? []);
  }

  /** The rows of `unsaved`, ready to be written: rows that another tab may have sent are `sending`, so nothing replaces them. */
  get rowsToStore(): QueuedEdit[] {
    for (const edit of this.#lost) {
      const row = this.#rows.get(edit);
      if (row?.stage === 'stored') this.#rows.set(edit, { ...row, stage: 'sending' });
    }
    return this.unsaved;
  }

  /**
   * Records a row of the disk. Older edits of its item that are in memory only and were not sent by this page are removed:
   * the disk that had them was emptied, and they must not be restored behind the newer one.
   *
   * @returns the removed edits
   */
  record(row: QueuedEdit): EditId[] {
    this.#rows.set(row.edit_id, row);
    this.#markSaved(row.edit_id);
    const older = toEditIds(
      this.unsaved.filter((other) => (isUnsent(other) || this.#lost.has(other.edit_id)) && isOlder(other, row)),
    );
    this.forget(older);
    return older;
  }

  /** @param stored all rows of the disk */
  recordAll(stored: readonly QueuedEdit[]): void {
    const { unsaved } = this;
    const rows = this.reconcile(stored);
    this.#rows = new Map([...rows, ...unsaved].map((row) => [row.edit_id, row]));
    if (unsaved.length > 0) for (const row of rows) if (!this.#unsaved.has(row.edit_id)) this.record(row);
  }

  /** @param rows those of the edits that are on the disk */
  recordSome(edits: readonly EditId[], rows: readonly QueuedEdit[]): void {
    const found = new Set(toEditIds(rows));
    for (const edit of edits) if (!found.has(edit) && !this.#unsaved.has(edit)) this.#rows.delete(edit);
    for (const row of this.reconcile(rows)) this.record(row);
  }

  /**
   * Keeps a row in memory that storage rejected.
   *
   * @param isWithdrawal the row is a withdrawal: if the item has only unsent rows, they are removed and the row is not kept
   * @returns whether the row was kept
   */
  keep(row: QueuedEdit, isWithdrawal: boolean): boolean {
    const others = this.of(row.owner).filter(({ id }) => id === row.id);
    const replaced = toEditIds(others.filter(isUnsent)).filter(
      (edit) => this.#unsaved.has(edit) && !this.#lost.has(edit),
    );
    this.forget(replaced);
    if (isWithdrawal && replaced.length > 0 && replaced.length === others.length) return false;
    this.#rows.set(row.edit_id, row);
    this.#unsaved.add(row.edit_id);
    return true;
  }

  /**
   * Changes rows that are in memory only.
   *
   * @param isUnrecorded also changes rows whose write failed. From then on this page knows which of them were sent. An unsent row
   *   stays visible, because any tab may send it from the disk, and a newer edit must not overtake it
   * @returns the rows after the change
   */
  change(
    edits: readonly EditId[],
    change: (row: QueuedEdit) => QueuedEdit | undefined,
    isUnrecorded = false,
  ): QueuedEdit[] {
    return edits.flatMap((edit) => {
      const isSaved = !this.#unsaved.has(edit);
      const row = isSaved && !isUnrecorded ? undefined : this.#rows.get(edit);
      const changed = row && change(row);
      if (isSaved && row) {
        if (changed?.stage === 'refused') return row;
        this.unrecorded.set(edit, changed ?? []);
        if (changed?.stage === 'stored') this.unrecorded.delete(edit);
      }
      if (changed) this.#rows.set(edit, changed);
      else if (row) this.forget([edit]);
      return changed ?? [];
    });
  }

  forget(edits: readonly EditId[]): void {
    for (const edit of edits) {
      this.#rows.delete(edit);
      this.#markSaved(edit);
    }
  }

  /** Records the rows that were written. A row that changed during the write stays unsaved. @param stored the written rows */
  markStored(unsaved: readonly QueuedEdit[], stored: readonly QueuedEdit[]): void {
    const taken = new Set(stored);
    for (const row of unsaved) {
      if (this.#rows.get(row.edit_id) !== row) continue;
      if (taken.has(row)) this.#markSaved(row.edit_id);
      else this.forget([row.edit_id]);
    }
  }

  /** Marks all rows as unsaved, because the database was lost. */
  onDatabaseLost(): void {
    this.unrecorded.clear();
    for (const [edit, { stage }] of this.#rows) {
      if (stage === 'stored' && !this.#unsaved.has(edit)) this.#lost.add(edit);
      this.#unsaved.add(edit);
    }
  }

  /** Passes the rows to the person, once the person is known. */
  reassign(before: string, owner: string): void {
    for (const row of this.of(before)) this.#rows.set(row.edit_id, { ...row, owner });
  }

  #markSaved(edit: EditId): void {
    this.#unsaved.delete(edit);
    this.#lost.delete(edit);
  }
}

function isOlder(a: QueuedEdit, b: QueuedEdit): boolean {
  return a.owner === b.owner && a.id === b.id && a.updated_at < b.updated_at;
}

/** Logs a storage failure once, until storage works again. */
export class StorageFailureLog {
  #isLogged = false;

  /** Ignores a failed read or mark: no edit is lost, since the row stays and a receipt settles it at the next visit. */
  async ignoreFailure<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#isLogged = false;
      return done;
    } catch (error) {
      this.warn(error);
      return undefined;
    }
  }

  warn(error: unknown): void {
    if (!this.#isLogged) console.warn('vendor-inventory-widget: browser storage failed.', error);
    this.#isLogged = true;
  }
}

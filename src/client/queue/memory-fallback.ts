import { type EditId, toEditIds } from '../../domain/edit.js';
import { isUnsent, type QueuedEdit } from '../storage/edit-table.js';

/**
 * What a page knows of the queue's rows, and which of them exist in its memory only, because storage refused or lost them.
 * Of all others the disk knows better, as long as there is one.
 */
export class KnownRows {
  #rows = new Map<EditId, QueuedEdit>();
  readonly #unsaved = new Set<EditId>();
  /** Of these, the ones that a disk had which was emptied: another tab may have sent them since this page looked. */
  readonly #lost = new Set<EditId>();
  /** Storage has not answered yet. */
  readonly #writing = new Map<EditId, QueuedEdit>();
  /** What has left, and the disk could not be told. None: the last word on it is said. */
  readonly untold = new Map<EditId, QueuedEdit | readonly []>();

  /** Disk first, then memory: in the order in which they were made. */
  of(owner: string): QueuedEdit[] {
    return [...this.#rows.values()].filter((row) => row.owner === owner);
  }

  /** As `of`, and what is being written. */
  known(owner: string): QueuedEdit[] {
    return [...this.of(owner), ...this.#writing.values()];
  }

  /** @param stored what the disk has @returns it, with what became of it that the disk does not know */
  better(stored: readonly QueuedEdit[]): QueuedEdit[] {
    return stored.flatMap((row) => this.untold.get(row.edit_id) ?? row);
  }

  /** @returns says that storage has answered */
  write(rows: readonly QueuedEdit[]): () => void {
    for (const row of rows) this.#writing.set(row.edit_id, row);
    return () => {
      for (const row of rows) this.#writing.delete(row.edit_id);
    };
  }

  isUnsaved(edit: EditId): boolean {
    return this.#unsaved.has(edit);
  }

  /** In this memory only, whoever they belong to. */
  get unsaved(): QueuedEdit[] {
    return [...this.#unsaved].flatMap((edit) => this.#rows.get(edit) ?? []);
  }

  /** As `unsaved`, on their way to the disk: nothing takes the place there of what may have left. */
  get homeless(): QueuedEdit[] {
    for (const edit of this.#lost) {
      const row = this.#rows.get(edit);
      if (row?.stage === 'stored') this.#rows.set(edit, { ...row, stage: 'sending' });
    }
    return this.unsaved;
  }

  /**
   * The disk has this. An older wish for its item that is in memory only, and was not sent from here, gives way: the disk that
   * knew of it has been emptied, and it must not come back behind the newer one.
   *
   * @returns those
   */
  note(row: QueuedEdit): EditId[] {
    this.#rows.set(row.edit_id, row);
    this.#isSaved(row.edit_id);
    const older = toEditIds(
      this.unsaved.filter((other) => (isUnsent(other) || this.#lost.has(other.edit_id)) && isOlder(other, row)),
    );
    this.forget(older);
    return older;
  }

  /** @param stored all that the disk has */
  noteAll(stored: readonly QueuedEdit[]): void {
    const { unsaved } = this;
    const rows = this.better(stored);
    this.#rows = new Map([...rows, ...unsaved].map((row) => [row.edit_id, row]));
    if (unsaved.length > 0) for (const row of rows) if (!this.#unsaved.has(row.edit_id)) this.note(row);
  }

  /** @param rows what the disk has of these edits */
  noteSome(edits: readonly EditId[], rows: readonly QueuedEdit[]): void {
    const found = new Set(toEditIds(rows));
    for (const edit of edits) if (!found.has(edit) && !this.#unsaved.has(edit)) this.#rows.delete(edit);
    for (const row of this.better(rows)) this.note(row);
  }

  /**
   * Storage refused it.
   *
   * @param takesBack it may only take away what nobody has sent, where there is nothing else of its item
   * @returns whether it is there
   */
  keep(row: QueuedEdit, takesBack: boolean): boolean {
    const others = this.of(row.owner).filter(({ id }) => id === row.id);
    const replaced = toEditIds(others.filter(isUnsent)).filter(
      (edit) => this.#unsaved.has(edit) && !this.#lost.has(edit),
    );
    this.forget(replaced);
    if (takesBack && replaced.length > 0 && replaced.length === others.length) return false;
    this.#rows.set(row.edit_id, row);
    this.#unsaved.add(row.edit_id);
    return true;
  }

  /**
   * Changes what is in memory only. @returns those of these edits that are there afterwards
   * @param isUntold also what the disk has, and could not be told of. What has left is known from here on. What has not, any
   * tab may send that finds it there: this one hides it neither, to send a newer wish before it
   */
  change(
    edits: readonly EditId[],
    change: (row: QueuedEdit) => QueuedEdit | undefined,
    isUntold = false,
  ): QueuedEdit[] {
    return edits.flatMap((edit) => {
      const isSaved = !this.#unsaved.has(edit);
      const row = isSaved && !isUntold ? undefined : this.#rows.get(edit);
      const changed = row && change(row);
      if (isSaved && row) {
        if (changed?.stage === 'refused') return row;
        this.untold.set(edit, changed ?? []);
        if (changed?.stage === 'stored') this.untold.delete(edit);
      }
      if (changed) this.#rows.set(edit, changed);
      else if (row) this.forget([edit]);
      return changed ?? [];
    });
  }

  forget(edits: readonly EditId[]): void {
    for (const edit of edits) {
      this.#rows.delete(edit);
      this.#isSaved(edit);
    }
  }

  /** From memory to the disk. What changed meanwhile is moved once more. @param stored what the disk took of them */
  move(unsaved: readonly QueuedEdit[], stored: readonly QueuedEdit[]): void {
    const taken = new Set(stored);
    for (const row of unsaved) {
      if (this.#rows.get(row.edit_id) !== row) continue;
      if (taken.has(row)) this.#isSaved(row.edit_id);
      else this.forget([row.edit_id]);
    }
  }

  /** The disk has lost everything. */
  loseDisk(): void {
    this.untold.clear();
    for (const [edit, { stage }] of this.#rows) {
      if (stage === 'stored' && !this.#unsaved.has(edit)) this.#lost.add(edit);
      this.#unsaved.add(edit);
    }
  }

  /** The person turned out to be this one. */
  give(before: string, owner: string): void {
    for (const row of this.of(before)) this.#rows.set(row.edit_id, { ...row, owner });
  }

  #isSaved(edit: EditId): void {
    this.#unsaved.delete(edit);
    this.#lost.delete(edit);
  }
}

function isOlder(one: QueuedEdit, other: QueuedEdit): boolean {
  return one.owner === other.owner && one.id === other.id && one.updated_at < other.updated_at;
}

/** What is said where storage fails: once for each trouble, because storage that is gone is asked again and again. */
export class StorageTrouble {
  #isSaid = false;

  /** A failing read or bookkeeping write loses nothing: the row stays, and a receipt settles it at the next visit. */
  async quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#isSaid = false;
      return done;
    } catch (error) {
      this.warn(error);
      return undefined;
    }
  }

  warn(error: unknown): void {
    if (!this.#isSaid) console.warn('vendor-inventory-widget: browser storage failed.', error);
    this.#isSaid = true;
  }
}

import type { Edit, EditId } from '../domain/edit.js';
import { QueueDb, type QueuedEdit } from './queue-db.js';

/** An edit, and the earlier one of the same item that it makes pointless as long as nobody has sent that. */
export interface QueuedWish {
  readonly edit: Edit;
  readonly replaces?: EditId | undefined;
}

/**
 * The durable queue. Its promises:
 *
 * - An edit is written when it is made, not when it is sent: `beforeunload` does not fire on a phone.
 * - A row is deleted only after the proxy's receipt says that the edit is settled.
 * - Where the browser refuses storage, the edit is kept in memory, is sent all the same, and `add` says so: nothing is
 *   ever called stored that is not.
 *
 * It knows one owner at a time. Until the session is known the owner is this tab, and those rows pass to the person who
 * turns out to be signed in. Rows of one person never pass to another: they stay, unread and unsent.
 */
export class EditQueue {
  readonly #db: QueueDb;
  readonly #provisional: string;
  #owner: string;
  /** What storage refused, in the order in which it was made. */
  readonly #unsaved = new Map<EditId, QueuedEdit>();

  constructor(provisionalOwner: string, db = new QueueDb()) {
    this.#provisional = provisionalOwner;
    this.#owner = provisionalOwner;
    this.#db = db;
  }

  get owner(): string {
    return this.#owner;
  }

  /** Edits that exist in this page's memory only: not on the disk here, and not at the proxy. */
  get unsavedCount(): number {
    return [...this.#unsaved.values()].filter(({ stage }) => stage !== 'handed-over').length;
  }

  isUnsaved(edit: EditId): boolean {
    return this.#unsaved.has(edit);
  }

  /**
   * @param replaces an earlier edit of the same item that nobody has sent yet
   * @returns whether the edit survives the page
   */
  async add(edit: Edit, replaces?: EditId): Promise<boolean> {
    const row: QueuedEdit = { ...edit, owner: this.#owner, stage: 'stored' };
    if (replaces !== undefined) this.#unsaved.delete(replaces);
    try {
      await this.#db.add(row, replaces);
      return true;
    } catch (error) {
      console.warn('vendor-inventory-widget: the browser refused to store an edit; it is kept in memory.', error);
      this.#unsaved.set(edit.edit_id, row);
      return false;
    }
  }

  /** @returns whether all of them survive the page */
  async addMany(edits: readonly QueuedWish[]): Promise<boolean> {
    const stored = await Promise.all(edits.map(({ edit, replaces }) => this.add(edit, replaces)));
    return !stored.includes(false);
  }

  async mark(edit: EditId, stage: QueuedEdit['stage'], reason?: string): Promise<void> {
    const unsaved = this.#unsaved.get(edit);
    if (unsaved !== undefined) this.#unsaved.set(edit, { ...unsaved, stage, reason });
    else await this.#quietly(() => this.#db.update(this.#owner, edit, { stage, reason }));
  }

  async remove(edit: EditId): Promise<void> {
    if (!this.#unsaved.delete(edit)) await this.#quietly(() => this.#db.remove(this.#owner, edit));
  }

  /** @returns whether it is gone: an edit that may have left already stays */
  async discard(edit: EditId): Promise<boolean> {
    const row = (await this.rows()).find(({ edit_id }) => edit_id === edit);
    if (row?.stage === 'handed-over') return false;
    await this.remove(edit);
    return true;
  }

  /** All rows of the owner, in the order in which they were made. */
  async rows(): Promise<QueuedEdit[]> {
    const stored = (await this.#quietly(() => this.#db.all(this.#owner))) ?? [];
    return [...stored, ...[...this.#unsaved.values()].filter((row) => row.owner === this.#owner)];
  }

  /**
   * The session is known.
   * @returns whether another person was here before, whose edits are none of this one's business
   */
  async adopt(owner: string): Promise<boolean> {
    const before = this.#owner;
    if (before === owner) return false;
    this.#owner = owner;
    if (before !== this.#provisional) return true;
    await this.#quietly(async () => {
      for (const row of await this.#db.all(before)) await this.#db.update(before, row.edit_id, { owner });
    });
    for (const [id, row] of this.#unsaved) this.#unsaved.set(id, { ...row, owner });
    return false;
  }

  /**
   * The person has signed out, and leaves nothing behind for the next one at this device.
   * @throws what storage threw: whoever signs out has to hear that something stayed
   */
  async wipe(): Promise<void> {
    const { owner } = this;
    this.#owner = this.#provisional;
    for (const [id, row] of this.#unsaved) if (row.owner === owner) this.#unsaved.delete(id);
    await this.#db.removeAll(owner);
  }

  /** A failing read or bookkeeping write loses nothing: the row stays, and a receipt settles it at the next visit. */
  async #quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      console.warn('vendor-inventory-widget: browser storage failed.', error);
      return undefined;
    }
  }
}

const TAB_KEY = 'vendor-inventory-tab';

/** A name for this tab that survives a reload. Random, means nothing to anybody else. */
export function provisionalOwner(proxy: string, random: () => string): string {
  return JSON.stringify([proxy, 'tab', tabName(random)]);
}

function tabName(random: () => string): string {
  const fresh = random();
  try {
    const kept = sessionStorage.getItem(TAB_KEY);
    if (kept !== null) return kept;
    sessionStorage.setItem(TAB_KEY, fresh);
    return fresh;
  } catch {
    // Storage is forbidden here: the name then lasts as long as the page, like everything else.
    return fresh;
  }
}

export function ownerOf(proxy: string, vendor: string, subject: string): string {
  return JSON.stringify([proxy, 'person', vendor, subject]);
}

/** Whether this tab worked before it knew for whom. */
export function isProvisional(owner: string): boolean {
  return (JSON.parse(owner) as unknown[])[1] === 'tab';
}

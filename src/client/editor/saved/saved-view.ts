import { NativePromise } from '../../storage/native-promise.js';
import { isProvisional } from '../../storage/queue-owner.js';
import type { SavedView, ViewTable } from '../../storage/view-table.js';
import type { EditorStore } from '../editor-types.js';

/**
 * Stores how a person views a list, so that a reload restores it: the order, the group and the collapsed groups. The
 * search and the filter by state are for the moment and are not stored.
 *
 * A view belongs to one person and one editor of a page. It is deleted when the person signs out. If the browser does
 * not store it, the view ends with the page.
 */
export class ViewAutosave {
  readonly #store: EditorStore;
  readonly #editor: string;
  readonly #onFound: (view: SavedView) => void;
  readonly #db: ViewTable;
  readonly #unsubscribe: () => void;
  #owner: string;
  /** The view that was chosen before the person was known. */
  #unclaimed: SavedView | undefined;
  #isChosen = false;
  #isForgotten = false;
  #work: Promise<void> = NativePromise.resolve();

  /**
   * @param editor names the list among the lists of this person
   * @param onFound called with the view of an earlier page, unless the person has chosen another one by then
   */
  constructor(store: EditorStore, editor: string, onFound: (view: SavedView) => void, db: ViewTable) {
    this.#store = store;
    this.#editor = editor;
    this.#onFound = onFound;
    this.#db = db;
    this.#owner = store.snapshot.owner;
    this.#unsubscribe = store.subscribe(() => {
      this.#onOwner();
    });
    this.#read();
  }

  /** Resolves when all changes so far are written, or storage has failed. */
  get settled(): Promise<void> {
    return this.#work;
  }

  save(view: SavedView): void {
    this.#isChosen = true;
    this.#isForgotten = false;
    const owner = this.#owner;
    if (isProvisional(owner)) this.#unclaimed = view;
    else this.#next(() => this.#db.write(owner, this.#editor, view));
  }

  close(): void {
    this.#unsubscribe();
    void this.#work.then(() => {
      this.#db.close();
    });
  }

  #read(): void {
    const owner = this.#owner;
    if (isProvisional(owner)) return;
    this.#next(async () => {
      const view = await this.#db.read(owner, this.#editor);
      if (view !== undefined && owner === this.#owner && !this.#isChosen) this.#onFound(view);
    });
  }

  #onOwner(): void {
    const { owner, problem } = this.#store.snapshot;
    const before = this.#owner;
    if (owner === before) {
      if (problem === 'signed_out' && !this.#isForgotten) this.#forget(before);
      return;
    }
    this.#owner = owner;
    if (isProvisional(before)) {
      if (this.#unclaimed === undefined) this.#read();
      else this.save(this.#unclaimed);
      this.#unclaimed = undefined;
      return;
    }
    // After a sign-out the owner is anonymous.
    if (isProvisional(owner)) this.#forget(before);
    this.#isChosen = false;
    this.#read();
  }

  #forget(owner: string): void {
    this.#isChosen = false;
    this.#isForgotten = true;
    this.#unclaimed = undefined;
    this.#next(() => this.#db.remove(owner));
  }

  #next(work: () => Promise<void>): void {
    // The operation starts at once: IndexedDB runs transactions in order, so a page that is reloaded soon finds every write
    // that was started before. A failure is ignored, because the person can choose the view again.
    const done = work().catch(() => undefined);
    this.#work = Promise.all([this.#work, done]).then(() => undefined);
  }
}

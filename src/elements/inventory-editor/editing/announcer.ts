import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { InventoryStore } from '../../../client/store/inventory-store.js';
import type { StoreSnapshot } from '../../../client/store/store-snapshot.js';
import { afterNextPaint } from '../../../client/browser/next-frame.js';
import type { ItemId } from '../../../domain/item.js';
import { InventoryReceiptEvent, InventorySavedEvent } from '../../events.js';
import { followLanguage, leaveLanguage } from '../../shared/language.js';
import { onHalfMinute } from '../../shared/relative-time.js';

/** The number of open edits, with their owner and store. */
interface Counted extends Pick<StoreSnapshot, 'owner' | 'openCount'> {
  readonly store: InventoryStore;
}

/**
 * Connects the editor with the page: it fires the events and resolves the promise about edits, follows the language and the
 * clock, and has the one polite live region.
 */
export class EditorNews implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  #counted: Counted | undefined;
  #waiting: (() => void)[] = [];
  #isDue = false;
  /** Edits that were made here, with the state that was last announced. */
  readonly #announced = new Map<ItemId, string>();
  #store: InventoryStore | undefined;
  #leave: (() => void) | undefined;
  liveRegionText = '';
  /** Whether the relative times in the rows have to be rendered again. */
  isLate = false;
  #stopClock: (() => void) | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    followLanguage(this.#host);
    this.#stopClock = onHalfMinute(() => {
      this.isLate = true;
      this.#host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    leaveLanguage(this.#host);
    this.#stopClock?.();
    this.#listen(undefined);
    // A removed element no longer follows its edits, unless it was only moved.
    void afterNextPaint().then(() => {
      if (!this.#host.isConnected) this.#settle();
    });
  }

  updated(store: InventoryStore | undefined): void {
    this.#listen(store);
    const before = this.#counted;
    // An element outside the page has no store. When it returns, it continues with the one that it had.
    if (store !== undefined) {
      const now = (this.#counted = { ...store.snapshot, store });
      // The last open edit has reached the portal; the count did not change because another person signed in.
      if (isOf(before, store) && before.openCount && !now.openCount)
        this.#host.dispatchEvent(new InventorySavedEvent());
    }
    this.#settle();
  }

  /** Call after a row was rendered with a change. The counts and bars follow after the frame. */
  afterPicture(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void afterNextPaint().then(() => {
      this.#isDue = false;
      this.#host.requestUpdate();
    });
  }

  announce(text: string): void {
    // Screen readers ignore a live region whose text does not change, so a repeated text gets a no-break space.
    this.liveRegionText = text === this.liveRegionText ? `${text}\u00a0` : text;
    // The text is rendered with the counts: in the frame of the row it would make the browser lay out the whole editor.
    if (!this.#isDue) this.#host.requestUpdate();
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#host.requestUpdate();
    });
  }

  #settle(): void {
    const snapshot = this.#store?.snapshot;
    // Before the first response of the proxy, the edits on this device may not be known.
    if (snapshot === undefined || (snapshot.status !== 'loading' && snapshot.openCount <= snapshot.attentionCount))
      for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #listen(store: InventoryStore | undefined): void {
    if (store === this.#store) return;
    this.#leave?.();
    this.#store = store;
    this.#leave = store?.subscribe((id) => {
      if (id !== undefined) this.#onItem(store, id);
    });
    if (store === undefined) return;
    // An editor that was moved continues with its edits, and announces what happened to them in between.
    if (!isOf(this.#counted, store)) this.#announced.clear();
    for (const id of this.#announced.keys()) this.#onItem(store, id);
  }

  #onItem(store: InventoryStore, id: ItemId): void {
    const { available, truth, writing, reason, on_portal, updated_at = '' } = store.view(id);
    if (writing === true) this.#announced.set(id, '');
    // No edit is open any more: it was withdrawn, or another person has signed in.
    else if (truth === undefined || on_portal !== undefined) this.#announced.delete(id);
    const announced = this.#announced.get(id);
    const now = `${truth ?? ''} ${updated_at}`;
    if (announced === undefined || truth === undefined || available === undefined || announced === now) return;
    if (truth === 'on-portal') this.#announced.delete(id);
    else this.#announced.set(id, now);
    this.#host.dispatchEvent(new InventoryReceiptEvent(id, available, truth, reason));
  }
}

function isOf(counted: Counted | undefined, store: InventoryStore): counted is Counted {
  return counted?.store === store && counted.owner === store.snapshot.owner;
}

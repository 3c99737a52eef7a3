import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { InventoryStore } from '../../../client/store/inventory-store.js';
import type { StoreSnapshot } from '../../../client/store/store-snapshot.js';
import { afterNextPaint } from '../../../client/browser/next-frame.js';
import type { ItemId } from '../../../domain/item.js';
import { InventoryReceiptEvent, InventorySavedEvent } from '../../events.js';
import { followLanguage, leaveLanguage } from '../../shared/language.js';
import { onHalfMinute } from '../../shared/relative-time.js';

/** Open edits, and whose they are. */
interface Counted extends Pick<StoreSnapshot, 'owner' | 'openCount'> {
  readonly store: InventoryStore;
}

/** What reaches the editor from outside its list, and leaves it: edits as events and a promise, language, time, one polite line. */
export class EditorNews implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  #counted: Counted | undefined;
  #waiting: (() => void)[] = [];
  #isDue = false;
  /** Edits that were made here, and what was told of them last. */
  readonly #told = new Map<ItemId, string>();
  #store: InventoryStore | undefined;
  #leave: (() => void) | undefined;
  said = '';
  /** Time has passed: what is told as so long ago is longer ago now. */
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
    // Nobody follows its edits any more, unless it is only put somewhere else.
    void afterNextPaint().then(() => {
      if (!this.#host.isConnected) this.#settle();
    });
  }

  updated(store: InventoryStore | undefined): void {
    this.#listen(store);
    const before = this.#counted;
    // Out of the page it has no store, and goes on with the one that it had where it comes back.
    if (store !== undefined) {
      const now = (this.#counted = { ...store.snapshot, store });
      // The last open edit has reached the portal; it is not that somebody else's edits are counted now.
      if (isOf(before, store) && before.openCount && !now.openCount)
        this.#host.dispatchEvent(new InventorySavedEvent());
    }
    this.#settle();
  }

  /** A row has changed and is drawn: counts and bars follow when it is seen. */
  afterPicture(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void afterNextPaint().then(() => {
      this.#isDue = false;
      this.#host.requestUpdate();
    });
  }

  announce(text: string): void {
    // Said twice it is another text, or nobody hears it the second time.
    this.said = text === this.said ? `${text}\u00a0` : text;
    // With the counts: in the picture of the row that it is about it would have the whole editor laid out, and not that row alone.
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
    // Before the proxy has answered it may not be known yet what waits on this device.
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
    // An editor that is put somewhere else goes on with what was made in it, and tells what became of it meanwhile.
    if (!isOf(this.#counted, store)) this.#told.clear();
    for (const id of this.#told.keys()) this.#onItem(store, id);
  }

  #onItem(store: InventoryStore, id: ItemId): void {
    const { available, truth, writing, reason, on_portal, updated_at = '' } = store.view(id);
    if (writing === true) this.#told.set(id, '');
    // Nothing is on its way any more: it was taken back, or somebody else is here now.
    else if (truth === undefined || on_portal !== undefined) this.#told.delete(id);
    const told = this.#told.get(id);
    const now = `${truth ?? ''} ${updated_at}`;
    if (told === undefined || truth === undefined || available === undefined || told === now) return;
    if (truth === 'on-portal') this.#told.delete(id);
    else this.#told.set(id, now);
    this.#host.dispatchEvent(new InventoryReceiptEvent(id, available, truth, reason));
  }
}

function isOf(counted: Counted | undefined, store: InventoryStore): counted is Counted {
  return counted?.store === store && counted.owner === store.snapshot.owner;
}

import type { ItemId } from '../domain/item.js';
import type { Truth } from '../domain/edit-state.js';

const TRAVELS = { bubbles: true, composed: true } as const;

// Each event is a `CustomEvent`, because MooTools replaces the global `Event` by a class of its own.

/** An edit is about to be made. `preventDefault()` prevents it, and nothing changes. */
export class InventoryChangeEvent extends CustomEvent<null> {
  /** The item; for a bulk edit, its first item. */
  readonly itemId: ItemId;
  /** All items of the edit. They are read only on request, because a bulk edit may have a hundred thousand. */
  readonly itemIds: Iterable<ItemId>;
  readonly available: boolean;

  constructor(itemId: ItemId, available: boolean, itemIds: Iterable<ItemId> = [itemId]) {
    super('inventory-change', { ...TRAVELS, cancelable: true });
    this.itemId = itemId;
    this.itemIds = itemIds;
    this.available = available;
  }
}

/** The delivery status of an edit has changed. */
export class InventoryReceiptEvent extends CustomEvent<null> {
  readonly itemId: ItemId;
  readonly available: boolean;
  readonly truth: Truth;
  /** Stable code that tells why the edit waits or needs attention; absent otherwise. */
  readonly reason: string | undefined;

  constructor(itemId: ItemId, available: boolean, truth: Truth, reason: string | undefined) {
    super('inventory-receipt', TRAVELS);
    this.itemId = itemId;
    this.available = available;
    this.truth = truth;
    this.reason = reason;
  }
}

/** Every change that was made here is on the portal or was discarded. */
export class InventorySavedEvent extends CustomEvent<null> {
  constructor() {
    super('inventory-saved', TRAVELS);
  }
}

/** The proxy cannot be used now. The elements keep trying. */
export class InventoryErrorEvent extends CustomEvent<null> {
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(code: string, requestId: string | undefined) {
    super('inventory-error', TRAVELS);
    this.code = code;
    this.requestId = requestId;
  }
}

/** The session has ended: the proxy accepted neither the known token nor a new one, or the person has signed out. */
export class InventorySessionExpiredEvent extends CustomEvent<null> {
  constructor() {
    super('inventory-session-expired', TRAVELS);
  }
}

/** The proxy has responded for the first time, or again after an error. */
export class InventoryReadyEvent extends CustomEvent<null> {
  constructor() {
    super('inventory-ready', TRAVELS);
  }
}

/** The events of the elements by name. They bubble, so a listener on the document receives them too. */
export interface InventoryEventMap {
  'inventory-change': InventoryChangeEvent;
  'inventory-receipt': InventoryReceiptEvent;
  'inventory-saved': InventorySavedEvent;
  'inventory-error': InventoryErrorEvent;
  'inventory-session-expired': InventorySessionExpiredEvent;
  'inventory-ready': InventoryReadyEvent;
}

/** The event handlers as properties, as frameworks with JSX set them. */
export type InventoryEventHandlers = {
  readonly [Name in keyof InventoryEventMap as `on${Name}`]?: (event: InventoryEventMap[Name]) => void;
};

/* eslint-disable @typescript-eslint/no-empty-object-type -- a global map is only extended by an interface of its name */
declare global {
  interface HTMLElementEventMap extends InventoryEventMap {}
  interface DocumentEventMap extends InventoryEventMap {}
}

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ItemId } from '../domain/item.js';
import type { InventoryStore } from '../client/store/inventory-store.js';
import type { StoreSnapshot, StoreStatus } from '../client/store/store-snapshot.js';
import { watchInput } from '../client/browser/interaction-guard.js';
import type { ChangeAnnouncer } from '../client/model/subscriptions.js';
import { type StoreAddress, storeFor } from '../client/store/store-registry.js';
import { defaultProxy, isTrustedProxy } from './shared/script-origin.js';
import { secretAttribute } from './shared/secret-attribute.js';
import { InventoryErrorEvent, InventoryReadyEvent, InventorySessionExpiredEvent } from './events.js';

/** The properties of an element that determine its store. A removed attribute is `null`. */
export interface StoreAttributes {
  readonly proxy: string | null | undefined;
  readonly session: string | null | undefined;
  readonly getSession: (() => Promise<string>) | null | undefined;
}

type Host = ReactiveControllerHost & StoreAttributes & HTMLElement;

/**
 * Connects an element to the store that it shares with every element of the same address, updates the element only when
 * data that it shows has changed, and dispatches the store's status as events.
 */
export class StoreController implements ReactiveController {
  readonly #host: Host;
  readonly #item: (() => ItemId | undefined) | undefined;
  readonly #announcer: ChangeAnnouncer | undefined;
  #store: InventoryStore | undefined;
  #leave: (() => void) | undefined;
  /** The status of the last event, and its store: an element that is moved in its page does not repeat the event. */
  #status: StoreStatus | undefined;
  #statusOf: InventoryStore | undefined;
  #key: readonly unknown[] = [];
  #unwatchInput: (() => void) | undefined;
  #hasWarned = false;

  /**
   * @param item the one item whose changes update the element, so that a change does not update a thousand elements; absent
   *   if the element follows all items itself. A function that returns `undefined` means that the element needs no store
   * @param announcer announces changes by other people; absent if the element does not
   */
  constructor(host: Host, item?: () => ItemId | undefined, announcer?: ChangeAnnouncer) {
    this.#host = host;
    this.#item = item;
    this.#announcer = announcer;
    host.addController(this);
  }

  get store(): InventoryStore | undefined {
    return this.#store;
  }

  /** Requests an update, because an element that is moved within its page has no other reason to look for its store. */
  hostConnected(): void {
    this.#host.requestUpdate();
    this.#unwatchInput ??= watchInput(this.#host.ownerDocument);
  }

  hostUpdate(): void {
    const item = this.#item?.();
    const isNeeded = this.#host.isConnected && (item !== undefined || this.#item === undefined);
    const source = isNeeded && secretAttribute(this.#host) === undefined ? this.#host : undefined;
    const proxy = source && this.#findProxy(source);
    const session = absolute(source?.session);
    // Preact removes a property by setting an empty string.
    const getSession = source?.getSession || undefined;
    const key = [proxy, session, getSession, item];
    if (key.every((part, index) => part === this.#key[index])) return;
    this.#key = key;
    this.#leaveStore();
    this.#store = proxy === undefined ? undefined : this.#storeAt({ proxy, session, getSession });
    this.#leave = this.#store?.subscribe((changed) => {
      if (changed === undefined) this.#onSnapshot();
      else if (item === undefined) return;
      this.#host.requestUpdate();
    }, item);
    if (this.#announcer !== undefined) this.#store?.announcers.add(this.#announcer);
    if (this.#store !== this.#statusOf) this.#status = undefined;
    this.#statusOf = this.#store;
  }

  /** @returns `undefined` if there is no proxy, or it is not trusted */
  #findProxy(source: Host): string | undefined {
    const proxy = absolute(source.proxy ?? defaultProxy());
    if (proxy === undefined || isTrustedProxy(source, proxy, source.proxy)) return proxy;
    if (!this.#hasWarned)
      console.warn(
        `<${source.localName}>: the attribute proxy names another server than that of the script. Set the property proxy by script, or list the server in data-proxies of the script's tag.`,
        source,
      );
    this.#hasWarned = true;
    return undefined;
  }

  /** Runs after the update, so that changes that a listener makes cause another update. */
  hostUpdated(): void {
    this.#onSnapshot();
  }

  /**
   * This is a method of its own, because a minifier inlines `storeFor`: the closure that it leaves with the store outlives
   * this element, and would keep alive every variable of the function that it is inlined into.
   */
  #storeAt(address: StoreAddress): InventoryStore {
    return storeFor(address);
  }

  hostDisconnected(): void {
    this.#unwatchInput?.();
    this.#unwatchInput = undefined;
    this.#leaveStore();
    this.#store = undefined;
    this.#key = [];
  }

  #leaveStore(): void {
    this.#leave?.();
    this.#leave = undefined;
    if (this.#announcer !== undefined) this.#store?.announcers.delete(this.#announcer);
  }

  #onSnapshot(): void {
    const snapshot = this.#store?.snapshot;
    if (snapshot === undefined || snapshot.status === this.#status) return;
    this.#status = snapshot.status;
    const event = eventOf(snapshot);
    if (event !== undefined) this.#host.dispatchEvent(event);
  }
}

function eventOf({ status, problem = 'unreachable', requestId }: StoreSnapshot): Event | undefined {
  if (status === 'ready') return new InventoryReadyEvent();
  if (status === 'signed-out') return new InventorySessionExpiredEvent();
  return status === 'unreachable' ? new InventoryErrorEvent(problem, requestId) : undefined;
}

function absolute(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url, document.baseURI)) return undefined;
  return new URL(url, document.baseURI).href;
}

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

/** What an element tells the controller about where its store is. An attribute that was taken away is `null`. */
export interface StoreAttributes {
  readonly proxy: string | null | undefined;
  readonly session: string | null | undefined;
  readonly getSession: (() => Promise<string>) | null | undefined;
}

type Host = ReactiveControllerHost & StoreAttributes & HTMLElement;

/**
 * Connects an element to the store that it shares with every element of the same address, asks for a redraw only when
 * something of interest changed, and turns the store's status into events.
 */
export class StoreController implements ReactiveController {
  readonly #host: Host;
  readonly #item: (() => ItemId | undefined) | undefined;
  readonly #announcer: ChangeAnnouncer | undefined;
  #store: InventoryStore | undefined;
  #leave: (() => void) | undefined;
  /** What was told last, and of which store: an element that is moved in its page does not say it again. */
  #status: StoreStatus | undefined;
  #statusOf: InventoryStore | undefined;
  #key: readonly unknown[] = [];
  #unwatchInput: (() => void) | undefined;
  #hasWarned = false;

  /**
   * @param item the only one whose changes it is redrawn for, so that a thousand elements do not all hear of each change;
   * without, it follows the items itself, and with `undefined` it needs no store
   * @param@param announcer announces changes by other people; absent if the element does not
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

  /** An element that comes back to the page has nothing else that would make it look for its store. */
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
    // Preact takes a property away by an empty text.
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

  /** @returns `undefined`: there is none, or it is not to be trusted */
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

  /** After the update, so that what the page changes when it hears of this is another update. */
  hostUpdated(): void {
    this.#onSnapshot();
  }

  /**
   * In a place of its own: a minifier writes out `storeFor` where it is called, and what that leaves with the store, which
   * outlives this element, keeps all that the place knows.
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

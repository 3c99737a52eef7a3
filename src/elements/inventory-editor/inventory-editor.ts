import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { HostItemInput } from '../../contract/host-items.js';
import type { ItemId } from '../../domain/item.js';
import type { HostItem } from '../../client/item-view.js';
import type { InventoryStore } from '../../client/inventory-store.js';
import type { StoreSnapshot } from '../../client/store-snapshot.js';
import { en } from '../../locales/en.js';
import type { Dictionary } from '../../locales/dictionary.js';
import { InventorySavedEvent } from '../events.js';
import { readChildItems, readHostItems } from '../host-items.js';
import { secretAttribute } from '../secret-attribute.js';
import { connectionText } from '../connection-text.js';
import { StoreController } from '../store-controller.js';
import { tokens } from '../tokens.js';
import { styles } from './inventory-editor.styles.js';
import type { SignOutChoice, SignOutQuestion } from './sign-out-question.js';

/**
 * Lists a vendor's items with a toggle for each, and counts what is not on the portal yet.
 *
 * @slot - Shown until the element is upgraded. A child `<script type="application/json">` holds the host's items.
 * @fires inventory-change - Before an edit is taken; cancelable.
 * @fires inventory-receipt - An edit reached another of the four truths.
 * @fires inventory-saved - Everything is on the portal.
 * @fires inventory-ready - The proxy has answered.
 * @fires inventory-error - The proxy cannot be used now.
 * @fires inventory-session-expired - The session was refused.
 * @csspart header - Title and counts.
 * @csspart list - The items.
 * @csspart question - What a person is asked who signs out while edits wait.
 * @csspart problem - What stands between the editor and the proxy.
 */
export class InventoryEditor extends LitElement {
  static override styles = [tokens, styles];

  readonly #controller: StoreController = new StoreController(
    this,
    () => this,
    () => true,
  );

  /** Base URL of the proxy. The drop-in script knows where it came from. */
  @property() proxy: string | undefined;

  /** URL on the host that answers a POST with an embed token. */
  @property() session: string | undefined;

  /** Instead of a URL: a function that resolves to an embed token. */
  @property({ attribute: false }) getSession: (() => Promise<string>) | undefined;

  /** The host's items: kept, never changed. */
  @property({ attribute: false }) items: readonly HostItemInput[] | undefined;

  /** Shows the items without letting anybody change them. */
  @property({ type: Boolean, reflect: true }) readonly = false;

  /** Takes all switches out of use. */
  @property({ type: Boolean, reflect: true }) disabled = false;

  /** Own texts over the dictionary's. */
  @property({ attribute: false }) strings: Partial<Dictionary> = {};

  /** Loaded when it is first asked. */
  #question: SignOutQuestion | undefined;
  #childItems: readonly unknown[] | undefined;
  #given: unknown;
  #givenTo: InventoryStore | undefined;
  #own: ReadonlyMap<ItemId, HostItem> = new Map();
  #takeBack: (() => void) | undefined;
  #counted: Counted | undefined;
  #warned = false;

  protected override update(changed: PropertyValues<this>): void {
    this.#giveItems();
    super.update(changed);
  }

  protected override updated(): void {
    const { store } = this.#controller;
    const before = this.#counted;
    this.#counted = store && { store, owner: store.snapshot.owner, open: store.snapshot.openCount };
    if (store === undefined && this.isConnected && !this.#warned) {
      this.#warned = true;
      this.#warn(this.#problem(undefined, { ...en, ...this.strings }));
    }
    if (isSaved(before, this.#counted)) this.dispatchEvent(new InventorySavedEvent());
  }

  /** Asks the proxy anew. */
  async refresh(): Promise<void> {
    await this.#controller.store?.refresh();
  }

  /**
   * For the host's sign-out button, before the host ends its own session: sends what waits, then deletes what this device
   * kept for this person. Where something cannot be sent, the person is asked.
   *
   * @returns whether the person is signed out; `false`: they want to stay
   */
  async signOut(): Promise<boolean> {
    const { store } = this.#controller;
    let choice: SignOutChoice = 'send';
    while (store !== undefined && choice !== 'stay') {
      const unsent = await store.signOut(choice === 'delete');
      if (unsent === 0) return true;
      const { SignOutQuestion } = await import('./sign-out-question.js');
      choice = await (this.#question ??= new SignOutQuestion(this)).ask(unsent);
    }
    return store === undefined;
  }

  #giveItems(): void {
    const { store } = this.#controller;
    if (store === undefined) return;
    const entries = this.items ?? (this.#childItems ??= readChildItems(this, this.#warn));
    if (entries === this.#given && store === this.#givenTo) return;
    this.#given = entries;
    this.#givenTo = store;
    this.#takeBack?.();
    this.#own = new Map(readHostItems(entries, this.#warn).map((item) => [item.id, item]));
    const own = this.#own;
    this.#takeBack = store.addHostItems({ find: (id) => own.get(id) });
  }

  #problem(snapshot: StoreSnapshot | undefined, text: Dictionary): string {
    const secret = secretAttribute(this);
    return secret === undefined ? connectionText(snapshot, text) : text.secretGiven(secret);
  }

  readonly #warn = (message: string): void => {
    console.warn(`<${this.localName}>: ${message}`, this);
  };

  /** The editor speaks for its rows: one event about the connection, not one a row. */
  readonly #onRowEvent = (event: Event): void => {
    event.stopPropagation();
  };

  #renderBody(snapshot: StoreSnapshot | undefined, text: Dictionary): TemplateResult | typeof nothing {
    const ids: ItemId[] = [...new Set([...this.#own.keys(), ...(this.#controller.store?.knownIds ?? [])])];
    if (ids.length > 0) {
      return html`<ul part="list" class="list">
        ${repeat(
          ids,
          (id) => id,
          (id) => this.#renderRow(id),
        )}
      </ul>`;
    }
    switch (snapshot?.status) {
      case 'loading':
        return html`<p class="quiet">${text.loading}</p>
          <div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;
      case 'ready':
        return html`<p class="quiet">${text.empty}</p>`;
      default:
        return nothing;
    }
  }

  #renderRow(id: ItemId): TemplateResult {
    const view = this.#controller.store?.view(id);
    return html`<li>
      <availability-toggle
        .item=${id}
        .proxy=${this.proxy}
        .session=${this.session}
        .getSession=${this.getSession}
        .strings=${this.strings}
        .quiet=${true}
        ?readonly=${this.readonly}
        ?disabled=${this.disabled}
        >${view?.label ?? id}${view?.group === undefined ? nothing : html` <small>${view.group}</small>`}</availability-toggle
      >
    </li>`;
  }

  #renderProblem(snapshot: StoreSnapshot | undefined, text: Dictionary): TemplateResult {
    const problem = this.#problem(snapshot, text);
    return html`<div role="status" class="live">
      ${
        problem === ''
          ? nothing
          : html`<p part="problem" class="problem">
              <span>${problem}</span>
              ${
                snapshot === undefined
                  ? nothing
                  : html`<button type="button" class="again" @click=${() => void this.refresh()}>
                      ${text.tryAgain}
                    </button>`
              }
            </p>`
      }
    </div>`;
  }

  protected override render(): TemplateResult {
    const text: Dictionary = { ...en, ...this.strings };
    const snapshot = this.#controller.store?.snapshot;
    const open = snapshot?.openCount ?? 0;
    return html`<section
      aria-labelledby="title"
      aria-busy=${snapshot?.status === 'loading' ? 'true' : 'false'}
      @inventory-ready=${this.#onRowEvent}
      @inventory-error=${this.#onRowEvent}
      @inventory-session-expired=${this.#onRowEvent}
    >
      <header part="header">
        <h2 id="title">${text.inventory}</h2>
        <p class="count" role="status">${open === 0 ? text.nothingOpen : text.openCount(open)}</p>
      </header>
      ${this.#renderProblem(snapshot, text)}
      ${snapshot?.status === 'ready' && !snapshot.canEdit ? html`<p class="quiet">${text.readOnly}</p>` : nothing}
      ${this.#renderBody(snapshot, text)}${this.#question?.render(text)}
    </section>`;
  }
}

/** Open edits, and whose they are. */
interface Counted {
  readonly store: InventoryStore;
  readonly owner: string;
  readonly open: number;
}

/** The last open edit has reached the portal; it is not that somebody else's edits are counted now. */
function isSaved(before: Counted | undefined, now: Counted | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  return before.open > 0 && now.open === 0 && before.store === now.store && before.owner === now.owner;
}

declare global {
  interface HTMLElementTagNameMap {
    'inventory-editor': InventoryEditor;
  }
}

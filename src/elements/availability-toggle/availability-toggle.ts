import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { isItemId, type ItemId } from '../../domain/item.js';
import type { StoreSnapshot } from '../../client/store-snapshot.js';
import type { ItemView } from '../../client/item-view.js';
import { en } from '../../locales/en.js';
import type { Dictionary } from '../../locales/dictionary.js';
import { InventoryChangeEvent, InventoryReceiptEvent } from '../events.js';
import { truthIcon } from '../icons.js';
import { secretAttribute } from '../secret-attribute.js';
import { connectionText, statusText } from '../status-text.js';
import { StoreController } from '../store-controller.js';
import { tokens } from '../tokens.js';
import { styles } from './availability-toggle.styles.js';

/**
 * A switch for the availability of one item. Its line below says what is known of the last change: on this device,
 * received, on the portal, or needs attention.
 *
 * Without `item` it is a plain switch that touches no network.
 *
 * @slot - The label.
 * @fires inventory-change - Before an edit is taken; cancelable.
 * @fires inventory-receipt - An edit reached another of the four truths.
 * @fires inventory-ready - The proxy has answered.
 * @fires inventory-error - The proxy cannot be used now.
 * @fires inventory-session-expired - The session was refused.
 * @fires input - A person moved the switch.
 * @fires change - A person moved the switch. Not composed, as with a native checkbox.
 * @csspart control - The switch, or the two choices of a value that nobody has told.
 * @csspart status - The line that says what is known of the last change.
 */
export class AvailabilityToggle extends LitElement {
  static override styles = [tokens, styles];

  readonly #controller: StoreController = new StoreController(
    this,
    () => (isItemId(this.item) ? this : undefined),
    (changed) => changed === this.item,
  );

  /** Id of the item that it edits. */
  @property() item: string | null | undefined;

  /** Base URL of the proxy. The drop-in script knows where it came from. */
  @property() proxy: string | undefined;

  /** URL on the host that answers a POST with an embed token. */
  @property() session: string | undefined;

  /** Instead of a URL: a function that resolves to an embed token. */
  @property({ attribute: false }) getSession: (() => Promise<string>) | undefined;

  /** The value of a plain switch. With `item`, the item's value counts. */
  @property({ type: Boolean }) checked = false;

  /** Shows the value without letting anybody change it. */
  @property({ type: Boolean, reflect: true }) readonly = false;

  /** Takes the switch out of use. */
  @property({ type: Boolean, reflect: true }) disabled = false;

  /** Own texts over the dictionary's. */
  @property({ attribute: false }) strings: Partial<Dictionary> = {};

  /** An element around it tells of the connection's troubles, once for all. */
  @property({ attribute: false }) quiet = false;

  #shown: ItemView | undefined;
  #touched = false;
  #warned = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('item')) {
      this.#shown = undefined;
      this.#touched = false;
    }
  }

  protected override update(changed: PropertyValues<this>): void {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    // A choice that has become a switch, or "try again" that worked: the keyboard goes on where it was.
    if (focused?.isConnected === false) this.focus();
  }

  protected override updated(): void {
    const view = this.#view();
    const before = this.#shown;
    this.#shown = view;
    const misuse = this.#misuse(this.#text());
    if (misuse !== '' && this.isConnected) this.#warn(misuse);
    if (view?.truth === undefined || view.available === undefined || before === undefined) return;
    if (view.truth !== before.truth || view.updated_at !== before.updated_at) {
      if (this.#touched) {
        this.dispatchEvent(new InventoryReceiptEvent(view.id, view.available, view.truth, view.reason));
      }
    }
  }

  /** Moves the switch as a person would. */
  override click(): void {
    this.renderRoot.querySelector('button')?.click();
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('button')?.focus(options);
  }

  #view(): ItemView | undefined {
    const { item } = this;
    return isItemId(item) ? this.#controller.store?.view(item) : undefined;
  }

  #text(): Dictionary {
    return { ...en, ...this.strings };
  }

  /** Without an item it touches no network. */
  get #plain(): boolean {
    return this.item === undefined || this.item === null;
  }

  get #locked(): boolean {
    return this.disabled || (this.#plain ? secretAttribute(this) !== undefined : !this.#mayEdit);
  }

  get #mayEdit(): boolean {
    return isItemId(this.item) && this.#controller.store?.mayEdit(this.item) === true;
  }

  /** What the author of the page has to mend, or nothing. */
  #misuse(text: Dictionary): string {
    const secret = secretAttribute(this);
    if (secret !== undefined) return text.secretGiven(secret);
    if (this.#plain) return '';
    if (!isItemId(this.item)) return text.badItem;
    return this.#controller.store === undefined ? text.missingProxy : '';
  }

  /** Once: a misconfigured element must not flood the host's console. */
  #warn(message: string): void {
    if (this.#warned) return;
    this.#warned = true;
    console.warn(`<${this.localName}>: ${message}`, this);
  }

  #choose(available: boolean): void {
    if (this.#plain) {
      if (this.disabled || this.readonly) return;
      this.checked = available;
    } else {
      const item = this.#ask(available);
      if (item === undefined) return;
      void this.#controller.store?.set(item, available, this.#label(item));
    }
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }

  #retry(available: boolean): void {
    const item = this.#ask(available);
    if (item !== undefined) void this.#controller.store?.retry(item);
  }

  /** @returns the item, where an edit of it may be taken: the host has the last word */
  #ask(available: boolean): ItemId | undefined {
    const { item } = this;
    if (this.readonly || this.#locked || !isItemId(item)) return undefined;
    if (!this.dispatchEvent(new InventoryChangeEvent(item, available))) return undefined;
    this.#touched = true;
    return item;
  }

  #label(item: ItemId): string | undefined {
    const text = this.textContent.trim().replace(/\s+/gu, ' ').slice(0, 200);
    return text === '' || text === (item as string) ? undefined : text;
  }

  #renderControl(available: boolean | undefined, text: Dictionary): TemplateResult {
    if (available !== undefined) {
      return html`<button
        part="control"
        class="switch"
        type="button"
        role="switch"
        aria-checked=${available ? 'true' : 'false'}
        aria-labelledby="label"
        aria-describedby="status"
        aria-disabled=${this.readonly ? 'true' : nothing}
        ?disabled=${this.#locked}
        @click=${() => {
          this.#choose(!available);
        }}
      >
        <span class="track"><span class="thumb"></span></span>
        <span class="value" aria-hidden="true">${available ? text.available : text.notAvailable}</span>
      </button>`;
    }
    const choice = (value: boolean): TemplateResult =>
      html`<button
        class="choice"
        type="button"
        aria-disabled=${this.readonly ? 'true' : nothing}
        ?disabled=${this.#locked}
        @click=${() => {
          this.#choose(value);
        }}
      >
        ${value ? text.available : text.notAvailable}
      </button>`;
    return html`<div part="control" class="choices" role="group" aria-labelledby="label" aria-describedby="status">
      ${choice(true)}${choice(false)}
    </div>`;
  }

  #renderStatus(view: ItemView | undefined, text: Dictionary): TemplateResult | typeof nothing {
    if (this.#plain) return nothing;
    const snapshot = this.#controller.store?.snapshot;
    const problem = this.#misuse(text) || this.#connectionProblem(view, text);
    const told = view === undefined || snapshot === undefined ? '' : this.#told(view, snapshot, text);
    const truth = problem === '' && view?.unsaved !== true ? view?.truth : undefined;
    const tone = truth ?? (problem === '' && view?.unsaved !== true ? 'none' : 'problem');
    return html`<div part="status" class="status" data-truth=${tone}>
      <span id="status" role="status" aria-live=${this.#touched ? 'polite' : 'off'}>
        ${truth === undefined ? nothing : truthIcon(truth)}<span>${problem === '' ? told : problem}</span>
      </span>
      ${
        truth === 'needs-attention' && !this.readonly && !this.#locked
          ? html`<button
              class="again"
              type="button"
              @click=${() => {
                this.#retry(view?.available === true);
              }}
            >
              ${text.tryAgain}
            </button>`
          : nothing
      }
    </div>`;
  }

  #told(view: ItemView, snapshot: StoreSnapshot, text: Dictionary): string {
    const forbidden = snapshot.status === 'ready' && !this.#mayEdit && view.truth === undefined;
    // Where nothing may be edited, the element around it says so once for all.
    return forbidden && (snapshot.canEdit || !this.quiet) ? text.readOnly : statusText(view, snapshot, text);
  }

  #connectionProblem(view: ItemView | undefined, text: Dictionary): string {
    const snapshot = this.#controller.store?.snapshot;
    if (view?.truth !== undefined) return '';
    return this.quiet ? '' : connectionText(snapshot, text);
  }

  protected override render(): TemplateResult {
    const text = this.#text();
    const view = this.#view();
    const available = this.#plain ? this.checked : view?.available;
    return html`<span id="label" class="label"><slot>${view?.label ?? this.item ?? text.available}</slot></span>
      ${this.#renderControl(available, text)}${this.#renderStatus(view, text)}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'availability-toggle': AvailabilityToggle;
  }
}

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { isItemId, type ItemId } from '../../domain/item.js';
import type { ItemView } from '../../client/item-view.js';
import { en } from '../../locales/en.js';
import type { Dictionary } from '../../locales/dictionary.js';
import { InventoryChangeEvent, InventoryReceiptEvent } from '../events.js';
import { truthIcon } from '../icons.js';
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
    () => (this.item === undefined ? undefined : this),
    (changed) => changed === this.item,
  );

  /** Id of the item that it edits. */
  @property() item?: string;

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

  protected override updated(): void {
    const view = this.#view();
    const before = this.#shown;
    this.#shown = view;
    if (this.item !== undefined && this.#controller.store === undefined) this.#warn(this.#misuse());
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

  #misuse(): string {
    return isItemId(this.item) ? this.#text().missingProxy : 'item: 1 to 200 characters without control characters.';
  }

  /** Once: a misconfigured element must not flood the host's console. */
  #warn(message: string): void {
    if (this.#warned) return;
    this.#warned = true;
    console.warn(`<${this.localName}>: ${message}`, this);
  }

  #choose(available: boolean): void {
    if (this.disabled || this.readonly) return;
    const { item } = this;
    if (item === undefined) {
      this.checked = available;
    } else {
      const store = this.#controller.store;
      if (!isItemId(item) || store?.snapshot.canEdit !== true) return;
      if (!this.dispatchEvent(new InventoryChangeEvent(item, available))) return;
      this.#touched = true;
      void store.set(item, available, this.#label(item));
    }
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }

  #label(item: ItemId): string | undefined {
    const text = this.textContent.trim().replace(/\s+/gu, ' ').slice(0, 200);
    return text === '' || text === (item as string) ? undefined : text;
  }

  #renderControl(available: boolean | undefined, locked: boolean, text: Dictionary): TemplateResult {
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
        ?disabled=${locked}
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
        ?disabled=${locked}
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
    if (this.item === undefined) return nothing;
    const snapshot = this.#controller.store?.snapshot;
    const problem = view?.truth === undefined && !this.quiet ? connectionText(snapshot, text) : '';
    const told = view !== undefined && snapshot !== undefined ? statusText(view, snapshot, text) : '';
    const truth = problem === '' ? view?.truth : undefined;
    return html`<div part="status" class="status" data-truth=${truth ?? (problem === '' ? 'none' : 'problem')}>
      <span id="status" role="status" aria-live=${this.#touched ? 'polite' : 'off'}>
        ${truth === undefined ? nothing : truthIcon(truth)}<span>${problem === '' ? told : problem}</span>
      </span>
      ${
        truth === 'needs-attention' && view !== undefined && !this.readonly && !this.disabled
          ? html`<button class="again" type="button" @click=${() => void this.#controller.store?.retry(view.id)}>
              ${text.tryAgain}
            </button>`
          : nothing
      }
    </div>`;
  }

  protected override render(): TemplateResult {
    const text = this.#text();
    const view = this.#view();
    const plain = this.item === undefined;
    const available = plain ? this.checked : view?.available;
    const store = this.#controller.store;
    const locked = this.disabled || (!plain && store?.snapshot.canEdit !== true);
    return html`<span id="label" class="label"><slot>${view?.label ?? this.item ?? text.available}</slot></span>
      ${this.#renderControl(available, locked, text)}${this.#renderStatus(view, text)}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'availability-toggle': AvailabilityToggle;
  }
}

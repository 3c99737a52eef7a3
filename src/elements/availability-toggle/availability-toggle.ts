import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ItemView } from '../../client/model/item-view.js';
import type { InventoryStore } from '../../client/store/inventory-store.js';
import type { Truth } from '../../domain/edit-state.js';
import { isItemId, type ItemId } from '../../domain/item.js';
import type { Dictionary, ToggleTexts } from '../../locales/dictionary.js';
import { enToggle } from '../../locales/en.js';
import { InventoryChangeEvent, InventoryReceiptEvent } from '../events.js';
import { conflictCard, type Side } from '../shared/conflict-card.js';
import { iconStyles } from '../shared/icons.js';
import { portalNameOf } from '../shared/language.js';
import { isElement } from '../shared/other-document.js';
import { LazyModule } from '../shared/late-part.js';
import { onHalfMinute, timeOfDay } from '../shared/relative-time.js';
import { recordProxyProperty } from '../shared/script-origin.js';
import { secretAttribute } from '../shared/secret-attribute.js';
import { changedText } from '../shared/status-text.js';
import { switchStyles } from '../shared/switch.styles.js';
import { tokens } from '../shared/tokens.js';
import { StoreController } from '../store-controller.js';
import { styles } from './availability-toggle.styles.js';
import { labelText } from './accessible-name.js';
import { itemStatus, type ItemStatus, statusLine, valueChoices } from './item-templates.js';
import { reflected } from './reflected.js';
import { SwitchControl } from './switch-control.js';

type Texts = ToggleTexts & Partial<Dictionary>;

const TRUTHS: readonly Truth[] = ['on-device', 'received', 'on-portal', 'needs-attention'];

/** Most visits never need this module. */
const confirmDialog = new LazyModule(() => import('./confirm-dialog.js'));

/**
 * A switch for the availability of one item. The line below it shows the status of the last change: on this device,
 * received, on the portal, or needs attention. Without `item` it is a plain switch for forms and does not use the network.
 * Only a person's action makes an edit: with `item`, a form reset, a restored form and `checked` change nothing.
 *
 * @slot - The label.
 * @slot on - Replaces the text for on, with text or an icon.
 * @slot off - Replaces the text for off.
 * @fires inventory-change - An edit is about to be made; cancelable.
 * @fires inventory-receipt - The delivery status of an edit has changed.
 * @fires inventory-ready - The proxy has responded.
 * @fires inventory-error - The proxy cannot be used now.
 * @fires inventory-session-expired - The proxy or the host refused the session, or the person has signed out.
 * @fires input - A person moved the switch.
 * @fires change - A person moved the switch. Not composed, as with a native checkbox.
 * @csspart control - The native checkbox: invisible, over the whole control.
 * @csspart label - The label.
 * @csspart value - The state as text; its ::before is the track, its ::after the thumb.
 * @csspart choices - The two choices of an unknown value.
 * @csspart status - The line with the status of the last change.
 * @csspart conflict - The question in a conflict of two values.
 * @csspart question - The question before the item becomes unavailable.
 * @cssstate checked - On.
 * @cssstate unknown - Neither on nor off, because the value is unknown.
 * @cssstate on-device - The last change is on this device.
 * @cssstate received - The proxy has received the last change.
 * @cssstate on-portal - The last change is on the portal.
 * @cssstate needs-attention - The last change needs a decision of a person.
 */
export class AvailabilityToggle extends SwitchControl {
  static override readonly styles = [tokens, switchStyles, iconStyles, styles];

  readonly #controller = new StoreController(this, () => this.#id, {
    // A screen reader does not read a hidden live region.
    shows: (id) => id === this.item && !this.quiet && this.checkVisibility(),
    announce: (view, count) => {
      this.#onForeignChange(view, count);
    },
  });

  /** Asks before the item becomes unavailable. */
  @reflected({ type: Boolean }) confirm!: boolean;

  /** `comfortable` or `compact`. */
  @reflected() density!: string | null | undefined;

  /** Id of the item. Without it, the toggle is a plain form switch that uses no network. */
  @reflected() item!: string | null | undefined;

  /**
   * Base URL of the proxy; may have a path. In the drop-in script it defaults to the address that the script was loaded
   * from.
   */
  @reflected({ onSet: recordProxyProperty }) proxy!: string | null | undefined;

  /** URL on the host that responds to a POST with `{"token": "…"}`. Without it, the host's cookies identify the person. */
  @reflected() session!: string | null | undefined;

  /** IANA name of the time zone in which times are shown; by default that of the device. */
  @reflected({ attribute: 'time-zone' }) timeZone!: string | null | undefined;

  /** Returns a promise of an embed token; replaces `session`. */
  @property({ attribute: false }) getSession: (() => Promise<string>) | null | undefined;

  /** An ancestor element reports connection problems once for all toggles, so this toggle does not. */
  @property({ attribute: false }) quiet = false;

  /** The announced change by another person, for people who cannot see it. */
  @state() private announcement = '';
  @state() private hasDecisionFailed = false;

  #view: ItemView | undefined;
  /** The store of `#view`. */
  #store: InventoryStore | undefined;
  /** The view at the last event. */
  #toldView: ItemView | undefined;
  #texts: Texts = enToggle();
  /** `undefined` without an item. */
  #status: ItemStatus | undefined;
  /** A person has made an edit of the item here that has not settled. */
  #isTouched = false;
  /** Makes the edit that the last `inventory-change` announced. */
  #takeEdit: (() => unknown) | undefined;
  #stopClock: (() => void) | undefined;
  #hasWarned = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#runClock(false);
  }

  protected override get isLocked(): boolean {
    if (this.item === null) return super.isLocked || secretAttribute(this) !== undefined;
    return super.isLocked || this.#id === undefined || this.#controller.store?.canEdit(this.#id) !== true;
  }

  protected override get currentValue(): boolean | undefined {
    return this.item === null ? super.currentValue : this.#view?.available;
  }

  protected override get fallbackLabel(): string {
    return this.#view?.label ?? this.item ?? '';
  }

  protected override canMove(on: boolean): boolean {
    if (!this.confirm || on || this.readonly) return this.#isAllowed(on);
    void this.#confirmAndMove();
    return false;
  }

  protected override accept(on: boolean): void {
    if (this.#takeEdit === undefined) {
      super.accept(on);
      return;
    }
    this.show(on);
    this.#takeEdit();
  }

  protected override update(changed: PropertyValues): void {
    const focused = this.shadowRoot?.activeElement;
    this.#readStore();
    super.update(changed);
    // The focused part has disappeared: the two choices became a switch, the switch became two choices, or "Try again"
    // succeeded.
    if (isElement(focused) && (focused.hidden || !focused.isConnected)) {
      // A browser keeps the focus on a hidden element until it paints.
      focused.blur();
      this.focus();
    }
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#dispatchReceipt();
    this.#runClock(
      this.isConnected && (this.#status?.truth === 'needs-attention' || this.#status?.confirmedAt !== undefined),
    );
    // The question is loaded in advance: without the network it could not be asked, and a press would have no effect. If it
    // fails to load, the next update tries again.
    if (this.confirm) void confirmDialog.load();
  }

  get #id(): ItemId | undefined {
    return isItemId(this.item) ? this.item : undefined;
  }

  /** The mistake that the page's author has to correct; empty if there is none. */
  get #usageError(): string {
    const secret = secretAttribute(this);
    if (secret !== undefined) return this.#texts.secretGiven(secret);
    if (this.item === null || !this.isConnected) return '';
    if (this.#id === undefined) return this.#texts.badItem;
    return this.#controller.store === undefined ? this.#texts.missingProxy : '';
  }

  /**
   * Whether changes of the status line are announced: after an edit of this person, but not for a status that lasts only a
   * moment.
   */
  get #isAnnounced(): boolean {
    const isPassing = this.#status?.truth === 'on-device' && this.#store?.snapshot.status === 'ready';
    return this.#isTouched && !isPassing && this.#view?.by === undefined;
  }

  /** The properties that identify the item. If one of them has changed, the toggle shows another item. */
  get #subject(): readonly unknown[] {
    return [this.item, this.proxy, this.getSession, this.session];
  }

  readonly #onLoaded = (): void => {
    this.requestUpdate();
  };

  readonly #onRetry = (): void => {
    void this.#decide(this.#view?.available, (store, id) => store.retry(id));
  };

  readonly #onChooseSide = (side: Side): void => {
    const view = this.#view && this.#store?.view(this.#view.id);
    void this.#decide(side === 'mine' ? view?.available : view?.theirs?.available, (store, id) =>
      store.resolve(id, side),
    );
  };

  readonly #onChooseValue = (available: boolean): void => {
    this.choose(available);
  };

  #onForeignChange(view: ItemView, count: number): void {
    const text = changedText(view, count, labelText(this) || (view.label ?? view.id), this.#texts);
    // Screen readers ignore a live region whose text does not change, so a repeated text gets a no-break space.
    this.announcement = text === this.announcement ? `${text}\u00a0` : text;
  }

  async #confirmAndMove(): Promise<void> {
    await confirmDialog.load();
    const subject = this.#subject;
    const texts = { ...this.dictionary, ...this.strings };
    const isMeant = await confirmDialog.module?.confirmUnavailable(this.renderRoot, this.accessibleName, texts);
    const isSame = this.#subject.every((part, at) => part === subject[at]);
    if (isMeant && isSame && this.#isAllowed(false)) this.move(false);
  }

  async #decide(
    available: boolean | undefined,
    carryOut: (store: InventoryStore, id: ItemId) => Promise<boolean> | undefined,
  ): Promise<void> {
    const [store, id] = [this.#store, this.#id];
    if (store === undefined || id === undefined || available === undefined || !this.#isAllowed(available)) return;
    this.hasDecisionFailed = false;
    this.hasDecisionFailed = !(await carryOut(store, id));
  }

  /** @returns whether the edit may be made. A listener of the page can prevent it */
  #isAllowed(available: boolean): boolean {
    this.#takeEdit = undefined;
    if (this.readonly || this.isLocked) return false;
    const [store, id] = [this.#controller.store, this.#id];
    if (store === undefined || id === undefined) return true;
    const label = [...labelText(this)].slice(0, 200).join('');
    // A listener may give the toggle another item, or remove the item.
    this.#takeEdit = () => store.set(id, available, label && label !== id ? label : undefined);
    if (!this.dispatchEvent(new InventoryChangeEvent(id, available))) return false;
    this.#isTouched = true;
    return true;
  }

  #readStore(): void {
    const { store } = this.#controller;
    // This person has made no edit of the new item yet, nor of an item with the same id at another proxy.
    if (this.item !== this.#toldView?.id || store !== this.#store) this.#isTouched = false;
    this.#store = store;
    this.#view = this.#id && store?.view(this.#id);
    this.#texts = { ...enToggle(portalNameOf(this.portalName)), ...this.dictionary, ...this.strings };
    const usageError = this.#usageError;
    if (usageError !== '') this.#warn(usageError);
    this.#status = this.item === null ? undefined : itemStatus(this.#view, store, usageError, this.quiet, this.#texts);
    for (const truth of TRUTHS) this.setState(truth, truth === this.#status?.truth);
    this.setState('unknown', this.item !== null && this.#view?.available === undefined);
    if (this.#isAnnounced) this.announcement = '';
    if (!isConflict(this.#view)) this.hasDecisionFailed = false;
  }

  #dispatchReceipt(): void {
    const [before, view] = [this.#toldView, this.#view];
    this.#toldView = view;
    // Nothing is in delivery any more: the edit was withdrawn, the portal has another value, or another person has signed
    // in.
    this.#isTouched &&= (view?.truth ?? view?.writing) !== undefined && view?.on_portal === undefined;
    if (!this.#isTouched || view?.truth === undefined || view.available === undefined) return;
    if (view.truth === before?.truth && view.updated_at === before.updated_at) return;
    this.dispatchEvent(new InventoryReceiptEvent(view.id, view.available, view.truth, view.reason));
  }

  /** Warns once: a misconfigured element must not flood the console of its page. */
  #warn(message: string): void {
    if (!this.#hasWarned) console.warn(`<${this.localName}>: ${message}`, this);
    this.#hasWarned = true;
  }

  #runClock(isNeeded: boolean): void {
    if (isNeeded) this.#stopClock ??= onHalfMinute(this.#onLoaded);
    else this.#stopClock = void this.#stopClock?.();
  }

  #renderStatus(status: ItemStatus): TemplateResult {
    return statusLine(status, {
      isAnnounced: this.#isAnnounced,
      texts: this.#texts,
      language: this.language,
      timeZone: this.timeZone,
      retry: this.#renderRetry(status),
    });
  }

  #renderRetry({ truth }: ItemStatus): TemplateResult | typeof nothing {
    if (truth !== 'needs-attention' || isConflict(this.#view) || !this.#mayDecide) return nothing;
    return html`<button type="button" class="pill" @click=${this.#onRetry}>${this.#texts.sendAgain}</button>`;
  }

  #renderConflict(): TemplateResult | typeof nothing {
    const view = this.#view;
    if (view === undefined || !isConflict(view)) return nothing;
    return conflictCard({
      view,
      texts: this.#texts,
      moment: (timestamp) => timeOfDay(timestamp, Date.now(), this.language, this.timeZone),
      onChoose: this.#mayDecide ? this.#onChooseSide : undefined,
      hasFailed: this.hasDecisionFailed,
    });
  }

  get #mayDecide(): boolean {
    return !this.readonly && !this.isLocked;
  }

  protected override render(): TemplateResult {
    if (this.#status === undefined) return html`${this.renderSwitch()}`;
    const { isLocked, readonly: isReadonly } = this;
    const onChoose = this.#onChooseValue;
    const choices = valueChoices({ texts: this.#texts, isLocked, isReadonly, onChoose });
    return html`${this.renderSwitch()}${this.#view?.available === undefined ? choices : nothing}
      ${this.#renderStatus(this.#status)}${this.#renderConflict()}<span class="live-region" role="status"
        >${this.announcement}</span
      >`;
  }
}

/** Whether the item has two values, between which this person has to choose. */
function isConflict(view: ItemView | undefined): boolean {
  return view?.available !== undefined && view.theirs !== undefined && view.truth === 'needs-attention';
}

declare global {
  interface HTMLElementTagNameMap {
    'availability-toggle': AvailabilityToggle;
  }
}

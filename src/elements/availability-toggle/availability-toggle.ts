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

/** What most visits never need. */
const confirmDialog = new LazyModule(() => import('./confirm-dialog.js'));

/**
 * A switch for the availability of one item. Its line below says what is known of the last change: on this device,
 * received, on the portal, or needs attention. Without `item` it is a plain switch for forms that touches no network.
 * Only a person's action makes an edit: with `item`, a reset, a restored form or `checked` change nothing.
 *
 * @slot - The label.
 * @slot on - Instead of the words for on: text, an icon.
 * @slot off - Instead of the words for off.
 * @fires inventory-change - Before an edit is taken; cancelable.
 * @fires inventory-receipt - An edit reached another of the four truths.
 * @fires inventory-ready - The proxy has answered.
 * @fires inventory-error - The proxy cannot be used now.
 * @fires inventory-session-expired - The session was refused.
 * @fires input - A person moved the switch.
 * @fires change - A person moved the switch. Not composed, as with a native checkbox.
 * @csspart control - The native checkbox: invisible, over the whole control.
 * @csspart label - The label.
 * @csspart value - The state in words; its ::before is the track, its ::after the thumb.
 * @csspart choices - The two choices of an unknown value.
 * @csspart status - The line that says what is known of the last change.
 * @csspart conflict - The question where two people chose two values.
 * @csspart question - The question before it goes unavailable.
 * @cssstate checked - On.
 * @cssstate unknown - Neither on nor off: the value is not known.
 * @cssstate on-device - The last change is on this device.
 * @cssstate received - The proxy has received the last change.
 * @cssstate on-portal - The last change is on the portal.
 * @cssstate needs-attention - The last change needs a person.
 */
export class AvailabilityToggle extends SwitchControl {
  static override readonly styles = [tokens, switchStyles, iconStyles, styles];

  readonly #controller = new StoreController(this, () => this.#id, {
    // A live region that is hidden is not read.
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

  /** Base URL of the proxy; may have a path. The drop-in script knows where it came from. */
  @reflected({ onSet: recordProxyProperty }) proxy!: string | null | undefined;

  /** URL on the host that answers a POST with `{"token": "…"}`. Without it, the host's cookies identify the person. */
  @reflected() session!: string | null | undefined;

  /** IANA name of the time zone in which times are shown; by default that of the device. */
  @reflected({ attribute: 'time-zone' }) timeZone!: string | null | undefined;

  /** Returns a promise of an embed token; replaces `session`. */
  @property({ attribute: false }) getSession: (() => Promise<string>) | null | undefined;

  /** An element around it tells of the connection's troubles, once for all. */
  @property({ attribute: false }) quiet = false;

  /** What another person has changed, for who cannot see it. */
  @state() private announcement = '';
  @state() private hasDecisionFailed = false;

  #view: ItemView | undefined;
  /** The store of `#view`. */
  #store: InventoryStore | undefined;
  /** The view that events told of last. */
  #toldView: ItemView | undefined;
  #texts: Texts = enToggle();
  /** Absent without an item. */
  #status: ItemStatus | undefined;
  /** A person has edited the item here, and the edit is not settled yet. */
  #isTouched = false;
  /** Takes the edit that the page was asked about last. */
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
    // Two choices that have become a switch, a switch that has become two choices, or "Try again" that has worked.
    if (isElement(focused) && (focused.hidden || !focused.isConnected)) {
      // A browser leaves the focus on a hidden element until it paints.
      focused.blur();
      this.focus();
    }
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.#dispatchReceipt();
    // What the network has lost is asked for again by the next update.
    this.#runClock(
      this.isConnected && (this.#status?.truth === 'needs-attention' || this.#status?.confirmedAt !== undefined),
    );
    // A question that cannot be asked without a network would be an edit that is not taken, and no word about it.
    if (this.confirm) void confirmDialog.load();
  }

  get #id(): ItemId | undefined {
    return isItemId(this.item) ? this.item : undefined;
  }

  /** What the author of the page has to correct, or nothing. */
  get #usageError(): string {
    const secret = secretAttribute(this);
    if (secret !== undefined) return this.#texts.secretGiven(secret);
    if (this.item === null || !this.isConnected) return '';
    if (this.#id === undefined) return this.#texts.badItem;
    return this.#controller.store === undefined ? this.#texts.missingProxy : '';
  }

  /** Whether the status line is read aloud: after an edit of this person, and not while it passes. */
  get #isAnnounced(): boolean {
    const isPassing = this.#status?.truth === 'on-device' && this.#store?.snapshot.status === 'ready';
    return this.#isTouched && !isPassing && this.#view?.by === undefined;
  }

  /** A change of one of these is another item. */
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
    // A live region is read when its text changes: the same words need another text.
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

  /** @returns whether an edit may be taken: the page has the last word */
  #isAllowed(available: boolean): boolean {
    this.#takeEdit = undefined;
    if (this.readonly || this.isLocked) return false;
    const [store, id] = [this.#controller.store, this.#id];
    if (store === undefined || id === undefined) return true;
    const label = [...labelText(this)].slice(0, 200).join('');
    // The page may give the toggle another item, or take it away, as soon as it hears of this.
    this.#takeEdit = () => store.set(id, available, label && label !== id ? label : undefined);
    if (!this.dispatchEvent(new InventoryChangeEvent(id, available))) return false;
    this.#isTouched = true;
    return true;
  }

  #readStore(): void {
    const { store } = this.#controller;
    // Nothing was done here to another item, or to its namesake of another vendor.
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
    // Nothing is on its way any more: the edit was taken back, the portal has another value, or another person is here now.
    this.#isTouched &&= (view?.truth ?? view?.writing) !== undefined && view?.on_portal === undefined;
    if (!this.#isTouched || view?.truth === undefined || view.available === undefined) return;
    if (view.truth === before?.truth && view.updated_at === before.updated_at) return;
    this.dispatchEvent(new InventoryReceiptEvent(view.id, view.available, view.truth, view.reason));
  }

  /** Once: a misconfigured element must not flood the console of its page. */
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

/** Two people chose two values, and this person has to choose between them. */
function isConflict(view: ItemView | undefined): boolean {
  return view?.available !== undefined && view.theirs !== undefined && view.truth === 'needs-attention';
}

declare global {
  interface HTMLElementTagNameMap {
    'availability-toggle': AvailabilityToggle;
  }
}

import type { Dictionary } from '../../locales/dictionary.js';
import { LatePart } from '../shared/late-part.js';
import { secretAttribute } from '../shared/secret-attribute.js';
import { FormSwitch } from './form-switch.js';
import type { ItemHost, ItemPart, Shown, TroublePart } from './item-host.js';
import { reflect } from './reflection.js';

const RETRY_MS = 5_000;

const itemPart = new LatePart(async () => (await import('./item-part.js')).ToggleItemPart);
const troublePart = new LatePart<TroublePart>(async () => {
  const [questions, reasons] = await Promise.all([import('./questions.js'), import('../../locales/en-reasons.js')]);
  return { ...questions, ...reasons };
});

/**
 * A switch for the availability of one item. Its line below says what is known of the last change: on this device,
 * received, on the portal, or needs attention. Without `item` it is a plain switch for forms that touches no network.
 *
 * What an item needs, the network with it, is an `ItemPart` and loaded where there is an item. Only a person's action makes
 * an edit: with `item`, a reset, a restored form or `checked` change nothing.
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
 * @csspart choices - The two choices of a value that nobody has told.
 * @csspart status - The line that says what is known of the last change.
 * @csspart conflict - The question where two people chose two values.
 * @csspart question - The question before it goes unavailable.
 * @cssstate checked - On.
 * @cssstate unknown - Neither on nor off: nobody has told.
 * @cssstate on-device - As received, on-portal and needs-attention: what is known of the last change.
 */
export class AvailabilityToggle extends FormSwitch implements ItemHost {
  static override readonly observedAttributes: readonly string[] = [
    ...FormSwitch.observedAttributes,
    ...['item', 'proxy', 'session', 'time-zone'],
  ];

  /** Ask before going unavailable. */
  declare confirm: boolean;
  /** `compact` or `comfortable`. */
  declare density: string | null | undefined;
  /** Id of the item that it edits. */
  declare item: string | null | undefined;
  /** Base URL of the proxy. The drop-in script knows where it came from. */
  declare proxy: string | null | undefined;
  /** URL on the host that answers a POST with an embed token. */
  declare session: string | null | undefined;
  /** IANA name, for the times that it shows. */
  declare timeZone: string | null | undefined;

  #getSession: (() => Promise<string>) | null | undefined;
  #strings: Partial<Dictionary> | null | undefined;
  #quiet = false;
  #hasWarned = false;
  #part: ItemPart | undefined;
  #shown: Shown | undefined;

  constructor() {
    super();
    // What a framework has set before the element was defined would hide the accessors for ever.
    for (const [name, value] of Object.entries(this)) {
      if (!(name in AvailabilityToggle.prototype)) continue;
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#part?.disconnect();
  }

  /** Instead of a URL: a function that resolves to an embed token. */
  get getSession(): (() => Promise<string>) | null | undefined {
    return this.#getSession;
  }

  set getSession(getSession) {
    this.#getSession = getSession;
    this.requestUpdate();
  }

  override get strings(): Partial<Dictionary> | null | undefined {
    return this.#strings;
  }

  override set strings(strings) {
    this.#strings = strings;
    this.requestUpdate();
  }

  /** An element around it tells of the connection's troubles, once for all. */
  get quiet(): boolean {
    return this.#quiet;
  }

  set quiet(quiet: boolean) {
    this.#quiet = quiet;
    this.requestUpdate();
  }

  override get updateComplete(): Promise<void> {
    return this.isRuled && !itemPart.there ? this.#drawn() : super.updateComplete;
  }

  /** What its item needs where something is amiss; where the network has lost it (`null`), the next drawing asks again. */
  get troublePart(): TroublePart | null | undefined {
    return troublePart.ask(() => {
      this.requestUpdate();
    });
  }

  warn(message: string): void {
    if (!this.#hasWarned) console.warn(`<${this.localName}>: ${message}`, this);
    this.#hasWarned = true;
  }

  choose(available: boolean): void {
    if (this.mayMove(available)) this.move(available);
  }

  protected override get isRuled(): boolean {
    return this.hasAttribute('item');
  }

  protected override get isLocked(): boolean {
    return this.isDisabled || (this.isRuled ? this.#shown?.locked !== false : this.#isGivenSecret());
  }

  protected override mayMove(on: boolean): boolean {
    if (!this.confirm || on || this.readonly) return this.#mayTake(on);
    void this.#confirm();
    return false;
  }

  protected override moved(): void {
    this.#part?.take?.();
  }

  override draw(): void {
    const focused = this.renderRoot.activeElement as HTMLElement | null;
    const before = this.#shown;
    if (this.isRuled) this.#shown = this.#drawItem();
    else if (this.#part !== undefined) this.#dropItem();
    if (before !== this.#shown) {
      for (const state of before?.states ?? []) this.setState(state, false);
      for (const state of this.#shown?.states ?? []) this.setState(state, true);
    }
    if (this.isRuled) this.drawValue(this.#shown?.available, this.#shown?.label ?? '');
    else super.draw();
    // A choice that has become a switch or a switch two choices, or "try again" that worked: the keyboard stays.
    if (focused && (focused.hidden || !focused.isConnected)) {
      // What is hidden may have it until the page is drawn, and who has it is not looked into again.
      focused.blur();
      this.focus();
    }
  }

  async #drawn(): Promise<void> {
    await itemPart.load();
    this.requestUpdate();
    await super.updateComplete;
  }

  #mayTake(on: boolean): boolean {
    return !this.readonly && !this.isLocked && (!this.isRuled || this.#part?.ask(on) === true);
  }

  async #confirm(): Promise<void> {
    // Where the network has lost it, the next press asks for it again.
    await troublePart.load();
    const isMeant = await troublePart.there?.askToConfirm(this, { ...this.dictionary, ...this.strings });
    if (isMeant && this.#mayTake(false)) this.move(false);
  }

  #drawItem(): Shown | undefined {
    const { there } = itemPart;
    if (there) return (this.#part ??= new there(this, this.renderRoot)).update();
    void itemPart.load().then(() => {
      if (itemPart.there) this.requestUpdate();
      else setTimeout(() => this.isConnected && this.requestUpdate(), RETRY_MS);
    });
    return undefined;
  }

  #dropItem(): void {
    this.#part?.remove();
    this.#part = undefined;
    this.#shown = undefined;
  }

  #isGivenSecret(): boolean {
    const secret = secretAttribute(this);
    if (secret === undefined) return false;
    void troublePart.load().then(() => {
      const { secretGiven } = { ...troublePart.there?.enReasons, ...this.dictionary, ...this.strings };
      this.warn(secretGiven?.(secret) ?? secret);
    });
    return true;
  }
}

reflect(AvailabilityToggle.prototype, ['confirm'], {
  density: 'density',
  item: 'item',
  proxy: 'proxy',
  session: 'session',
  timeZone: 'time-zone',
});

declare global {
  interface HTMLElementTagNameMap {
    'availability-toggle': AvailabilityToggle;
  }
}

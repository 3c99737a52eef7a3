import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { Dictionary, SwitchTexts } from '../../locales/dictionary.js';
import { enSwitch } from '../../locales/en.js';
import {
  requestDictionary,
  renderWithDictionary,
  followLanguage,
  findLanguage,
  leaveLanguage,
  portalNameOf,
} from '../shared/language.js';
import { NameController, nameOf } from './accessible-name.js';
import { FormControl } from './form-control.js';
import { reflected, setOrRemove } from './reflected.js';
import { ThumbDrag } from './thumb-drag.js';

/**
 * A form-associated switch that behaves as a native checkbox. It renders one, so that the browser handles clicks, labels,
 * keys and `preventDefault()`. Only Enter is handled here: it toggles the switch as Space does.
 *
 * @attr {boolean} checked - Whether a plain switch is on at first and after a reset.
 */
export abstract class SwitchControl extends FormControl {
  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'aria-label', 'aria-labelledby', 'aria-describedby', 'checked', 'lang'];
  }

  @query('input') protected readonly input!: HTMLInputElement | null;

  /** Shows the value and does not let a person change it. */
  @reflected({ type: Boolean }) readonly!: boolean;

  /** Name of the portal in texts, as in "Live on Craftmarket"; without it, "the portal". */
  @reflected({ attribute: 'portal-name' }) portalName!: string | null | undefined;

  /** Texts of the page that replace those of the dictionary. */
  @property({ attribute: false }) strings: Partial<Dictionary> | null | undefined;

  readonly #names = new NameController(this, () => this.accessibleName);
  readonly #drag = new ThumbDrag(
    this,
    () => !this.readonly && !this.isLocked,
    (on) => {
      this.choose(on);
    },
  );
  /** The value of a switch without an item. */
  #checked = false;
  /** The value that is shown. */
  #shown: boolean | undefined = false;
  /** A person or a script has set the value, so the attribute `checked` no longer determines it. */
  #isDirty = false;
  #isRefused = false;
  #formState: 'on' | 'off' = 'off';
  #isDisabled = false;

  constructor() {
    super();
    this.addEventListener('click', this.#onHostClick, true);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    followLanguage(this);
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    leaveLanguage(this);
  }

  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now);
    if (name === 'checked' && !this.#isDirty) this.#setOwnValue(this.defaultChecked);
    if (name === 'value') this.#setFormValue();
    if (name === 'required') this.validate();
    this.requestUpdate();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#isDisabled = isDisabled;
    this.requestUpdate();
  }

  formResetCallback(): void {
    this.#isDirty = false;
    this.#setOwnValue(this.defaultChecked);
  }

  formStateRestoreCallback(state: string): void {
    this.checked = state === 'on';
  }

  /** Whether the switch is on. During a `click` event it has the new value already, as with a native checkbox. */
  @property({ attribute: false })
  get checked(): boolean {
    return this.input?.checked ?? this.#shown === true;
  }

  set checked(checked: boolean) {
    this.#isDirty = true;
    this.#setOwnValue(Boolean(checked));
  }

  /** The value after a form reset: the attribute `checked`. */
  @property({ attribute: false })
  get defaultChecked(): boolean {
    return this.hasAttribute('checked');
  }

  set defaultChecked(checked: boolean) {
    this.toggleAttribute('checked', Boolean(checked));
  }

  /** The value that the form submits while the switch is on. */
  @property()
  get value(): string {
    return this.getAttribute('value') ?? 'on';
  }

  set value(value: string | null | undefined) {
    setOrRemove(this, 'value', value);
  }

  get type(): 'checkbox' {
    return 'checkbox';
  }

  /** Toggles the switch as a person does. Does nothing if the value is unknown, because no switch is shown then. */
  override click(): void {
    if (!this.hasUpdated) this.performUpdate();
    if (!this.isLocked && this.#shown !== undefined) this.input?.click();
  }

  protected get language(): string {
    return findLanguage(this);
  }

  /** The dictionary of the page's language; `undefined` for English, or while it is loading. */
  protected get dictionary(): Dictionary | undefined {
    return requestDictionary(this.language, portalNameOf(this.portalName));
  }

  /** The label of an element without content. */
  protected get fallbackLabel(): string {
    return '';
  }

  protected get accessibleName(): string {
    return nameOf(this) || this.fallbackLabel || this.text('available');
  }

  /** Whether the switch cannot be changed now, because it or a fieldset around it is disabled. */
  protected get isLocked(): boolean {
    return this.#isDisabled;
  }

  /** `undefined`: the value is unknown. */
  protected get currentValue(): boolean | undefined {
    return this.#checked;
  }

  /** Called when a person has toggled the switch. Unless it returns `true`, the switch returns to its value. */
  protected canMove(_on: boolean): boolean {
    return !this.readonly;
  }

  /** Called when a person has toggled the switch and may do so. */
  protected accept(on: boolean): void {
    this.#isDirty = true;
    this.#checked = on;
    this.show(on);
  }

  /** Sets the value and fires the events that the browser fires for a person. */
  protected move(on: boolean): void {
    if (this.input) this.input.checked = on;
    this.accept(on);
    // `CustomEvent`, because MooTools replaces `Event`.
    this.dispatchEvent(new CustomEvent('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new CustomEvent('change', { bubbles: true }));
  }

  /** Sets the value that a person has chosen without a click on the checkbox. */
  protected choose(on: boolean): void {
    if (on !== this.#shown && this.canMove(on)) this.move(on);
  }

  /** As in HTML, a control that cannot be changed does not make its form invalid. */
  protected override get missingText(): string | undefined {
    return this.required && !this.#shown && !this.isLocked ? this.text('required') : undefined;
  }

  protected show(on: boolean | undefined): void {
    if (on !== this.#shown) {
      this.#shown = on;
      // Sets the checkbox only if the value changes: between a press and its `input` event the checkbox already has the
      // next value.
      if (this.input) this.input.checked = on === true;
      this.requestUpdate();
    }
    if (this.#formState !== (on ? 'on' : 'off')) this.#setFormValue();
    this.validate();
  }

  protected text<Key extends keyof SwitchTexts>(key: Key): SwitchTexts[Key] {
    return this.strings?.[key] ?? (this.dictionary ?? enSwitch)[key];
  }

  protected override scheduleUpdate(): Promise<void> | undefined {
    return renderWithDictionary(this, () => {
      try {
        this.performUpdate();
      } catch (error) {
        // Lit would reject `updateComplete`, which few pages observe.
        reportError(error);
      }
    });
  }

  protected override update(changed: PropertyValues): void {
    this.show(this.currentValue);
    super.update(changed);
  }

  protected override firstUpdated(): void {
    if (this.hasAttribute('autofocus') && this.ownerDocument.activeElement === this.ownerDocument.body) this.focus();
  }

  readonly #onHostClick = (event: MouseEvent): void => {
    if (this.#drag.isStray(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    // The click comes from a label of the page or a script. It is replaced by one click of the checkbox, which dispatches
    // its own event.
    if (event.composedPath()[0] !== this) return;
    event.stopImmediatePropagation();
    this.click();
  };

  #onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!event.repeat) this.input?.click();
  }

  #onInput(event: Event): void {
    const input = event.currentTarget as HTMLInputElement;
    const on = input.checked;
    // The edit is made at once, because a listener may update this element, remove it or give it another item.
    this.#isRefused = !this.canMove(on);
    if (!this.#isRefused) {
      this.accept(on);
      return;
    }
    input.checked = !on;
    event.stopPropagation();
  }

  #onChange(): void {
    // The `change` event of the checkbox is not composed and ends at the shadow root.
    if (!this.#isRefused) this.dispatchEvent(new CustomEvent('change', { bubbles: true }));
  }

  #setOwnValue(checked: boolean): void {
    this.#checked = checked;
    this.show(this.currentValue);
  }

  #setFormValue(): void {
    const isOn = this.#shown === true;
    this.#formState = isOn ? 'on' : 'off';
    this.internals.setFormValue(isOn ? this.value : null, this.#formState);
    this.setState('checked', isOn);
  }

  protected renderSwitch(): TemplateResult {
    const isUnknown = this.#shown === undefined;
    const isOn = this.#drag.side ?? this.#shown === true;
    const labels = [this.text('available'), this.text('notAvailable')];
    return html`<input
        id="switch"
        class="switch"
        type="checkbox"
        role="switch"
        part="control"
        aria-labelledby="label"
        aria-readonly=${this.readonly ? 'true' : nothing}
        ?hidden=${isUnknown}
        ?required=${this.required}
        ?disabled=${this.isLocked}
        .checked=${this.#shown === true}
        @input=${this.#onInput}
        @change=${this.#onChange}
        @keydown=${this.#onKeyDown}
        @pointerdown=${this.#drag.onPointerDown}
        @pointermove=${this.#drag.onPointerMove}
        @pointerup=${this.#drag.onPointerUp}
        @lostpointercapture=${this.#drag.onLostPointerCapture}
      /><slot id="label" class="label" part="label" @slotchange=${this.#names.apply}>${this.fallbackLabel}</slot
      ><span class="widest" aria-hidden="true" ?hidden=${isUnknown}
        >${labels.map((label) => html`<span>${label}</span>`)}</span
      ><slot
        class=${isOn ? 'value on' : 'value'}
        part="value"
        aria-hidden="true"
        name=${isOn ? 'on' : 'off'}
        ?hidden=${isUnknown}
        >${labels[isOn ? 0 : 1]}</slot
      >`;
  }
}

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { Dictionary, SwitchTexts } from '../../locales/dictionary.js';
import { enSwitch } from '../../locales/en.js';
import { dictionaryOf, followLanguage, languageOf, leaveLanguage } from '../shared/language.js';
import { nameControl, nameOf } from './accessible-name.js';
import { reflected, setOrRemove } from './reflected.js';

/** Older browsers throw on a custom state whose name does not begin with two dashes. */
const HAS_STATES = 'CSS' in globalThis && CSS.supports('selector(:state(checked))');

/**
 * A form-associated switch that behaves as a native checkbox. It draws one, so that clicks, labels, keys and
 * `preventDefault()` are the browser's work; only Enter is handled here, and moves the switch as Space does.
 *
 * @attr {boolean} checked - Whether a plain switch is on at first and after a reset.
 */
export abstract class FormControl extends LitElement {
  static readonly formAssociated = true;

  static override readonly shadowRootOptions: ShadowRootInit = {
    ...LitElement.shadowRootOptions,
    delegatesFocus: true,
  };

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'aria-label', 'aria-labelledby', 'checked', 'lang'];
  }

  @query('input') protected readonly input!: HTMLInputElement | null;

  /** Takes the switch out of use. */
  @reflected({ type: Boolean }) disabled!: boolean;

  /** Shows a value that cannot be changed. */
  @reflected({ type: Boolean }) readonly!: boolean;

  /** A form is valid only while the switch is on. */
  @reflected({ type: Boolean }) required!: boolean;

  /** Name in a form. */
  @reflected() name!: string | null | undefined;

  /** Own texts in place of those of the dictionary. */
  @property({ attribute: false }) strings: Partial<Dictionary> | null | undefined;

  readonly #internals = this.attachInternals();
  /** The value of a switch without an item. */
  #checked = false;
  /** The value that is shown. */
  #shown: boolean | undefined = false;
  /** A person or a script has set the value, so the attribute `checked` no longer does. */
  #isDirty = false;
  #isRefused = false;
  #formState: 'on' | 'off' = 'off';
  #customMessage = '';
  #isDisabled = false;

  constructor() {
    super();
    this.addEventListener('click', this.#onHostClick, true);
    this.addEventListener('focusin', this.#onNameChange);
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
    if (name === 'required') this.#validate();
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

  /** Whether it is on. Within a `click` it is what the click moves it to, as with a native checkbox. */
  @property({ attribute: false })
  get checked(): boolean {
    return this.input?.checked ?? this.#shown === true;
  }

  set checked(checked: boolean) {
    this.#isDirty = true;
    this.#setOwnValue(Boolean(checked));
  }

  /** The value that a reset brings back: the attribute `checked`. */
  @property({ attribute: false })
  get defaultChecked(): boolean {
    return this.hasAttribute('checked');
  }

  set defaultChecked(checked: boolean) {
    this.toggleAttribute('checked', Boolean(checked));
  }

  /** Its form. React writes the attribute, an id, by this property. */
  @property({ attribute: false })
  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  set form(id: string | null | undefined) {
    setOrRemove(this, 'form', id);
  }

  /** What a form sends while it is on. */
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

  get labels(): NodeList {
    return this.#internals.labels;
  }

  get validity(): ValidityState {
    return this.#internals.validity;
  }

  get validationMessage(): string {
    return this.#internals.validationMessage;
  }

  get willValidate(): boolean {
    return this.#internals.willValidate;
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity();
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity();
  }

  setCustomValidity(message: string): void {
    this.#customMessage = message;
    this.#validate();
  }

  /** Moves the switch as a person does. An unknown value has no switch that could be moved. */
  override click(): void {
    if (!this.hasUpdated) this.performUpdate();
    if (!this.isLocked && this.#shown !== undefined) this.input?.click();
  }

  protected get language(): string {
    return languageOf(this);
  }

  /** The dictionary of another language than English. */
  protected get dictionary(): Dictionary | undefined {
    return dictionaryOf(this.language);
  }

  /** The label where it has no content. */
  protected get fallbackLabel(): string {
    return '';
  }

  protected get accessibleName(): string {
    return nameOf(this) || this.fallbackLabel || this.text('available');
  }

  /** It cannot be moved now: out of use by its own attribute or by a fieldset around it. */
  protected get isLocked(): boolean {
    return this.#isDisabled;
  }

  /** `undefined`: neither on nor off. */
  protected get currentValue(): boolean | undefined {
    return this.#checked;
  }

  /** A person has moved it, and it goes back unless this is true. */
  protected mayMove(_on: boolean): boolean {
    return !this.readonly;
  }

  /** A person has moved it, and may. */
  protected take(on: boolean): void {
    this.#isDirty = true;
    this.#checked = on;
    this.show(on);
  }

  /** Moves it as the browser does for a person. */
  protected move(on: boolean): void {
    if (this.input) this.input.checked = on;
    this.take(on);
    // `CustomEvent`, because MooTools replaces `Event`.
    this.dispatchEvent(new CustomEvent('input', { bubbles: true, composed: true }));
    this.dispatchEvent(new CustomEvent('change', { bubbles: true }));
  }

  protected show(on: boolean | undefined): void {
    if (on !== this.#shown) {
      this.#shown = on;
      // Only where the value changes: between a press and its `input` event the checkbox is ahead of it.
      if (this.input) this.input.checked = on === true;
      this.requestUpdate();
    }
    if (this.#formState !== (on ? 'on' : 'off')) this.#setFormValue();
    this.#validate();
  }

  protected setState(name: string, isOn: boolean): void {
    if (!HAS_STATES) return;
    if (isOn) this.#internals.states.add(name);
    else this.#internals.states.delete(name);
  }

  protected text<Key extends keyof SwitchTexts>(key: Key): SwitchTexts[Key] {
    return this.strings?.[key] ?? (this.dictionary ?? enSwitch)[key];
  }

  protected override scheduleUpdate(): void {
    try {
      this.performUpdate();
    } catch (error) {
      // Lit would reject `updateComplete`, which few pages look at.
      reportError(error);
    }
  }

  protected override update(changed: PropertyValues): void {
    this.show(this.currentValue);
    super.update(changed);
  }

  protected override firstUpdated(): void {
    if (this.hasAttribute('autofocus') && document.activeElement === document.body) this.focus();
  }

  protected override updated(_changed: PropertyValues): void {
    this.#onNameChange();
  }

  readonly #onHostClick = (event: Event): void => {
    // A click on a label of the page or by a script. The checkbox is clicked in its place, once, and says so itself.
    if (event.composedPath()[0] !== this) return;
    event.stopImmediatePropagation();
    this.click();
  };

  /** On focus, too: no event says that a label of the page has changed. */
  readonly #onNameChange = (): void => {
    if (this.input) nameControl(this.input, this, this.accessibleName);
  };

  #onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!event.repeat) this.input?.click();
  }

  #onInput(event: Event): void {
    const input = event.currentTarget as HTMLInputElement;
    const on = input.checked;
    // Asked and taken at once: a listener may update this element, remove it or give it another item.
    this.#isRefused = !this.mayMove(on);
    if (!this.#isRefused) {
      this.take(on);
      return;
    }
    input.checked = !on;
    event.stopPropagation();
  }

  #onChange(): void {
    // The event of the checkbox is not composed and ends at the shadow root.
    if (!this.#isRefused) this.dispatchEvent(new CustomEvent('change', { bubbles: true }));
  }

  #setOwnValue(checked: boolean): void {
    this.#checked = checked;
    this.show(this.currentValue);
  }

  #setFormValue(): void {
    const isOn = this.#shown === true;
    this.#formState = isOn ? 'on' : 'off';
    this.#internals.setFormValue(isOn ? this.value : null, this.#formState);
    this.setState('checked', isOn);
  }

  #validate(): void {
    // As in HTML, a control that cannot be changed does not hold up its form.
    const valueMissing = this.required && !this.#shown && !this.isLocked;
    const message = this.#customMessage || (valueMissing ? this.text('required') : '');
    // No anchor: where the value is unknown, two choices take the place of the switch.
    this.#internals.setValidity({ valueMissing, customError: this.#customMessage !== '' }, message);
  }

  protected renderSwitch(): TemplateResult {
    const isOn = this.#shown === true;
    const isUnknown = this.#shown === undefined;
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
        .checked=${isOn}
        @input=${this.#onInput}
        @change=${this.#onChange}
        @keydown=${this.#onKeyDown}
      /><slot id="label" class="label" part="label" @slotchange=${this.#onNameChange}>${this.fallbackLabel}</slot
      ><slot class="value" part="value" aria-hidden="true" name=${isOn ? 'on' : 'off'} ?hidden=${isUnknown}
        >${this.text(isOn ? 'available' : 'notAvailable')}</slot
      >`;
  }
}

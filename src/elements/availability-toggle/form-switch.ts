import { enSwitch } from '../../locales/en-switch.js';
import type { Dictionary, SwitchTexts } from '../../locales/dictionary.js';
import { dictionaryOf, followLanguage, languageOf, leaveLanguage } from '../shared/language.js';
import { switchStyles } from '../shared/switch.styles.js';
import { tokens } from '../shared/tokens.js';
import { styles } from './availability-toggle.styles.js';
import { drawSoon } from './draw-soon.js';
import { reflect, setOrRemove } from './reflection.js';
import { isLabel, spoken, switchNodes } from './switch-nodes.js';

const SHEETS = [tokens, switchStyles, styles];
const SWITCH = switchNodes();
const HAS_STATES = CSS.supports('selector(:state(checked))');

/**
 * A switch for forms, as a native checkbox is: inside is one, and what a click, a label, a key, `preventDefault()` or a
 * screen reader does with it is the browser's work. Only Enter is ours, and moves the switch as Space does.
 *
 * It is four nodes cloned from one template, without Lit, so that ten thousand of them cost hardly more than the bare
 * platform. Properties that HTML reflects are their attributes; there is no second copy that could differ.
 */
export abstract class FormSwitch extends HTMLElement {
  static readonly formAssociated = true;
  static readonly observedAttributes: readonly string[] =
    'aria-label aria-labelledby checked disabled lang readonly required value'.split(' ');

  /** Out of use. */
  declare disabled: boolean;
  /** Shows the value without letting anybody change it. */
  declare readonly: boolean;
  /** A form goes out only while it is on. */
  declare required: boolean;
  /** Name in a form. */
  declare name: string | null | undefined;

  readonly #internals = this.attachInternals();
  readonly #input: HTMLInputElement;
  readonly #root: ShadowRoot;
  #checked = false;
  /** What is drawn, first as it is cloned: whatever is as it was is not touched. */
  #on: boolean | undefined = false;
  #word = enSwitch.notAvailable;
  #fallback = '';
  #flags = 0;
  /** A person or a script has set it, so the attribute no longer does. */
  #isDirty = false;
  #told: 'on' | 'off' = 'off';
  #customMessage = '';
  #isDisabled = false;
  #isInvalid = false;

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    this.#root.adoptedStyleSheets = SHEETS;
    this.#root.append(SWITCH.cloneNode(true));
    this.#input = this.#root.firstChild as HTMLInputElement;
    this.addEventListener('click', this, true);
    this.#root.addEventListener('keydown', this);
  }

  connectedCallback(): void {
    followLanguage(this);
    this.requestUpdate();
    if (this.hasAttribute('autofocus') && document.activeElement === document.body) this.focus();
  }

  disconnectedCallback(): void {
    leaveLanguage(this);
  }

  attributeChangedCallback(name: string): void {
    if (name === 'checked' && !this.#isDirty) this.#hold(this.defaultChecked);
    if (name === 'value') this.#tellForm(true);
    if (name === 'required') this.#validate();
    this.requestUpdate();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#isDisabled = isDisabled;
    this.#input.disabled = this.isLocked;
    this.requestUpdate();
  }

  formResetCallback(): void {
    this.#isDirty = false;
    this.#hold(this.defaultChecked);
  }

  formStateRestoreCallback(state: string): void {
    this.checked = state === 'on';
  }

  /** Whether it is on. */
  get checked(): boolean {
    return this.#input.checked;
  }

  set checked(checked: boolean) {
    this.#isDirty = true;
    this.#hold(Boolean(checked));
  }

  /** The value that a reset brings back: the attribute `checked`. */
  get defaultChecked(): boolean {
    return this.hasAttribute('checked');
  }

  set defaultChecked(checked: boolean) {
    this.toggleAttribute('checked', Boolean(checked));
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  /** As React writes the attribute. */
  set form(value: string | null | undefined) {
    setOrRemove(this, 'form', value);
  }

  /** What a form sends while it is on. */
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

  /** Moves the switch as a person would. One that is neither on nor off is not drawn, and nobody can move it. */
  override click(): void {
    if (!this.#input.hidden) this.#input.click();
  }

  /** Out of use by its own attribute or by a fieldset around it. */
  get isDisabled(): boolean {
    return this.#isDisabled;
  }

  /** What stands on it, for a person. */
  get labelText(): string {
    return spoken([...this.childNodes].filter(isLabel));
  }

  get language(): string {
    return languageOf(this);
  }

  /** Of another language than English. */
  get dictionary(): Dictionary | undefined {
    return dictionaryOf(this.language);
  }

  /** Resolves when everything that was set until now is drawn. */
  get updateComplete(): Promise<void> {
    return Promise.resolve();
  }

  get renderRoot(): ShadowRoot {
    return this.#root;
  }

  requestUpdate(): void {
    drawSoon(this);
  }

  handleEvent(event: Event): void {
    const [target] = event.composedPath();
    if (event.type === 'click' && target === this) {
      // Of a label, or of a script: the checkbox says it, once, and outside it comes from this element all the same.
      event.stopImmediatePropagation();
      this.click();
    }
    this.#nameIt();
    if (target !== this.#input) return;
    switch (event.type) {
      case 'click':
        // What moves it clicks it first: whoever never does needs no more listeners.
        for (const type of ['input', 'change']) this.#root.addEventListener(type, this);
        return;
      case 'keydown':
        // A native checkbox leaves Enter to the form; a switch is moved by it.
        if ((event as KeyboardEvent).key !== 'Enter') return;
        event.preventDefault();
        if (!(event as KeyboardEvent).repeat) this.#input.click();
        return;
      case 'input': {
        const on = this.#input.checked;
        // Asked and taken at once: whoever is asked may draw this anew, take it away or give it another item.
        if (this.mayMove(on)) return this.#take(on);
        this.#input.checked = !on;
        event.stopPropagation();
        return this.#root.removeEventListener('change', this);
      }
      case 'change':
        this.dispatchEvent(new CustomEvent(event.type, { bubbles: true }));
    }
  }

  /** Own texts over the dictionary's. */
  abstract strings: Partial<Dictionary> | null | undefined;

  /** The switch is not its own: something else says what it shows. */
  protected abstract readonly isRuled: boolean;

  /** Nobody can move it now. */
  protected abstract readonly isLocked: boolean;

  /** A person has moved it, and it goes back unless this is true. */
  protected mayMove(_on: boolean): boolean {
    return !this.readonly;
  }

  protected moved(_on: boolean): void {}

  /** Moves it as the browser does for a person. */
  protected move(on: boolean): void {
    this.#input.checked = on;
    this.#take(on);
    for (const type of ['input', 'change'])
      this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: type === 'input' }));
  }

  protected text<Key extends keyof SwitchTexts>(key: Key): SwitchTexts[Key] {
    return this.strings?.[key] ?? (this.dictionary ?? enSwitch)[key];
  }

  protected setState(name: string, isOn: boolean): void {
    if (!HAS_STATES) return;
    if (isOn) this.#internals.states.add(name);
    else this.#internals.states.delete(name);
  }

  draw(): void {
    this.drawValue(this.#checked, '');
  }

  /** @param on `undefined`: neither on nor off @param fallback a label, where nothing stands on it */
  protected drawValue(on: boolean | undefined, fallback: string): void {
    this.#show(on);
    const flags = Number(this.isLocked) + 2 * Number(this.readonly) + 4 * Number(this.required);
    if (flags !== this.#flags) {
      this.#flags = flags;
      this.#input.disabled = this.isLocked;
      this.#input.ariaReadOnly = this.readonly ? 'true' : null;
      this.#input.required = this.required;
    }
    const label = this.#input.nextSibling as HTMLSlotElement;
    if (fallback !== this.#fallback) label.textContent = this.#fallback = fallback;
    this.#nameIt();
  }

  #take(on: boolean): void {
    if (!this.isRuled) {
      this.#isDirty = true;
      this.#checked = on;
    }
    this.#show(on);
    this.moved(on);
  }

  #hold(checked: boolean): void {
    this.#checked = checked;
    if (!this.isRuled) this.#show(checked);
  }

  #show(on: boolean | undefined): void {
    // Between a press and what it moves, the checkbox is ahead of what is drawn.
    if (on !== this.#on) this.#input.checked = on === true;
    const word = this.text(on === true ? 'available' : 'notAvailable');
    if (on !== this.#on || word !== this.#word) {
      const value = this.#root.childNodes[2] as HTMLSlotElement;
      this.#input.hidden = value.hidden = on === undefined;
      value.textContent = word;
      value.name = on === true ? 'on' : 'off';
      [this.#on, this.#word] = [on, word];
    }
    this.#tellForm();
  }

  #tellForm(isAnew = false): void {
    const state = this.#on ? 'on' : 'off';
    if (state !== this.#told || isAnew) {
      this.#told = state;
      this.#internals.setFormValue(this.#on ? this.value : null, state);
      this.setState('checked', this.#on as boolean);
    }
    this.#validate();
  }

  #validate(): void {
    // As in HTML: what nobody can change holds up no form.
    const valueMissing = this.required && !this.#on && !this.isLocked;
    const isInvalid = valueMissing || this.#customMessage !== '';
    if (!isInvalid && !this.#isInvalid) return;
    this.#isInvalid = isInvalid;
    const message = this.#customMessage || (valueMissing ? this.text('required') : '');
    // At the whole element: where nobody has told a value, two choices stand in place of the switch.
    this.#internals.setValidity({ valueMissing, customError: this.#customMessage !== '' }, message);
  }

  #nameIt(): void {
    const { labelText } = this;
    const others = this.ariaLabelledByElements ?? [];
    // From the second label on: each has a first one. Of a label of the page only the keyboard's coming tells.
    if (!this.#input.ariaLabel) this.#root.addEventListener('slotchange', this);
    if (labelText === '') this.#root.addEventListener('focusin', this);
    const given = this.ariaLabel?.trim() || (labelText === '' && spoken([...this.labels]));
    const name = spoken(others) || given || labelText || this.#fallback || this.text('available');
    setOrRemove(this.#input, 'aria-label', name); // where what is drawn says nothing, and for who cannot follow it
    if (others.length > 0) this.#input.ariaLabelledByElements = others;
    else setOrRemove(this.#input, 'aria-labelledby', given ? undefined : 'label');
  }
}

reflect(FormSwitch.prototype, ['disabled', 'readonly', 'required'], { name: 'name' });

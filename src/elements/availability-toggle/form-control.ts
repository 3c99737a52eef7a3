import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { addStyles, restoreStyles } from '../shared/document-styles.js';
import { reflected, setOrRemove } from './reflected.js';

/** Older browsers throw on a custom state whose name does not begin with two dashes. */
const HAS_STATES = 'CSS' in globalThis && CSS.supports('selector(:state(checked))');

/** What every control of a form has for its page (HTML standard, section 4.10.18), with the names that HTML gives it. */
export abstract class FormControl extends LitElement {
  static readonly formAssociated = true;

  /** Takes the switch out of use. */
  @reflected({ type: Boolean }) disabled!: boolean;

  /** A form is valid only while the switch is on. */
  @reflected({ type: Boolean }) required!: boolean;

  /** Name in a form. */
  @reflected() name!: string | null | undefined;

  protected readonly internals = this.attachInternals();
  #customMessage = '';

  /** The element has come to another document: a frame, a window that was popped out. */
  adoptedCallback(): void {
    restoreStyles(this.shadowRoot);
  }

  protected override createRenderRoot(): ShadowRoot {
    const { shadowRootOptions, elementStyles } = this.constructor as typeof LitElement;
    const root = this.shadowRoot ?? this.attachShadow(shadowRootOptions);
    addStyles(root, elementStyles);
    return root;
  }

  /** Its form. React writes the attribute, an id, by this property. */
  @property({ attribute: false })
  get form(): HTMLFormElement | null {
    return this.internals.form;
  }

  set form(id: string | null | undefined) {
    setOrRemove(this, 'form', id);
  }

  get labels(): NodeList {
    return this.internals.labels;
  }

  get validity(): ValidityState {
    return this.internals.validity;
  }

  get validationMessage(): string {
    return this.internals.validationMessage;
  }

  get willValidate(): boolean {
    return this.internals.willValidate;
  }

  checkValidity(): boolean {
    return this.internals.checkValidity();
  }

  reportValidity(): boolean {
    return this.internals.reportValidity();
  }

  setCustomValidity(message: string): void {
    this.#customMessage = message;
    this.validate();
  }

  /** A value is required, and is missing: why, in words. */
  protected abstract get missingText(): string | undefined;

  protected validate(): void {
    const { missingText } = this;
    const flags = { valueMissing: missingText !== undefined, customError: this.#customMessage !== '' };
    // No anchor: where the value is unknown, two choices take the place of the switch.
    this.internals.setValidity(flags, this.#customMessage || missingText);
  }

  protected setState(name: string, isOn: boolean): void {
    if (!HAS_STATES) return;
    if (isOn) this.internals.states.add(name);
    else this.internals.states.delete(name);
  }
}

import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { addStyles, restoreStyles } from '../shared/document-styles.js';
import { reflected, setOrRemove } from './reflected.js';

/** Older browsers throw on a custom state whose name does not begin with two dashes. */
const HAS_STATES = 'CSS' in globalThis && CSS.supports('selector(:state(checked))');

/** The interface of a form control for its page (HTML standard, section 4.10.18), with the names of HTML. */
export abstract class FormControl extends LitElement {
  static readonly formAssociated = true;

  /** Disables the switch. */
  @reflected({ type: Boolean }) disabled!: boolean;

  /** The form is valid only while the switch is on. */
  @reflected({ type: Boolean }) required!: boolean;

  /** Name of the value in a form. */
  @reflected() name!: string | null | undefined;

  protected readonly internals = this.attachInternals();
  #customMessage = '';

  /** The element was moved into another document, such as a frame or a popped-out window. */
  adoptedCallback(): void {
    restoreStyles(this.shadowRoot);
  }

  protected override createRenderRoot(): ShadowRoot {
    const { shadowRootOptions, elementStyles } = this.constructor as typeof LitElement;
    const root = this.shadowRoot ?? this.attachShadow(shadowRootOptions);
    addStyles(root, elementStyles);
    return root;
  }

  /** The form of the element. React sets the attribute, which is an id, through this property. */
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

  /** The message for a required value that is missing; `undefined` if none is missing. */
  protected abstract get missingText(): string | undefined;

  protected validate(): void {
    const { missingText } = this;
    const flags = { valueMissing: missingText !== undefined, customError: this.#customMessage !== '' };
    // The message gets no anchor, because two choices replace the switch while the value is unknown.
    this.internals.setValidity(flags, this.#customMessage || missingText);
  }

  protected setState(name: string, isOn: boolean): void {
    if (!HAS_STATES) return;
    if (isOn) this.internals.states.add(name);
    else this.internals.states.delete(name);
  }
}

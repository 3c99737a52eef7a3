import { html, nothing, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import type { Dictionary } from '../../locales/dictionary.js';

export type SignOutChoice = 'send' | 'delete' | 'stay';

/** Asks a person who signs out what becomes of the edits that could not leave this device. Leaving unanswered is staying. */
export class SignOutQuestion implements ReactiveController {
  readonly #host: LitElement;
  #unsent = 0;
  #answer: ((choice: SignOutChoice) => void) | undefined;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  ask(unsent: number): Promise<SignOutChoice> {
    this.#choose('stay');
    this.#unsent = unsent;
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#host.requestUpdate();
    });
  }

  hostUpdated(): void {
    const dialog = this.#host.renderRoot.querySelector('dialog');
    if (dialog !== null && !dialog.open) dialog.showModal();
  }

  hostDisconnected(): void {
    this.#choose('stay');
  }

  render(text: Dictionary): TemplateResult | typeof nothing {
    if (this.#answer === undefined) return nothing;
    const choice = (name: SignOutChoice, label: string): TemplateResult =>
      html`<button
        type="button"
        class="again"
        @click=${() => {
          this.#choose(name);
        }}
      >
        ${label}
      </button>`;
    return html`<dialog
      part="question"
      aria-labelledby="question"
      @close=${() => {
        this.#choose('stay');
      }}
    >
      <p id="question">${text.signOutUnsent(this.#unsent)}</p>
      <div class="choices">
        ${choice('send', text.signOutSend)}${choice('delete', text.signOutDelete)}${choice('stay', text.signOutStay)}
      </div>
    </dialog>`;
  }

  #choose(choice: SignOutChoice): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(choice);
    this.#host.requestUpdate();
  }
}

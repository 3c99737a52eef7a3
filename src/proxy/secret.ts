const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A value that prints as `[redacted]` wherever it is logged, inspected or serialised by mistake. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Only for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }

  /** Of what somebody else wrote: as it is, and as a form has it, which may be said back as it was sent. */
  takenOutOf(text: string): string {
    const inForm = new URLSearchParams({ '': this.#value }).toString().slice(1);
    return text.replaceAll(this.#value, '[redacted]').replaceAll(inForm, '[redacted]');
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [INSPECT](): string {
    return '[redacted]';
  }
}

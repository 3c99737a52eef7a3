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

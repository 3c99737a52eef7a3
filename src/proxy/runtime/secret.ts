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

  /** Of what somebody else wrote, who may say it back as it was sent, or quoted once more. */
  redactFrom(text: string): string {
    return encodingsOf(this.#value).reduce((rest, written) => rest.replaceAll(written, '[redacted]'), text);
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

export function redactSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((rest, secret) => secret.redactFrom(rest), text);
}

/** As it is, as a form has it, and as JSON: of most, of PHP, and of those who escape all that means something in a page. */
function encodingsOf(value: string): readonly string[] {
  const inForm = new URLSearchParams({ '': value }).toString().slice(1);
  const inJson = JSON.stringify(value).slice(1, -1);
  const inAscii = inJson.replace(/[^\x20-\x7e]/g, escaped);
  const forPages = inAscii.replace(/\\"|[&'+<>`]/g, (found) => escaped(found.slice(-1)));
  const inJsonOfMany = [inJson, inAscii, forPages].flatMap((json) => [json, json.replaceAll('/', '\\/')]);
  const inAnyCase = inJsonOfMany.flatMap((json) => [json, json.replace(/\\u[0-9a-f]{4}/g, upperCase)]);
  return [...new Set([value, inForm, inForm.replaceAll('+', '%20'), ...inAnyCase])];
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function upperCase(escape: string): string {
  return `\\u${escape.slice(2).toUpperCase()}`;
}

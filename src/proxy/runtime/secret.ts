const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A value that prints as `[redacted]` wherever it is logged, inspected or serialised by mistake. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Only for the one call that sends the value. */
  reveal(): string {
    return this.#value;
  }

  /** Removes the value from text of the portal, which may echo it as it was sent or encoded. */
  redactFrom(text: string): string {
    return listEncodings(this.#value).reduce((rest, encoding) => rest.replaceAll(encoding, '[redacted]'), text);
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

/**
 * The value as it is, as a form field, and as JSON: plain, in ASCII only, with the characters escaped that are special in
 * HTML, each with and without the escaped slashes of PHP and with hexadecimal digits in both cases.
 */
function listEncodings(value: string): readonly string[] {
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  const plainJson = JSON.stringify(value).slice(1, -1);
  const asciiJson = plainJson.replace(/[^\x20-\x7e]/g, toUnicodeEscape);
  const htmlSafeJson = asciiJson.replace(/\\"|[&'+<>`]/g, (found) => toUnicodeEscape(found.slice(-1)));
  const jsonBySlash = [plainJson, asciiJson, htmlSafeJson].flatMap((json) => [json, json.replaceAll('/', '\\/')]);
  const jsonByCase = jsonBySlash.flatMap((json) => [json, json.replace(/\\u[0-9a-f]{4}/g, upperCaseEscape)]);
  return [...new Set([value, form, form.replaceAll('+', '%20'), ...jsonByCase])];
}

function toUnicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function upperCaseEscape(escape: string): string {
  return `\\u${escape.slice(2).toUpperCase()}`;
}

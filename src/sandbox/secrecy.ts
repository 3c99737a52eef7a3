import { TOKEN_PREFIX } from './tokens.js';

export type Conceal = (text: string) => string;

const CONCEALED = '[concealed]';

// One journal entry must not be as large as a sender likes.
const MAX_TEXT_LENGTH = 500;

/**
 * Makes the function that every text which a sender chose freely (path, header names, field names) passes before it is
 * remembered: a client may send its secret in any of them by mistake, and the journal must not be the place that
 * publishes it. Case is ignored because header names arrive in lower case. What is longer than 500 characters is cut.
 * Item ids do not pass here: they are the data that the oracle exists to witness, and are kept exactly as they came.
 */
export function createConcealment(clientSecret: string): Conceal {
  const secrets = new RegExp(`${escapePattern(clientSecret)}|${TOKEN_PREFIX}[\\w-]+`, 'giu');
  return (text) => {
    const concealed = text.replace(secrets, CONCEALED);
    const decoded = decodePercent(concealed);
    const shown = decoded.search(secrets) === -1 ? concealed : decoded.replace(secrets, CONCEALED);
    return shown.length > MAX_TEXT_LENGTH ? `${shown.slice(0, MAX_TEXT_LENGTH)}…` : shown;
  };
}

/**
 * Compares in a time that depends on `given` alone, so that answering times tell nothing about the secret.
 *
 * @param expected must not be empty
 */
export function equalsInConstantTime(given: string, expected: string): boolean {
  const encoder = new TextEncoder();
  const givenBytes = encoder.encode(given);
  const expectedBytes = encoder.encode(expected);
  let difference = givenBytes.length ^ expectedBytes.length;
  givenBytes.forEach((byte, index) => {
    difference |= byte ^ (expectedBytes[index % expectedBytes.length] ?? 0);
  });
  return difference === 0;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

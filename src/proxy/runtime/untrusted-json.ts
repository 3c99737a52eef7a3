/** Deeper than any useful document. Parsing takes about 40 bytes for each level (measured with Node.js 22). */
export const MAX_JSON_DEPTH = 100;

/** Parses JSON from outside; its reader limits the size. @returns `undefined` if it is not JSON or is nested too deep */
export function parseUntrustedJson(text: string): unknown {
  if (scanBrackets(text).isTooDeep) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the text ends inside an array or an object, as truncated JSON does. */
export function isIncomplete(text: string): boolean {
  return scanBrackets(text).endsInside;
}

/** Counts brackets outside of strings. For text that is not JSON the result means nothing, and parsing rejects the text. */
function scanBrackets(text: string): { readonly isTooDeep: boolean; readonly endsInside: boolean } {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '\\':
        at += 1;
        break;
      case '"':
        quoted = !quoted;
        break;
      case '[':
      case '{':
        if (!quoted && (depth += 1) > MAX_JSON_DEPTH) return { isTooDeep: true, endsInside: true };
        break;
      case ']':
      case '}':
        if (!quoted) depth -= 1;
        break;
    }
  }
  return { isTooDeep: false, endsInside: depth > 0 };
}

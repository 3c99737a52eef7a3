/** Deeper than any answer that means something; parsing takes some 40 bytes for each level (measured with Node.js 22). */
export const MAX_JSON_DEPTH = 100;

/** JSON from outside, of any size that its reader admits. @returns `undefined` where it is not JSON, or nested too deep */
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

/** Counts brackets outside of strings. Of text that is no JSON it may say anything: parsing will tell. */
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

/** Deeper than any answer that means something; parsing takes some 40 bytes for each level (measured with Node.js 22). */
export const MOST_DEPTH = 100;

/** JSON that somebody else wrote, of any size that its reader lets in. `undefined`: it is none, or nested too deep. */
export function parseForeignJson(text: string): unknown {
  if (walk(text).isTooDeep) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether it ends before what it began, as JSON does that was cut somewhere. */
export function endsInside(text: string): boolean {
  return walk(text).endsInside;
}

/** Counts brackets outside of strings. Of text that is no JSON it may say anything: parsing will tell. */
function walk(text: string): { readonly isTooDeep: boolean; readonly endsInside: boolean } {
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
        if (!quoted && (depth += 1) > MOST_DEPTH) return { isTooDeep: true, endsInside: true };
        break;
      case ']':
      case '}':
        if (!quoted) depth -= 1;
        break;
    }
  }
  return { isTooDeep: false, endsInside: depth > 0 };
}

/** A text of at least four bytes to look for: four of them at a time, of which the last overlap with those before. */
export interface Word {
  readonly length: number;
  readonly fours: Int32Array;
}

/** @param text of ASCII */
export function wordOf(text: string): Word {
  const view = new DataView(new TextEncoder().encode(text).buffer);
  const fours: number[] = [];
  for (let at = 0; at + 4 < text.length; at += 4) fours.push(view.getInt32(at));
  fours.push(view.getInt32(text.length - 4));
  return { length: text.length, fours: Int32Array.from(fours) };
}

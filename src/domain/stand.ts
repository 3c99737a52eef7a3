/** A value in two bits. As a wish, `NONE` is no wish; as a value, nobody has told us. */
export type Code = 0 | 1 | 2;
export const NONE = 0;
export const OFF = 1;
export const ON = 2;

/** The store's value in the lowest two bits, the wish in the next two: all that a step has to remember of a row. */
export type Stand = number;
export const STAND = 15;

export function valueIn(stand: Stand): Code {
  return (stand & 3) as Code;
}

export function wishIn(stand: Stand): Code {
  return ((stand >> 2) & 3) as Code;
}

/** What the person sees: the wish, else the value. */
export function shownIn(stand: Stand): Code {
  return wishIn(stand) === NONE ? valueIn(stand) : wishIn(stand);
}

/** Whether a wish differs from the store's value: only then it is shown as one, and sent. */
export function isChanged(stand: Stand): boolean {
  return wishIn(stand) !== NONE && wishIn(stand) !== valueIn(stand);
}

export function codeOf(available: unknown): Code {
  return available === true ? ON : available === false ? OFF : NONE;
}

export function availableOf(code: Code): boolean | undefined {
  return code === NONE ? undefined : code === ON;
}

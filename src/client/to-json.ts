/**
 * `JSON.stringify` for plain data on a page whose scripts extend the language. Prototype.js and others add a `toJSON`
 * to arrays, which turns each array into a string. Here only an object's own fields count.
 */
export function toJson(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((part: unknown) => (part === undefined ? 'null' : toJson(part))).join()}]`;
  // `JSON.stringify` calls `toJSON` on objects only.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJson(field)}`).join()}}`;
}

/**
 * The checks of what reaches the page, at a tenth of the schemas' weight and time: a page of 100,000 items is checked while
 * a person waits. The schemas say what is right, and a property test proves that these say the same.
 *
 * Like the schemas of answers they are lenient: a page may be older than its proxy, so an unknown field is no mistake.
 */
export type Check<T> = ((value: unknown) => Fault | undefined) & { readonly accepts?: T };

/** Where (RFC 6901 pointer), and what is expected there; never what stands there. */
export type Fault = `${string}: expected ${string}`;

export function accepts<T>(check: Check<T>, value: unknown): value is T {
  return check(value) === undefined;
}

export function expect<T>(what: string, is: (value: unknown) => boolean): Check<T> {
  return (value) => (is(value) ? undefined : `: expected ${what}`);
}

export function object<T extends object>(fields: { readonly [Key in keyof T]-?: Check<T[Key]> }): Check<T> {
  const checks = Object.entries<Check<unknown>>(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ': expected object';
    for (const [name, check] of checks) {
      const fault = check((value as Record<string, unknown>)[name]);
      if (fault !== undefined) return `/${name}${fault}`;
    }
    return undefined;
  };
}

export function list<T>(check: Check<T>): Check<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return ': expected array';
    for (let at = 0; at < value.length; at += 1) {
      const fault = check(value[at]);
      if (fault !== undefined) return `/${String(at)}${fault}`;
    }
    return undefined;
  };
}

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value) => (value === undefined ? undefined : check(value));
}

export const text = expect<string>('string', (value) => typeof value === 'string');
export const flag = expect<boolean>('boolean', (value) => typeof value === 'boolean');
export const count = expect<number>('number', Number.isFinite);

/** RFC 6901. `undefined` where the pointer leads nowhere; own properties only. */
export function pointAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let here = value;
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

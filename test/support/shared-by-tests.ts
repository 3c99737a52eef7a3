import { after, before } from 'node:test';

/**
 * Starts what the tests of the enclosing `describe` share before them, and ends it after them.
 *
 * @returns a function that returns the started value; a `before` of the same `describe` may call it too
 */
export function sharedByTests<T>(start: () => Promise<T>, end: (started: T) => Promise<unknown>): () => T {
  let started: { readonly value: T } | undefined;

  before(async () => {
    started = { value: await start() };
  });

  after(async () => {
    if (started !== undefined) await end(started.value);
  });

  return () => {
    if (started === undefined) throw new Error('This is started before the first test.');
    return started.value;
  };
}

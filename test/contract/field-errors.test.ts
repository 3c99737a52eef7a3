import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import { fieldErrors, MAX_FIELD_ERRORS } from '../../src/contract/validation-errors.js';

const schema = z.strictObject({
  'a/b': z.optional(z.array(z.strictObject({ 'c~d': z.boolean() }))),
  size: z.optional(z.int().check(z.positive(), z.maximum(9))),
  list: z.optional(z.array(z.number()).check(z.minLength(1))),
  mode: z.optional(z.enum(['slow', 'fast'])),
  word: z.optional(z.string().check(z.regex(/^[a-z]+$/, 'small letters'))),
});

describe('the errors of a body', () => {
  const faults: readonly (readonly [body: unknown, pointer: string, message: string])[] = [
    [7, '', 'expected object'],
    [{ colour: 'red' }, '/colour', 'unknown field'],
    [{ 'a/b': [{ 'c~d': 1 }] }, '/a~1b/0/c~0d', 'expected boolean'],
    [{ 'a/b': [{ 'c~d': true, '~/': 1 }] }, '/a~1b/0/~0~1', 'unknown field'],
    [{ size: 0 }, '/size', 'expected more than 0'],
    [{ size: 10 }, '/size', 'expected at most 9'],
    [{ list: [] }, '/list', 'expected at least 1'],
    [{ mode: 'idle' }, '/mode', 'expected slow or fast'],
    [{ word: 'A' }, '/word', 'small letters'],
  ];

  for (const [body, pointer, message] of faults) {
    it(`of ${JSON.stringify(body)} are: ${pointer} ${message}`, () => {
      assert.deepEqual(errorsOf(body), [{ pointer, message }]);
    });
  }

  it('are listed for each unknown field, up to twenty', () => {
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field-${at}`, 1]));

    const pointers = errorsOf(fields).map(({ pointer }) => pointer);

    assert.equal(MAX_FIELD_ERRORS, 20);
    assert.deepEqual(
      pointers,
      Object.keys(fields)
        .slice(0, 20)
        .map((name) => `/${name}`),
    );
  });

  it('contain no value of the body', () => {
    const errors = errorsOf({ size: 'canary', mode: 'canary', word: 'CANARY', list: 'canary' });

    assert.equal(errors.length, 4);
    assert.doesNotMatch(JSON.stringify(errors), /canary/i);
  });
});

function errorsOf(body: unknown): ReturnType<typeof fieldErrors> {
  const { error } = schema.safeParse(body);
  return error === undefined ? [] : fieldErrors(error);
}

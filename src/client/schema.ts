import * as z from 'zod/mini';
import { fieldErrors } from '../contract/validation-errors.js';

// Pages forbid `eval`: zod never compiles a schema, and never tries whether it could.
z.config({ jitless: true });

/** @returns where a value breaks its schema (RFC 6901 pointer) and what is expected there, never what stands there */
export function faultOf(schema: z.ZodMiniType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  const [first] = error === undefined ? [] : fieldErrors(error);
  return first && `${first.pointer}: expected ${first.message.replace(/^expected /, '')}`;
}

/** Whether a value is what its schema says; the value itself stays as it is. */
export function accepts<T>(schema: z.ZodMiniType<T>, value: unknown): value is T {
  return schema.safeParse(value).success;
}

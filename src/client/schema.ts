import * as z from 'zod/mini';
import { fieldErrors } from '../contract/validation-errors.js';

// Pages may forbid `eval`, so zod must not compile schemas or test whether it could.
z.config({ jitless: true });

/** @returns where a value violates its schema (RFC 6901 pointer) and what is expected there, never the value itself */
export function faultOf(schema: z.ZodMiniType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  const [first] = error === undefined ? [] : fieldErrors(error);
  return first && `${first.pointer}: expected ${first.message.replace(/^expected /, '')}`;
}

/** Whether a value matches its schema. The value itself is not changed. */
export function accepts<T>(schema: z.ZodMiniType<T>, value: unknown): value is T {
  return schema.safeParse(value).success;
}

import type * as z from 'zod/mini';

/** Where in a body something is wrong (RFC 6901 pointer) and what is expected there. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** An answer names no more: a body of nothing but faults must not make a body of nothing but errors. */
export const MAX_FIELD_ERRORS = 20;

/**
 * What a schema found wrong, in words of our own: zod/mini brings none. Values of the body are never repeated, field
 * names are.
 */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap(errorsOf).slice(0, MAX_FIELD_ERRORS);
}

/** The same for the author of settings, one line for each. @param what holds them */
export function faultLines(what: string, error: z.core.$ZodError): string[] {
  return fieldErrors(error).map(({ pointer, message }) => `${what}${pointer && ` at ${pointer}`}: ${message}`);
}

function errorsOf(issue: z.core.$ZodIssue): FieldError[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), message: 'unknown field' }));
    case 'invalid_type':
      return [{ pointer: pointerTo(issue.path), message: `expected ${issue.expected}` }];
    case 'invalid_value':
      return [{ pointer: pointerTo(issue.path), message: `expected ${issue.values.map(String).join(' or ')}` }];
    case 'invalid_key':
      return issue.issues.flatMap(errorsOf).map(({ message }) => ({ pointer: pointerTo(issue.path), message }));
    case 'too_small':
      return [
        {
          pointer: pointerTo(issue.path),
          message: `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`,
        },
      ];
    case 'too_big':
      return [{ pointer: pointerTo(issue.path), message: `expected at most ${issue.maximum}` }];
    default:
      return [{ pointer: pointerTo(issue.path), message: issue.message }];
  }
}

/** RFC 6901. */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

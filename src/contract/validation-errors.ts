import type * as z from 'zod/mini';

/** Where in a body an error is (RFC 6901 pointer), and what is expected there. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** Largest number of errors in one response, so that a body full of faults does not cause a huge response. */
export const MAX_FIELD_ERRORS = 20;

/**
 * The errors that a schema found, with our own messages, because zod/mini has none. They quote field names but never values
 * of the body.
 */
export function fieldErrors(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap(errorsOf).slice(0, MAX_FIELD_ERRORS);
}

/** The same for the author of settings, as one line per error. @param what the setting or file that has the error */
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

/** Builds a JSON pointer (RFC 6901). */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

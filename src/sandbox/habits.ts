import * as z from 'zod/mini';

/**
 * How this portal does what the portal's document leaves open: which one of the portals that it might be this one plays.
 * The defaults are those of the proxy's profile, and each other habit has a setting there. As with faults, the set is
 * replaced as a whole, and a field that is absent is as usual.
 */
export const habits = z.strictObject({
  /** How the token request's fields come (the document shows JSON; RFC 6749 has a form). */
  token_body: z._default(z.enum(['json', 'form']), 'json'),
  /** Where the token is shown with an update, and what stands before it. */
  token_header: z._default(z.string().check(z.regex(/^[A-Za-z0-9-]{1,100}$/, 'a header name')), 'Authorization'),
  token_prefix: z._default(z.string().check(z.regex(/^[\x20-\x7e]{0,100}$/, 'visible ASCII')), 'Bearer '),
  update_method: z._default(z.enum(['POST', 'PUT', 'PATCH']), 'POST'),
  /** `{vendor}` stands for one segment, whatever is in it: the sandbox knows no vendors. */
  update_path: z._default(
    z.string().check(z.regex(/^\/(?!sandbox(?:\/|$))[\w./{}-]{1,200}$/, 'a path outside /sandbox, {vendor} allowed')),
    '/v1/inventory',
  ),
  /** `all`: one bad item, and nothing of the update is applied. `each`: 207 with a result for each item. */
  results: z._default(z.enum(['all', 'each']), 'all'),
  /**
   * `problem`: RFC 9457, and RFC 6749 of a token request. `error_message`: `{error, errorMessage}`. `in_success`: 200 to
   * everything, and `{success, code, message}` says what became of it.
   */
  errors: z._default(z.enum(['problem', 'error_message', 'in_success']), 'problem'),
});
export type Habits = z.infer<typeof habits>;

export const USUAL_HABITS: Habits = habits.parse({});

/** Whether this is the address of updates; the method is another question. */
export function isUpdatePath(path: string, { update_path }: Habits): boolean {
  const parts = update_path.split('{vendor}').map((part) => part.replace(/[.{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`).test(path);
}

/** The token that a request shows, whoever issued it; `undefined` where it shows none. */
export function shownToken(headers: Headers, { token_header, token_prefix }: Habits): string | undefined {
  // fetch takes the blanks off both ends of a header's value.
  const value = headers.get(token_header) ?? '';
  // A scheme in any case (RFC 9110, section 11.1), and as many blanks after it as there are.
  if (!value.toLowerCase().startsWith(token_prefix.toLowerCase())) return undefined;
  return /^ *([\w.~+/-]+=*)$/.exec(value.slice(token_prefix.length))?.[1];
}

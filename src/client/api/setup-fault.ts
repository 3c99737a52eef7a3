import type { ApiError } from './api-error.js';
import { isAnswering } from './http.js';

/**
 * A mistake in the setup of the page. The console names it once: what is wrong, what the page received, what it expected, the
 * attribute or setting, and the section that explains it. This module loads with the first failure, and not after a call has
 * succeeded. The person at the page reads another text, which the elements choose by the code of the failure.
 */
interface SetupFault {
  readonly wrong: string;
  readonly expected: string;
  /** Section of src/troubleshooting.md. */
  readonly section: string;
}

const PROBE_TIMEOUT_MS = 5_000;
/**
 * The wait for the report of a policy violation: the browser dispatches it in a separate task, at about the time of the
 * failure.
 */
const REPORT_MS = 200;

const reported = new Set<string>();

/**
 * Finds out why no call has succeeded yet.
 *
 * @param base URL of the proxy, without a slash at its end
 * @param token the token that the proxy refused, if it refused one
 * @returns the code of a fault that keeps all responses of the proxy from the page, if there is one
 */
export async function findSetupFault(failure: ApiError, base: string, token?: string): Promise<string | undefined> {
  const obstacle = failure.code === 'unreachable' ? await findObstacle(base) : undefined;
  const code = obstacle ?? failure.code;
  const fault = faultOf(code, base);
  if (fault === undefined) return obstacle;
  const { wrong, expected, section } = fault;
  const claims = code === 'token_refused' ? describeClaims(token) : '';
  const id = failure.requestId === undefined ? '' : ` (request_id ${failure.requestId} in the proxy's log)`;
  const kind = `${code} ${failure.message}`;
  if (reported.has(kind)) return obstacle;
  reported.add(kind);
  console.warn(
    `vendor-inventory-widget: ${wrong} Came: ${failure.message}${claims}${id}. Expected: ${expected} See troubleshooting.md#${section}`,
  );
  return obstacle;
}

function faultOf(code: string, base: string): SetupFault | undefined {
  const { origin } = location;
  switch (code) {
    case 'session_refused':
      return {
        wrong: 'No person is signed in.',
        expected:
          'for a person who is signed in, the session URL answers 200 with {"token": "…"} and no redirect, or getSession gives a token.',
        section: 'you-are-signed-out',
      };
    case 'token_refused':
      return {
        wrong: "The proxy refuses this page's token.",
        expected: `claims that fit SESSION_ISSUER, SESSION_AUDIENCE and the origin ${origin}, signed by the key of SESSION_SECRET_FILE or SESSION_JWKS. The proxy's log says which: "embed token refused"; with DEBUG_SESSIONS=on its answer does, too.`,
        section: 'this-page-is-not-set-up-correctly',
      };
    case 'session_missing':
      return {
        wrong: 'The elements have no session.',
        expected: `the attribute session or the property getSession, because this page (${origin}) sends no cookies to ${base}.`,
        section: 'this-page-is-not-set-up-correctly',
      };
    case 'session_unreadable':
      return {
        wrong: 'The host does not give a token.',
        expected:
          'the address in the attribute session answers a POST with 200 and the JSON {"token": "…"}; getSession gives the token as a text.',
        section: 'this-page-is-not-set-up-correctly',
      };
    case 'session_unreachable':
      return {
        wrong: 'The host cannot be asked for a token.',
        expected:
          "the attribute session names an address of the host that answers, and the page's policy allows it (connect-src 'self').",
        section: 'your-sign-in-cannot-be-checked-right-now',
      };
    case 'origin_refused':
      return {
        wrong: 'The proxy does not allow this page.',
        expected: `ALLOWED_ORIGINS of the proxy lists ${origin}, or PUBLIC_URL has this origin.`,
        section: 'this-page-may-not-show-your-items',
      };
    case 'page_blocked':
      return {
        wrong: "This page's content security policy blocks the proxy.",
        expected: `connect-src lists ${new URL(base, location.href).origin}.`,
        section: 'this-page-is-not-set-up-correctly',
      };
    case 'permission_missing':
      return {
        wrong: 'The session lacks a permission.',
        expected: 'the claim permissions contains view, and edit for changes.',
        section: 'you-may-not-see-these-items',
      };
    case 'unreachable':
      return {
        wrong: 'The proxy cannot be reached.',
        expected: `a proxy that answers at ${base}, which the attribute proxy or the address of the script names.`,
        section: 'no-connection',
      };
    default:
      return isFromOtherServer(code)
        ? {
            wrong: 'Something else than the proxy answers.',
            expected: `a proxy at ${base}, which the attribute proxy or the address of the script names.`,
            section: 'no-connection',
          }
        : undefined;
  }
}

/**
 * Whether another server than the proxy has responded: without JSON, or with an error that is no problem of the proxy.
 */
function isFromOtherServer(code: string): boolean {
  return code === 'unreadable' || code.startsWith('http_');
}

/**
 * Browsers do not report why a call failed. The proxy lets every page load its script, so if that works and the calls
 * fail, the proxy does not list the page's origin.
 */
async function findObstacle(base: string): Promise<'origin_refused' | 'page_blocked' | undefined> {
  const proxy = new URL(base, location.href).origin;
  let isBlocked = false;
  const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    isBlocked ||= effectiveDirective === 'connect-src' && blockedURI.startsWith(proxy);
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  const isReachable = await isAnswering(`${base}/widget.js`, PROBE_TIMEOUT_MS);
  if (!isReachable) await new Promise((resolve) => setTimeout(resolve, REPORT_MS));
  document.removeEventListener('securitypolicyviolation', onViolation);
  if (isBlocked) return 'page_blocked';
  return isReachable && proxy !== location.origin ? 'origin_refused' : undefined;
}

/** The claims of a token without its signature, for the warning. */
function describeClaims(token: string | undefined): string {
  try {
    const payload = (token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { iss, aud, origin, permissions, iat, exp } = JSON.parse(atob(payload)) as Record<string, unknown>;
    return `; the token says ${JSON.stringify({ iss, aud, origin, permissions, iat, exp })}`;
  } catch {
    return token === undefined ? '' : '; the token is no JWT';
  }
}

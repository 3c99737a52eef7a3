import { REQUESTED_WITH, WIDGET } from '../../contract/fields.js';
import type { ProblemCode } from '../../contract/problem.js';
import type { Log } from '../runtime/log.js';
import { isExactOrigin } from '../runtime/address-rules.js';
import { ApiError } from './problem-response.js';

/**
 * The options of the checks that run before every `/v1` route, so that no route can omit one (T2 and T3 of
 * `test/security/threats.ts`). A request without a required header is rejected. There are no exceptions.
 */
export interface CsrfGuardOptions {
  /** Exact origins of host pages, without a path. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly publicOrigin: string;
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** Without an Origin the problem is not `ALLOWED_ORIGINS` but the client, usually a request written by hand. */
const MISSING_ORIGIN = 'The request has no Origin header. Send one, as browsers do: the origin of the page that asks.';

/** @returns the error of the first check that the request fails */
export function checkCsrf(request: Request, options: CsrfGuardOptions): ApiError | undefined {
  const code = failedCheck(request, options);
  if (code === undefined) return undefined;
  const isUnnamed = code === 'origin_refused' && !request.headers.has('Origin');
  return new ApiError(code, undefined, undefined, isUnnamed ? MISSING_ORIGIN : undefined);
}

function failedCheck(request: Request, options: CsrfGuardOptions): ProblemCode | undefined {
  // A repeated Host makes a gateway and this server see different hosts (RFC 9112, section 3.2).
  if (request.headers.get('Host')?.includes(',') === true) return 'host_repeated';
  const origin = request.headers.get('Origin');
  if (origin !== null && !isListed(origin, options)) return 'origin_refused';
  const site = request.headers.get('Sec-Fetch-Site');
  // A link, frame or image of another site's page. Cross-origin requests of the elements have an Origin.
  if (origin === null && site !== null && site !== 'same-origin' && site !== 'none') return 'origin_refused';
  if (SAFE_METHODS.has(request.method)) return undefined;
  if (origin === null) return 'origin_refused';
  // `Sec-Fetch-Site` (Fetch Metadata) must not contradict the Origin.
  if (site === 'none' || (site === 'cross-site' && !options.allowedOrigins.has(origin))) return 'origin_refused';
  if (request.headers.get(REQUESTED_WITH) !== WIDGET) return 'header_required';
  if (!/^application\/json(?:\s*;|$)/i.test(request.headers.get('Content-Type') ?? '')) return 'json_required';
  return undefined;
}

/** CORS (Fetch standard) for exactly the listed origins. `app.ts` adds `Vary: Origin`. */
export function corsHeaders(request: Request, options: CsrfGuardOptions): Record<string, string> {
  const origin = request.headers.get('Origin');
  if (origin === null || !isListed(origin, options)) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Preference-Applied, Retry-After, X-Request-Id',
  };
}

/** @returns the origin of the request if it has one that is not listed */
export function findUnlistedOrigin(request: Request, options: CsrfGuardOptions): string | undefined {
  const origin = request.headers.get('Origin');
  return origin === null || isListed(origin, options) ? undefined : origin;
}

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, Inventory-Person, Last-Event-ID, Prefer, X-Requested-With',
  'Access-Control-Max-Age': '7200',
} as const;

/** A preflight has no session. The response permits methods and headers to listed origins only. */
export function preflightResponse(request: Request, options: CsrfGuardOptions): Response {
  const origin = request.headers.get('Origin');
  const isKnown = origin !== null && isListed(origin, options);
  return new Response(null, { status: 204, headers: isKnown ? PREFLIGHT_HEADERS : {} });
}

function isListed(origin: string, options: CsrfGuardOptions): boolean {
  return origin === options.publicOrigin || options.allowedOrigins.has(origin);
}

/** Any page can send requests, so the log lines that they cause are limited. */
const MAX_LOGGED_ORIGINS = 50;
const MAX_ORIGIN_LENGTH = 200;

/**
 * Logs each unlisted origin once. The browser hides the proxy's answer from such a page, so an integrator who forgot or
 * misspelt the origin finds the reason only here.
 *
 * @returns a function to call with the `Origin` of each request whose origin is not listed
 */
export function createUnlistedOriginLog(log: Log, { publicOrigin }: CsrfGuardOptions): (origin: string) => void {
  const logged = new Set<string>();
  return (origin) => {
    if (logged.size >= MAX_LOGGED_ORIGINS || logged.has(origin) || origin.length > MAX_ORIGIN_LENGTH) return;
    // A browser sends `null` for a page in a sandboxed frame or from a file.
    if (origin !== 'null' && !isExactOrigin(origin)) return;
    logged.add(origin);
    const reason = `ALLOWED_ORIGINS does not list it, and the origin of PUBLIC_URL is ${publicOrigin}`;
    log('warn', 'pages of this origin may not ask', { address: origin, reason });
  };
}

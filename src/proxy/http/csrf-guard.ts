import { REQUESTED_WITH, WIDGET } from '../../contract/fields.js';
import type { ProblemCode } from '../../contract/problem.js';
import type { Log } from '../runtime/log.js';
import { Refusal } from './problem-response.js';

/**
 * The checks that stand before every `/v1` route, so that no route can forget one (T2 and T3 of
 * `test/security/threats.ts`). A missing header is a no. There is no list of exceptions.
 */
export interface GuardOptions {
  /** Exact origins of host pages, without a path. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly publicOrigin: string;
}

const SAFE = new Set(['GET', 'HEAD']);

/** Whoever calls by hand has none that an operator could list. */
const NO_ORIGIN = 'The request has no Origin header. Send one, as browsers do: the origin of the page that asks.';

/** @returns the refusal of the first check that the request fails */
export function refuseForgery(request: Request, options: GuardOptions): Refusal | undefined {
  const code = failedCheck(request, options);
  if (code === undefined) return undefined;
  const isUnnamed = code === 'origin_refused' && !request.headers.has('Origin');
  return new Refusal(code, undefined, undefined, isUnnamed ? NO_ORIGIN : undefined);
}

function failedCheck(request: Request, options: GuardOptions): ProblemCode | undefined {
  // Two of them are there to mislead one of two servers (RFC 9112 section 3.2).
  if (request.headers.get('Host')?.includes(',') === true) return 'host_repeated';
  const origin = request.headers.get('Origin');
  if (origin !== null && !isListed(origin, options)) return 'origin_refused';
  const site = request.headers.get('Sec-Fetch-Site');
  // Another page's link, frame or image. What a page of ours asks of another origin has an Origin.
  if (origin === null && site !== null && site !== 'same-origin' && site !== 'none') return 'origin_refused';
  if (SAFE.has(request.method)) return undefined;
  if (origin === null) return 'origin_refused';
  // A browser that speaks Fetch Metadata must not contradict its own Origin.
  if (site === 'none' || (site === 'cross-site' && !options.allowedOrigins.has(origin))) return 'origin_refused';
  if (request.headers.get(REQUESTED_WITH) !== WIDGET) return 'header_required';
  if (!/^application\/json(?:\s*;|$)/i.test(request.headers.get('Content-Type') ?? '')) return 'json_required';
  return undefined;
}

/** CORS (Fetch standard) for exactly the listed origins, on refusals too, so that a page can read why. */
export function corsHeaders(request: Request, options: GuardOptions): Record<string, string> {
  const origin = request.headers.get('Origin');
  if (origin === null || !isListed(origin, options)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Preference-Applied, Retry-After, X-Request-Id',
  };
}

/** The origin of a page that is not listed, where the request names one. */
export function strangeOrigin(request: Request, options: GuardOptions): string | undefined {
  const origin = request.headers.get('Origin');
  return origin === null || isListed(origin, options) ? undefined : origin;
}

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, Inventory-Person, Last-Event-ID, Prefer, X-Requested-With',
  'Access-Control-Max-Age': '7200',
} as const;

/** Written as browsers write one: no path, no slash at the end, no star. */
export function isExactOrigin(text: string): boolean {
  // A star or a semicolon is a letter like any other to the URL parser, and no browser ever sends one.
  return /^https?:\/\/[^*;]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isListed(origin: string, options: GuardOptions): boolean {
  return origin === options.publicOrigin || options.allowedOrigins.has(origin);
}

/** Anybody's page may ask: a log that each of them could lengthen would be theirs. */
const MOST = 50;
const LONGEST = 200;

/**
 * Says once of each origin that it is not a listed one. The browser hides from such a page what the proxy answers, so that
 * whoever has forgotten the origin, or misspelt it, finds it nowhere else.
 *
 * @returns told of the `Origin` of a request that is not listed
 */
export function sayStrangeOrigins(log: Log): (origin: string) => void {
  const said = new Set<string>();
  return (origin) => {
    if (said.size >= MOST || said.has(origin) || origin.length > LONGEST) return;
    // What a browser sends for a page in a sandboxed frame, or from a file.
    if (origin !== 'null' && !isExactOrigin(origin)) return;
    said.add(origin);
    log('warn', 'pages of this origin may not ask', { address: origin });
  };
}

import {
  toProblemCode,
  HSTS_HEADER,
  problemResponse,
  ApiError,
  toResponse,
  SECURITY_HEADERS,
  type ApiResponse,
} from './http/problem-response.js';
import type { Clock } from './runtime/clock.js';
import {
  corsHeaders,
  type CsrfGuardOptions,
  PREFLIGHT_HEADERS,
  createUnlistedOriginLog,
  findUnlistedOrigin,
} from './http/csrf-guard.js';
import type { Log } from './runtime/log.js';
import type { Metrics } from './runtime/metrics.js';
import { publicTemplate } from './routes/public-routes.js';
import { UnknownKey } from './access/session.js';
import { findRoute, ROUTES, templateOf, type FoundRoute } from './routes.js';

export interface AnsweringOptions {
  /** Without a trailing slash. */
  readonly basePath: string;
  readonly publicUrl: URL;
  readonly guard: CsrfGuardOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly answerApi: (request: Request, asked: Asked) => Promise<ApiResponse>;
  readonly answerPublic: (request: Request, path: string) => Promise<ApiResponse>;
}

/** What is known of a request before anybody looks at its headers. */
export interface Asked {
  /** Below the proxy's root. */
  readonly path: string;
  readonly requestId: string;
  readonly found: FoundRoute;
  readonly address: string | undefined;
}

/**
 * What is the same for every request: its id, the headers of its answer, one place where refusals and failures become
 * problems, and the count of it all.
 */
export function createAnswering(
  options: AnsweringOptions,
): (request: Request, from?: { readonly address?: string | undefined }) => Promise<Response> {
  const { basePath, publicUrl, guard, clock, log, metrics } = options;
  const sayStrange = createUnlistedOriginLog(log);
  const publicPath = publicUrl.pathname.replace(/\/+$/, '');
  let isSaid = false;
  const everywhere = publicUrl.protocol === 'https:' ? { ...SECURITY_HEADERS, ...HSTS_HEADER } : SECURITY_HEADERS;
  const everywhereInApi = { ...everywhere, 'Cross-Origin-Resource-Policy': 'same-origin' };

  /**
   * A gateway that takes the path away gets 404 for everything, and so does a proxy that was not told its path: which says
   * nothing of why. Once: anybody may ask for anything. It is no fault to have two paths, where something in front takes one.
   */
  function sayAstray(pathname: string, isInside: boolean): void {
    if (isSaid || (isInside && publicPath === basePath)) return;
    if (!isInside && isOurs(pathname)) {
      isSaid = true;
      log('warn', 'requests come without the path below which the proxy is mounted', { address: basePath });
    } else if (pathname.startsWith(`${publicPath}/`) && isOurs(pathname.slice(publicPath.length))) {
      isSaid = true;
      log('warn', 'requests come with the path of publicUrl, which is not the basePath', { address: publicPath });
    }
  }

  async function answer(request: Request, asked: Asked): Promise<ApiResponse> {
    try {
      if (isApi(asked.path)) return await options.answerApi(request, asked);
      return await options.answerPublic(request, asked.path);
    } catch (error) {
      const { requestId } = asked;
      const refusal = error instanceof ApiError ? error : new ApiError(toProblemCode(error));
      if (refusal !== error) {
        // Anybody may make a token up: that is no failure of ours, and as loud as any other bad token.
        const level = error instanceof UnknownKey ? 'info' : 'error';
        log(level, 'request failed', { request_id: requestId, code: refusal.code, error: String(error) });
      }
      metrics.requestRejected(refusal.code);
      return problemResponse(refusal, requestId);
    }
  }

  return async (request, { address } = {}) => {
    expectRequest(request);
    const started = clock.monotonic();
    const requestId = crypto.randomUUID();
    const { method } = request;
    const pathname = pathOf(request.url);
    const inside = pathname.startsWith(`${basePath}/`) || basePath === '';
    sayAstray(pathname, inside);
    const path = inside ? pathname.slice(basePath.length) : '/';
    const api = isApi(path);
    const found: FoundRoute = api ? findRoute(ROUTES, method, path) : { kind: 'unknown' };
    const stranger = api ? findUnlistedOrigin(request, guard) : undefined;
    if (stranger !== undefined) sayStrange(stranger);
    const preflight = api && method === 'OPTIONS';
    const answered = preflight
      ? preflightAnswer(request, guard)
      : await answer(request, { path, requestId, found, address });
    const response = toResponse(
      answered,
      api
        ? { ...everywhereInApi, ...corsHeaders(request, guard), 'X-Request-Id': requestId }
        : { ...everywhere, 'X-Request-Id': requestId },
    );
    const route = api ? templateOf(found) : publicTemplate(path);
    const { status } = answered;
    const milliseconds = clock.monotonic() - started;
    metrics.requestHandled({ method, route, status, milliseconds });
    log('debug', 'request', { request_id: requestId, method, route, status, milliseconds: Math.round(milliseconds) });
    return response;
  };
}

/** What node:http, Express and Fastify hand over has headers, too, and would wait for its answer for ever. */
function expectRequest(given: { readonly headers: Partial<Headers> }): void {
  if (typeof given.headers.get === 'function') return;
  throw new TypeError('proxy.fetch takes a Request of the Fetch standard: mount nodeListener(proxy) in its place');
}

/** Of the URL of a `Request`, which is in the parser's own form: a scheme, `//`, an authority, and a path. */
function pathOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const to = url.slice(from).search(/[?#]/);
  return to < 0 ? url.slice(from) : url.slice(from, from + to);
}

function isOurs(path: string): boolean {
  return isApi(path) || publicTemplate(path) !== 'other';
}

function isApi(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

/** A preflight carries no session; it tells listed origins what they may send, and others nothing. */
function preflightAnswer(request: Request, guard: CsrfGuardOptions): ApiResponse {
  const listed = 'Access-Control-Allow-Origin' in corsHeaders(request, guard);
  return { status: 204, headers: listed ? PREFLIGHT_HEADERS : {}, body: null };
}

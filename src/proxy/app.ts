import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { requestId, type RequestIdVariables } from 'hono/request-id';
import { matchedRoutes } from 'hono/route';
import { secureHeaders } from 'hono/secure-headers';
import { PERSON_HEADER, personNamed } from '../contract/widget.js';
import { authenticateRequest } from './access/authenticate.js';
import { SessionUnverifiable, UnknownKey, type Authenticate, type ProxySession } from './access/session.js';
import { createWarningLimit } from './runtime/log.js';
import {
  checkCsrf,
  corsHeaders,
  createUnlistedOriginLog,
  type CsrfGuardOptions,
  findUnlistedOrigin,
  preflightResponse,
} from './http/csrf-guard.js';
import { boundRead } from './http/bounded-read.js';
import { ApiError, problemResponse, toProblemCode } from './http/problem-response.js';
import type { Route, RouteContext } from './http/route-context.js';
import { acceptEdits } from './routes/accept-edits.js';
import { openChangeStream } from './routes/change-stream.js';
import { decideEdit } from './routes/decide-edit.js';
import { listInventory } from './routes/list-inventory.js';
import { liveness, publicTemplate, type PublicContext, readinessResponse, serveFile } from './routes/public-routes.js';
import { readChangeSet, readHistory } from './routes/read-history.js';
import { readReceipts } from './routes/read-receipts.js';
import { revertChangeSet } from './routes/revert-change-set.js';
import { listSchedules, putSchedule, readSchedule, removeSchedule } from './routes/schedules.js';
import { describeSession, endSession } from './routes/session-routes.js';

/** The API. One segment of a path may be a placeholder in braces; the route receives its value. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/session', handle: describeSession },
  { method: 'DELETE', path: '/v1/session', handle: endSession },
  { method: 'GET', path: '/v1/inventory', handle: listInventory },
  { method: 'POST', path: '/v1/inventory', handle: acceptEdits },
  { method: 'GET', path: '/v1/receipts', handle: readReceipts },
  { method: 'POST', path: '/v1/edits/{edit_id}/retry', handle: (_, ...rest) => decideEdit('retry', ...rest) },
  { method: 'POST', path: '/v1/edits/{edit_id}/discard', handle: (_, ...rest) => decideEdit('discard', ...rest) },
  { method: 'GET', path: '/v1/history', handle: readHistory },
  { method: 'GET', path: '/v1/change-sets/{id}', handle: readChangeSet },
  { method: 'POST', path: '/v1/change-sets/{id}/revert', handle: revertChangeSet },
  { method: 'GET', path: '/v1/schedules', handle: listSchedules },
  { method: 'GET', path: '/v1/schedules/{id}', handle: readSchedule },
  { method: 'PUT', path: '/v1/schedules/{id}', handle: putSchedule },
  { method: 'DELETE', path: '/v1/schedules/{id}', handle: removeSchedule },
  { method: 'GET', path: '/v1/events', handle: openChangeStream },
];

export interface AppOptions {
  /** Without a trailing slash. */
  readonly basePath: string;
  readonly publicUrl: URL;
  readonly guard: CsrfGuardOptions;
  readonly authenticate: Authenticate;
  /** Whether a response tells why the session was rejected. */
  readonly debugSessions: boolean;
  /** Passed to the routes of the API. */
  readonly api: RouteContext;
  /** Passed to the public routes. */
  readonly open: PublicContext;
}

interface AppEnv {
  /** The client's address, if the server knows it. */
  readonly Bindings: { readonly address?: string | undefined };
  readonly Variables: RequestIdVariables & { session: ProxySession };
}

type Middleware = MiddlewareHandler<AppEnv>;

/** A smaller response fits into the initial congestion window (RFC 6928), or nearly. */
const COMPRESS_FROM_BYTES = 8_192;

/**
 * The proxy as one Hono app. A request passes the middleware from top to bottom, and its response passes it in reverse.
 *
 * Every `/v1` request passes CORS, the CSRF guard and authentication before its route is looked up. So no route can omit a
 * check, and a client without a session does not learn which routes exist.
 *
 * Hono's body limit is not used, because it reads a body before a route can reserve memory for it. `acceptEdits` reserves the
 * bytes for the person first, and `runtime/read-body.ts` stops at the limit.
 */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { api, open } = options;
  // Paths outside the base path are handled like `/`.
  const app = new Hono<AppEnv>({ getPath: ({ url }) => stripBasePath(pathnameOf(url), options.basePath) ?? '/' });
  const levelOf = createWarningLimit(api.clock);
  app.onError((error, c) => toProblem(error, c, { ...options, levelOf }));

  // An id that the client sends is ignored, because the log lines of two requests must not share an id.
  app.use(requestId({ headerName: '' }), measure(api), warnAboutBasePath(options), headers(options.publicUrl));

  app.use('/v1/*', cors(options), checkOrigin(options), authenticate({ ...options, levelOf }), checkPerson);
  // Compression is safe here (BREACH): no response contains a secret beside text that an attacker chooses.
  app.get('/v1/*', compress({ encoding: 'gzip', threshold: COMPRESS_FROM_BYTES }));
  for (const path of new Set(ROUTES.map((route) => route.path))) app.all(toPattern(path), handleApi(path, api));
  app.all('/v1/*', () => {
    throw new ApiError('route_unknown');
  });

  app.use(readOnly);
  app.get('/livez', liveness);
  app.get('/readyz', () => readinessResponse(open));
  app.get('*', (c) => serveFile(c.req.path, c.req.header('Accept-Encoding'), open));
  return app;
}

/** Counts and logs each request with its route and status. */
function measure({ clock, log, metrics }: RouteContext): Middleware {
  return async (c, next) => {
    const started = clock.monotonic();
    await next();
    c.res.headers.set('X-Request-Id', c.var.requestId);
    const { method } = c.req;
    const { status } = c.res;
    const route = templateOf(c);
    const milliseconds = clock.monotonic() - started;
    metrics.requestHandled({ method, route, status, milliseconds });
    const rounded = Math.round(milliseconds);
    log('debug', 'request', { request_id: c.var.requestId, method, route, status, milliseconds: rounded });
  };
}

/**
 * Logs once that the base path does not match the paths of the requests. If the gateway strips the path, or the proxy does not
 * know its path, every request gets 404, which does not tell the reason. `publicUrl` and `basePath` may differ, because a
 * gateway may strip one of two paths.
 */
function warnAboutBasePath({ basePath, publicUrl, api }: AppOptions): Middleware {
  const publicPath = publicUrl.pathname.replace(/\/+$/, '');
  let isLogged = false;

  function warn(event: string, address: string): void {
    isLogged = true;
    api.log('warn', event, { address });
  }

  return (c, next) => {
    const pathname = pathnameOf(c.req.url);
    const isInside = stripBasePath(pathname, basePath) !== undefined;
    if (isLogged || (isInside && publicPath === basePath)) return next();
    const below = stripBasePath(pathname, publicPath);
    if (!isInside && isServed(pathname)) {
      warn('requests come without the path below which the proxy is mounted', basePath);
    } else if (publicPath !== '' && below !== undefined && isServed(below)) {
      warn('requests come with the path of publicUrl, which is not the basePath', publicPath);
    }
    return next();
  };
}

/** No response of the API may load, be framed or be sniffed. Other origins may embed the files of the drop-in script. */
function headers(publicUrl: URL): Middleware {
  return secureHeaders({
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    // HSTS (RFC 6797) if browsers reach the proxy by https. It applies to this host name and not to its subdomains.
    strictTransportSecurity: publicUrl.protocol === 'https:' && 'max-age=31536000',
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    overwrite: false,
  });
}

/** Adds CORS headers to every response, so that a listed page can read errors too. */
function cors({ guard, api }: AppOptions): Middleware {
  const logUnlisted = createUnlistedOriginLog(api.log, guard);
  return async (c, next) => {
    const unlisted = findUnlistedOrigin(c.req.raw, guard);
    if (unlisted !== undefined) logUnlisted(unlisted);
    if (c.req.method === 'OPTIONS') c.res = preflightResponse(c.req.raw, guard);
    else await next();
    c.res.headers.append('Vary', 'Origin');
    for (const [name, value] of Object.entries(corsHeaders(c.req.raw, guard))) c.res.headers.set(name, value);
  };
}

function checkOrigin({ guard }: AppOptions): Middleware {
  return (c, next) => {
    const forged = checkCsrf(c.req.raw, guard);
    if (forged !== undefined) throw forged;
    return next();
  };
}

/** How errors are logged. */
interface Refusing extends AppOptions {
  readonly levelOf: (kind: string) => 'warn' | 'info';
}

function authenticate({ authenticate: ask, api, debugSessions, levelOf }: Refusing): Middleware {
  const { rateLimits, signOuts, clock, log } = api;
  return async (c, next) => {
    const { address } = c.env;
    rateLimits.checkAddress(address);
    let why: string | undefined;
    const explain = debugSessions ? (reason: string) => void (why = reason) : undefined;
    const proving = authenticateRequest(ask, c.req.raw, { requestId: c.var.requestId, explain, clock, log, levelOf });
    const session = await proving.catch(rateLimits.recordUnknownKey(address));
    if (session === undefined || signOuts.hasEnded(session)) {
      rateLimits.recordUnauthenticated(address);
      throw new ApiError('session_required', undefined, undefined, why);
    }
    c.set('session', session);
    await next();
  };
}

/** Rejects edits that a page made for one person and sends in the session of another. */
const checkPerson: Middleware = (c, next) => {
  const named = c.req.header(PERSON_HEADER);
  if (named !== undefined && named !== personNamed(c.var.session)) throw new ApiError('session_changed');
  return next();
};

/** Handles all methods of a path. A method without a route gets 405 and the list of the others (RFC 9110, section 15.5.6). */
function handleApi(path: string, api: RouteContext): (c: Context<AppEnv>) => Promise<Response> {
  const routes = ROUTES.filter((route) => route.path === path);
  const allow = routes.map(({ method }) => method).join(', ');
  return async (c) => {
    const route = routes.find(({ method }) => method === c.req.method);
    if (route === undefined) throw new ApiError('method_not_allowed', undefined, { Allow: allow });
    const { session } = c.var;
    const [segment = ''] = Object.values(c.req.param() as Record<string, string>);
    const answer = (): Promise<Response> => route.handle(c.req.raw, session, api, segment);
    // Event streams have a semaphore of their own.
    const isBounded = route.method === 'GET' && route.handle !== openChangeStream;
    return isBounded ? boundRead(api, session, c.req.raw, answer) : answer();
  };
}

const readOnly: Middleware = (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
  throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD' });
};

/** Converts every error to a problem document (RFC 9457). The log has more details than the response. */
function toProblem(error: Error, c: Context<AppEnv>, { api, debugSessions, levelOf }: Refusing): Response {
  const { log, metrics } = api;
  const { requestId: id } = c.var;
  const isUnverifiable = debugSessions && error instanceof SessionUnverifiable;
  const detail = isUnverifiable ? error.message : undefined;
  const problem = error instanceof ApiError ? error : new ApiError(toProblemCode(error), undefined, undefined, detail);
  if (problem !== error) {
    // Anybody can make a token with an unknown key, so it is logged like any other invalid token.
    const level = error instanceof UnknownKey ? levelOf('unknown key') : 'error';
    log(level, 'request failed', { request_id: id, code: problem.code, error: String(error) });
  } else {
    // Pages show the request id of an error for support, so the log has it at the default level.
    const isForHost = problem.code === 'permission_missing';
    const { code, detail: reason } = problem;
    log(isForHost ? levelOf(code) : 'info', 'problem response', {
      request_id: id,
      code,
      ...(isForHost && reason && { reason }),
    });
  }
  metrics.requestRejected(problem.code);
  const response = problemResponse(problem, id);
  if (isApi(c.req.path)) return response;
  // Without these headers, a page that loads a missing script would report a CORS error.
  response.headers.set('Access-Control-Allow-Origin', '*');
  response.headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
  return response;
}

/** @returns the template of the route, for metrics and the log */
function templateOf(c: Context<AppEnv>): string {
  if (!isApi(c.req.path)) return publicTemplate(c.req.path);
  const patterns = new Set(matchedRoutes(c).map(({ path }) => path));
  return ROUTES.find(({ path }) => patterns.has(toPattern(path)))?.path ?? 'other';
}

/** Converts a placeholder to Hono's syntax. */
function toPattern(path: string): string {
  return path.replace(/\{(\w+)\}/, ':$1');
}

/** The URL of a `Request` is serialized as scheme, `//`, authority and path (URL Standard, 4.5), so it needs no parser. */
function pathnameOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const to = url.slice(from).search(/[?#]/);
  return to < 0 ? url.slice(from) : url.slice(from, from + to);
}

function stripBasePath(pathname: string, basePath: string): string | undefined {
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}

function isServed(path: string): boolean {
  return isApi(path) || publicTemplate(path) !== 'other';
}

function isApi(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}

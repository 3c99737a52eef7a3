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

/** The API. One segment of a path may be a placeholder in braces; what the request has there is handed to the route. */
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
  /** Whether an answer says why a session is refused. */
  readonly debugSessions: boolean;
  /** What the routes of the API may use. */
  readonly api: RouteContext;
  /** What the public routes may use. */
  readonly open: PublicContext;
}

interface AppEnv {
  /** The client's address, where the server knows it. */
  readonly Bindings: { readonly address?: string | undefined };
  readonly Variables: RequestIdVariables & { session: ProxySession };
}

type Middleware = MiddlewareHandler<AppEnv>;

/** A shorter answer fits into the first round of packets (RFC 6928), or nearly. */
const COMPRESS_FROM_BYTES = 8_192;

/**
 * The proxy as one Hono app. A request passes these lines from top to bottom, and its response passes them back.
 *
 * Every `/v1` request is checked for its origin, for forgery and for a session before the table of routes is looked at, so
 * that no route can forget a check and a client without a session does not learn which routes there are.
 *
 * Bodies are not bounded by Hono's body limit, which reads a body before a route can count it: `acceptEdits` reserves the
 * bytes for the person first, and `runtime/read-body.ts` stops at the limit.
 */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { api, open } = options;
  // Below the base path; anything outside of it is answered as the root is.
  const app = new Hono<AppEnv>({ getPath: ({ url }) => stripBasePath(pathnameOf(url), options.basePath) ?? '/' });
  const levelOf = createWarningLimit(api.clock);
  app.onError((error, c) => toProblem(error, c, { ...options, levelOf }));

  // An id that a client sends is not taken over: log lines of two requests must not share one.
  app.use(requestId({ headerName: '' }), measure(api), warnAboutBasePath(options), headers(options.publicUrl));

  app.use('/v1/*', cors(options), checkOrigin(options), authenticate({ ...options, levelOf }), checkPerson);
  // What is compressed is a listing, in which no secret lies beside text that a stranger chooses.
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

/** Counts and logs each request with its route, whatever became of it. */
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
 * A gateway that strips the path gets 404 for everything, and so does a proxy that was not told its path: neither answer
 * says why, so the log does. Once, since anybody may ask for any path. Two different paths are right where something in
 * front strips one.
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

/** The API has nothing to load, frame or sniff. A file of the drop-in allows other origins to embed it. */
function headers(publicUrl: URL): Middleware {
  return secureHeaders({
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    // RFC 6797, where the proxy is reached by https. It speaks for its own host name alone, not for those below.
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

/** CORS on every answer, refusals too, so that a listed page can read why. */
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

/** What the log is asked for the level of a refusal, and an answer for how much it says. */
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

/** A page that names the person whose edits it sends must not send them in the session of another. */
const checkPerson: Middleware = (c, next) => {
  const named = c.req.header(PERSON_HEADER);
  if (named !== undefined && named !== personNamed(c.var.session)) throw new ApiError('session_changed');
  return next();
};

/** All methods of one path, so that a method without a route answers 405 and names the others (RFC 9110 section 15.5.6). */
function handleApi(path: string, api: RouteContext): (c: Context<AppEnv>) => Promise<Response> {
  const routes = ROUTES.filter((route) => route.path === path);
  const allow = routes.map(({ method }) => method).join(', ');
  return async (c) => {
    const route = routes.find(({ method }) => method === c.req.method);
    if (route === undefined) throw new ApiError('method_not_allowed', undefined, { Allow: allow });
    const { session } = c.var;
    const [segment = ''] = Object.values(c.req.param() as Record<string, string>);
    const answer = (): Promise<Response> => route.handle(c.req.raw, session, api, segment);
    // Streams have places of their own.
    const isBounded = route.method === 'GET' && route.handle !== openChangeStream;
    return isBounded ? boundRead(api, session, c.req.raw, answer) : answer();
  };
}

const readOnly: Middleware = (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
  throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD' });
};

/** The one place where refusals and failures become RFC 9457 problems. The log says more than the answer. */
function toProblem(error: Error, c: Context<AppEnv>, { api, debugSessions, levelOf }: Refusing): Response {
  const { log, metrics } = api;
  const { requestId: id } = c.var;
  const isUnverifiable = debugSessions && error instanceof SessionUnverifiable;
  const detail = isUnverifiable ? error.message : undefined;
  const problem = error instanceof ApiError ? error : new ApiError(toProblemCode(error), undefined, undefined, detail);
  if (problem !== error) {
    // Anybody may invent a token, so an unknown key is no failure of the proxy and no louder than any other bad token.
    const level = error instanceof UnknownKey ? levelOf('unknown key') : 'error';
    log(level, 'request failed', { request_id: id, code: problem.code, error: String(error) });
  } else {
    // A page shows the id of a refusal for support, so the log has it at the default level.
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
  // A page that loads a script which is not there would otherwise read that CORS forbids it.
  response.headers.set('Access-Control-Allow-Origin', '*');
  response.headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
  return response;
}

/** For counting and logging: one name for all paths of a route. */
function templateOf(c: Context<AppEnv>): string {
  if (!isApi(c.req.path)) return publicTemplate(c.req.path);
  const patterns = new Set(matchedRoutes(c).map(({ path }) => path));
  return ROUTES.find(({ path }) => patterns.has(toPattern(path)))?.path ?? 'other';
}

/** As Hono writes a placeholder. */
function toPattern(path: string): string {
  return path.replace(/\{(\w+)\}/, ':$1');
}

/** The URL of a `Request` is in the parser's own form: a scheme, `//`, an authority, and a path. */
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

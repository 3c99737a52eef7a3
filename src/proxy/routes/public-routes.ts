import type { Delivery } from '../delivery/delivery.js';
import { jsonResponse, ApiError } from '../http/problem-response.js';
import type { Outbox } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';

/**
 * Static files by their path below the root: `widget.js`, `widget-1.2.3.js`, `assets/...`.
 *
 * @param accepted `Accept-Encoding` of the request (RFC 9110 section 12.5.3)
 */
export type PublicFiles = (name: string, accepted?: string) => Promise<PublicFile | undefined>;

export interface PublicFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Value of `Content-Encoding`. */
  readonly coding?: string | undefined;
}

export interface PublicContext {
  readonly files: PublicFiles | undefined;
  /** The outcome of the last call to the portal while edits are pending. Rejects if the outbox does not answer. */
  readonly checkReadiness: () => Promise<{ readonly portal: UpdateOutcome['kind'] | undefined }>;
}

/** `GET /livez`: 200 while the process answers. */
export function liveness(): Response {
  return jsonResponse({ status: 'ok' });
}

/**
 * `GET /readyz`. The proxy stays ready while the portal is down, because it still accepts edits. A portal that rejects an
 * item is not down.
 */
export async function readinessResponse({ checkReadiness }: PublicContext): Promise<Response> {
  const { portal } = await checkReadiness();
  return jsonResponse({ status: portal === undefined || HEALTHY_OUTCOMES.has(portal) ? 'ready' : 'degraded' });
}

/**
 * `GET /widget.js`, `/widget.classic.js`, `/widget-<version>.js`, `/assets/...`: any page may load these files and check
 * them with `integrity`.
 */
export async function serveFile(
  path: string,
  accepted: string | undefined,
  { files }: PublicContext,
): Promise<Response> {
  const file = SERVED_PATH.test(path) ? await files?.(path.slice(1), accepted) : undefined;
  if (file === undefined) throw new ApiError('route_unknown');
  return new Response(file.body, {
    headers: {
      'Content-Type': file.contentType,
      'Content-Length': String(file.body.byteLength),
      ...(file.coding !== undefined && { 'Content-Encoding': file.coding }),
      Vary: 'Accept-Encoding',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': UNVERSIONED.has(path) ? 'public, max-age=300' : 'public, max-age=31536000, immutable',
    },
  });
}

const HEALTHY_OUTCOMES: ReadonlySet<UpdateOutcome['kind']> = new Set(['delivered', 'refused']);

/** The content of these paths changes with each version, so they are cached only briefly. */
const UNVERSIONED: ReadonlySet<string> = new Set(['/widget.js', '/widget.classic.js']);

const SERVED_PATH =
  /^\/(?:widget(?:\.classic)?\.js|widget-[0-9A-Za-z.-]+\.js|assets\/[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)+)$/;

/** The route name for metrics and logs: one for all files of a kind, which keeps the number of labels small. */
export function publicTemplate(path: string): string {
  if (path === '/livez' || path === '/readyz' || UNVERSIONED.has(path)) return path;
  if (!SERVED_PATH.test(path)) return 'other';
  return path.startsWith('/assets/') ? '/assets/{name}' : '/widget-{version}.js';
}

/**
 * The outcome of the last call to the portal while edits are pending, for `/readyz`.
 *
 * @throws {ApiError} if the delivery has stopped, so no edits reach the portal
 * @throws {StorageFailed}
 */
export async function readiness(
  outbox: Outbox,
  delivery: Delivery,
): Promise<{ readonly portal: UpdateOutcome['kind'] | undefined }> {
  const [due, held] = await Promise.all([outbox.nextDueAt(), outbox.heldLanes()]);
  if (!delivery.alive) throw new ApiError('delivery_stopped');
  // Without pending edits the last failure no longer matters: its edits were delivered by another process or await a
  // decision.
  if (due === undefined) return { portal: undefined };
  // `lastOutcome` may be that of another credential, so a held lane counts too. A portal that rejects what it is sent is
  // not down.
  const isHeld = [...held.keys()].some((reason) => reason !== 'portal_refuses');
  return { portal: isHeld ? 'held' : delivery.lastOutcome };
}

import type { Delivery } from '../delivery/delivery.js';
import { jsonResponse, ApiError } from '../http/problem-response.js';
import type { Outbox } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';

/**
 * Static files by their name below the root: `widget.js`, `widget-1.2.3.js`, `assets/...`.
 *
 * @param accepted `Accept-Encoding` of the request (RFC 9110 section 12.5.3)
 */
export type PublicFiles = (name: string, accepted?: string) => Promise<PublicFile | undefined>;

export interface PublicFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** How the body is compressed, as `Content-Encoding` says it. */
  readonly coding?: string | undefined;
}

export interface PublicContext {
  readonly files: PublicFiles | undefined;
  /** How the portal took the last call, where anything waits. Rejects when the outbox does not answer. */
  readonly checkReadiness: () => Promise<{ readonly portal: UpdateOutcome['kind'] | undefined }>;
}

/** `GET /livez`: the process answers. */
export function liveness(): Response {
  return jsonResponse({ status: 'ok' });
}

/**
 * `GET /readyz`. A portal that is down does not make the proxy unready: it still accepts edits, which is its purpose. A
 * portal that refuses an item is not down.
 */
export async function readinessResponse({ checkReadiness }: PublicContext): Promise<Response> {
  const { portal } = await checkReadiness();
  return jsonResponse({ status: portal === undefined || HEALTHY_OUTCOMES.has(portal) ? 'ready' : 'degraded' });
}

/** `GET /widget.js`, `/widget.classic.js`, `/widget-<version>.js`, `/assets/...`: any page may load them, and check them with `integrity`. */
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

/** What these answer changes with each version. */
const UNVERSIONED: ReadonlySet<string> = new Set(['/widget.js', '/widget.classic.js']);

const SERVED_PATH =
  /^\/(?:widget(?:\.classic)?\.js|widget-[0-9A-Za-z.-]+\.js|assets\/[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)+)$/;

/** For counting and logging: one word for all files of a kind. */
export function publicTemplate(path: string): string {
  if (path === '/livez' || path === '/readyz' || UNVERSIONED.has(path)) return path;
  if (!SERVED_PATH.test(path)) return 'other';
  return path.startsWith('/assets/') ? '/assets/{name}' : '/widget-{version}.js';
}

/**
 * How the portal took the last call, where anything waits; what `/readyz` goes by.
 *
 * @throws {ApiError} where nothing takes edits to the portal
 * @throws {StorageFailed}
 */
export async function readiness(
  outbox: Outbox,
  delivery: Delivery,
): Promise<{ readonly portal: UpdateOutcome['kind'] | undefined }> {
  const [due, held] = await Promise.all([outbox.nextDueAt(), outbox.heldLanes()]);
  if (!delivery.alive) throw new ApiError('delivery_stopped');
  // Where nothing waits, the call that failed is over: its edits were delivered elsewhere, or are with a person.
  if (due === undefined) return { portal: undefined };
  // The last call may have been another credential's. A portal that refuses what it is sent is not down.
  const isHeld = [...held.keys()].some((reason) => reason !== 'portal_refuses');
  return { portal: isHeld ? 'held' : delivery.lastOutcome };
}

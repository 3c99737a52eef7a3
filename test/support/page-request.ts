import { signEmbedToken, type EmbedTokenClaims } from '../../src/proxy/access/sign-embed-token.js';

/** The page's origin, the proxy's address, and what the host and the proxy share. */
export const HOST_ORIGIN = 'https://admin.example.com';
export const PROXY_URL = 'https://inventory.example.com';
export const SESSION_SECRET = 'session-secret-of-at-least-32-bytes';

export interface PageRequest {
  readonly token?: string | undefined;
  readonly body?: BodyInit | object | undefined;
  /** Over what a well-behaved page sends; `undefined` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A request as a well-behaved page sends it, but for what the test says. */
export function pageRequest(method: string, path: string, { token, body, headers }: PageRequest = {}): Request {
  const sent: Record<string, string | undefined> = {
    Origin: HOST_ORIGIN,
    'Sec-Fetch-Site': 'cross-site',
    Authorization: token === undefined ? undefined : `Bearer ${token}`,
    ...(method !== 'GET' && {
      'X-Requested-With': 'inventory-widget',
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    }),
    ...headers,
  };
  return new Request(PROXY_URL + path, {
    method,
    headers: Object.entries(sent).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
    body: isPlain(body) ? JSON.stringify(body) : (body ?? null),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
}

/** The lines above the body of a good batch, for who writes to a socket; those of its connection and length are missing. */
export async function headOfBatch(): Promise<string[]> {
  return [
    'POST /v1/inventory HTTP/1.1',
    `Origin: ${HOST_ORIGIN}`,
    `Authorization: Bearer ${await embedToken()}`,
    'X-Requested-With: inventory-widget',
    'Content-Type: application/json',
    'Idempotency-Key: key-1',
  ];
}

/** A token of Ada of the boat tours, but for what the test says. */
export function embedToken(claims: Partial<EmbedTokenClaims> = {}): Promise<string> {
  return signEmbedToken(SESSION_SECRET, {
    issuer: HOST_ORIGIN,
    audience: PROXY_URL,
    origin: HOST_ORIGIN,
    subject: 'ada',
    vendor: 'boat-tours',
    permissions: ['view', 'edit'],
    ...claims,
  });
}

function isPlain(body: BodyInit | object | undefined): body is object {
  const prototype: unknown = typeof body === 'object' ? Object.getPrototypeOf(body) : undefined;
  return prototype === Object.prototype || prototype === Array.prototype;
}

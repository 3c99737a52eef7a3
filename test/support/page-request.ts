import { signEmbedToken, type EmbedTokenClaims } from '../../src/proxy/access/sign-embed-token.js';

/** The origin of the page, the URL of the proxy, and the secret that the host and the proxy share. */
export const HOST_ORIGIN = 'https://admin.example.com';
export const PROXY_URL = 'https://inventory.example.com';
export const SESSION_SECRET = 'session-secret-of-at-least-32-bytes';

export interface PageRequest {
  readonly token?: string | undefined;
  readonly body?: BodyInit | object | undefined;
  /** Replaces headers that a page sends; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A request as a page sends it, with the given changes. */
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

/** The head of a valid batch for a test that writes to a socket, without the headers about the connection and the length. */
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

/** A token of the person `ada` of the vendor `boat-tours`, with the given changes. */
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

import type { RequestParts } from './malformed-requests.js';
import { HOST_ORIGIN } from './proxy-process.js';

/** A batch as a page sends it, with one edit for each of these items, on a connection that ends with the response. */
export function goodRequest(ids: readonly string[], token: string): RequestParts {
  const updated_at = new Date().toISOString();
  const inventory = ids.map((id) => ({ id, available: true, updated_at, edit_id: crypto.randomUUID() }));
  return {
    method: 'POST',
    path: '/v1/inventory',
    version: 'HTTP/1.1',
    headers: [
      ['Host', 'inventory.example.com'],
      ['Connection', 'close'],
      ['Origin', HOST_ORIGIN],
      ['Authorization', `Bearer ${token}`],
      ['Content-Type', 'application/json'],
      ['X-Requested-With', 'inventory-widget'],
      ['Idempotency-Key', crypto.randomUUID()],
    ],
    body: JSON.stringify({ inventory }),
  };
}

import { request } from '../api/http.js';
import { authorized, type ProxyClient } from '../api/proxy-client.js';

/**
 * The last that the page says to the proxy about a person: their session ends there, as far as the proxy can be reached. Where
 * it does not hear that, it has a token for a few minutes more. Never rejects.
 */
export async function endSession(client: ProxyClient): Promise<void> {
  const token = client.leave();
  if (token === undefined) return;
  // The page may be on its way out.
  const last = authorized({ method: 'DELETE', json: {}, keepalive: true }, token);
  await request(`${client.base}/v1/session`, last, () => Promise.resolve()).catch(() => undefined);
}

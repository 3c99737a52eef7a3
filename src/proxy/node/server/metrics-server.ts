import type { InventoryProxy } from '../../options.js';
import type { Log } from '../../runtime/log.js';
import { listen } from './http-server.js';
import type { Prometheus } from '../telemetry/prometheus.js';

/**
 * Serves `GET /metrics` on a separate port, so that a gateway for browsers never publishes it. If the port is taken, that
 * is logged and the proxy goes on, because edits matter more than metrics.
 *
 * @returns a function that stops the server
 */
export async function serveMetrics(
  proxy: Pick<InventoryProxy, 'status'>,
  prometheus: Prometheus,
  at: { readonly host: string; readonly port: number },
  log: Log,
): Promise<() => Promise<void>> {
  async function answer(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 });
    if (request.method !== 'GET') return new Response(null, { status: 405, headers: { Allow: 'GET' } });
    const text = await prometheus.scrape(await proxy.status());
    return new Response(text, { headers: { 'Content-Type': prometheus.contentType, 'Cache-Control': 'no-store' } });
  }

  try {
    const server = await listen(answer, at);
    log('info', 'metrics are served', { address: `${server.origin}/metrics` });
    return () => server.close();
  } catch (error) {
    log('error', 'metrics cannot be served', { error: String(error) });
    return () => Promise.resolve();
  }
}

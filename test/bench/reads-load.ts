import { Agent, request } from 'node:http';

/** The order for a load process, which is separate so that it does not delay the measuring process. */
export interface LoadOrder {
  readonly port: number;
  readonly origin: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadReport {
  readonly answered: number;
  readonly refused: number;
}

process.once('message', (order: LoadOrder) => {
  void generateLoad(order).then((report) => {
    process.send?.(report);
    process.disconnect();
  });
});

async function generateLoad({ port, origin, token, connections, seconds }: LoadOrder): Promise<LoadReport> {
  const end = performance.now() + seconds * 1000;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { Origin: origin, Authorization: `Bearer ${token}` };
  let [answered, refused] = [0, 0];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        if ((await statusOf(request({ port, agent, path: '/v1/inventory?limit=1000', headers }))) === 200)
          answered += 1;
        else refused += 1;
      }
    }),
  );
  agent.destroy();
  return { answered, refused };
}

/** The status of a request, once its response was read. */
export function statusOf(asking: ReturnType<typeof request>, body?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    asking.once('error', reject);
    asking.once('response', (response) => {
      response.resume();
      response.once('end', () => {
        resolve(response.statusCode);
      });
    });
    asking.end(body);
  });
}

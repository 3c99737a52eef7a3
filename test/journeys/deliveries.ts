import { setTimeout as wait } from 'node:timers/promises';
import type { DemoServers } from './demo-servers.js';

/** Between two looks, so that the processes have the processor that they are waited for with. */
const POLL_MS = 50;

/** No claim about speed: it ends a wait for what never comes. */
const TIMEOUT_MS = 120_000;

interface Entry {
  readonly kind: string;
  readonly applied: boolean;
  readonly inventory: readonly { readonly id: string; readonly available: boolean }[] | null;
}

/** What the portal has taken, by its own journal, in the order in which it came. */
export async function deliveries({ portalUrl }: DemoServers): Promise<[id: string, available: boolean][]> {
  const response = await fetch(`${portalUrl}/sandbox/journal`);
  const { entries } = (await response.json()) as { entries: Entry[] };
  return entries
    .filter(({ kind, applied }) => kind === 'update' && applied)
    .flatMap(({ inventory }) => (inventory ?? []).map(({ id, available }): [string, boolean] => [id, available]));
}

/** The same, as soon as there are so many. */
export async function untilDelivered(servers: DemoServers, count: number): Promise<[id: string, available: boolean][]> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const known = await deliveries(servers);
    if (known.length >= count || Date.now() > end) return known;
    await wait(POLL_MS);
  }
}

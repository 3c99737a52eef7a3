import { setTimeout as wait } from 'node:timers/promises';
import type { DemoServers } from './demo-servers.js';

/** The pause between two polls, which leaves the processor to the processes that the test waits for. */
const POLL_MS = 50;

/** It is no claim about speed; it only ends a wait for something that never happens. */
const TIMEOUT_MS = 120_000;

interface Entry {
  readonly kind: string;
  readonly applied: boolean;
  readonly inventory: readonly { readonly id: string; readonly available: boolean }[] | null;
}

/** The edits that the portal has accepted, by its own journal, in the order of their arrival. */
export async function deliveries({ portalUrl }: DemoServers): Promise<[id: string, available: boolean][]> {
  const response = await fetch(`${portalUrl}/sandbox/journal`);
  const { entries } = (await response.json()) as { entries: Entry[] };
  return entries
    .filter(({ kind, applied }) => kind === 'update' && applied)
    .flatMap(({ inventory }) => (inventory ?? []).map(({ id, available }): [string, boolean] => [id, available]));
}

/** The same, once the portal has accepted this many edits or the time is over. */
export async function untilDelivered(servers: DemoServers, count: number): Promise<[id: string, available: boolean][]> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const known = await deliveries(servers);
    if (known.length >= count || Date.now() > end) return known;
    await wait(POLL_MS);
  }
}

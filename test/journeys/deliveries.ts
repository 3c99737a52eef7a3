import type { Town } from './town.js';

interface Entry {
  readonly kind: string;
  readonly applied: boolean;
  readonly inventory: readonly { readonly id: string; readonly available: boolean }[] | null;
}

/** What the portal has taken, by its own journal, in the order in which it came. */
export async function deliveries({ portalUrl }: Town): Promise<[id: string, available: boolean][]> {
  const response = await fetch(`${portalUrl}/sandbox/journal`);
  const { entries } = (await response.json()) as { entries: Entry[] };
  return entries
    .filter(({ kind, applied }) => kind === 'update' && applied)
    .flatMap(({ inventory }) => (inventory ?? []).map(({ id, available }): [string, boolean] => [id, available]));
}

/** The same, as soon as there are so many. */
export async function untilDelivered(town: Town, count: number): Promise<[id: string, available: boolean][]> {
  const end = Date.now() + 60_000;
  for (;;) {
    const known = await deliveries(town);
    if (known.length >= count || Date.now() > end) return known;
  }
}

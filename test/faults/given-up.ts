import { inventoryUpdate } from '../../src/contract/portal.js';

/**
 * Items and stamps of the updates that ran out of time, as the platform told (`skip-waits.ts`), and not as the proxy says.
 *
 * @param output of the proxy's process, both streams
 */
export function givenUp(output: string): ReadonlySet<string> {
  const updates = [...output.matchAll(/^given up (.+)$/gm)].map(([, body = '']) =>
    inventoryUpdate.parse(JSON.parse(body)),
  );
  return new Set(updates.flatMap(({ inventory }) => inventory.map(({ id, updated_at }) => `${updated_at} ${id}`)));
}

import { inventoryUpdate } from '../../src/contract/portal.js';

/**
 * Items and timestamps of the updates that timed out, as the fetch of the platform reported (`skip-waits.ts`), not the
 * proxy.
 *
 * @param output stdout and stderr of the proxy
 */
export function givenUp(output: string): ReadonlySet<string> {
  const updates = [...output.matchAll(/^given up (.+)$/gm)].map(([, body = '']) =>
    inventoryUpdate.parse(JSON.parse(body)),
  );
  return new Set(updates.flatMap(({ inventory }) => inventory.map(({ id, updated_at }) => `${updated_at} ${id}`)));
}

import { isItemId } from '../../../domain/item.js';
import { itemRelease, releaseAnswer } from '../../../contract/operator.js';
import { readDatabase } from '../config/proxy-config.js';
import { EnvReader, type Environment } from '../config/env-reader.js';
import { openOperatorClient } from './operator-client.js';

export interface ReleaseRequest {
  readonly vendor: string;
  readonly ids: readonly string[];
}

/**
 * `vendor-inventory items release --vendor NAME ID...`: ends a vendor's ownership of ids, so that the next vendor that uses
 * one owns it.
 *
 * @returns whether each id was released
 * @throws {import('./operator-client.js').ProxyUnreachable} {@link import('../../outbox/outbox.js').StorageFailed}
 */
export async function releaseItems(
  environment: Environment,
  { vendor, ids }: ReleaseRequest,
  print: (line: string) => void,
): Promise<boolean> {
  const reader = new EnvReader(environment);
  const database = readDatabase(reader);
  reader.finish();
  const client = await openOperatorClient(database);
  try {
    let isDone = true;
    for (const id of ids) {
      const release = isItemId(id) ? itemRelease.safeParse({ id, vendor }) : undefined;
      const outcome = release?.success
        ? (await client.ask(releaseAnswer, 'POST', '/items/release', release.data)).outcome
        : 'malformed';
      print(`${id}: ${OUTCOMES[outcome]}`);
      isDone &&= outcome === 'released';
    }
    return isDone;
  } finally {
    await client.close();
  }
}

const OUTCOMES = {
  released: 'released; the next vendor that uses this id has it. Waiting changes of it are refused as item_unknown',
  item_unknown: 'this vendor has no such id',
  malformed: 'no item id, or no name of a vendor',
} as const;

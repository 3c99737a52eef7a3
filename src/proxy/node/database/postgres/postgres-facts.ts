import type { EditId } from '../../../../domain/edit.js';
import type { ItemId } from '../../../../domain/item.js';
import { FIND_FACTS, type AcceptanceFacts } from './postgres-acceptance-statements.js';
import type { Queries } from './postgres-connection.js';

export interface FactsWanted {
  readonly keys?: readonly { readonly vendor: string; readonly subject: string; readonly idempotencyKey: string }[];
  /** Of each the item, whose it is in the lane, the edit of that id, and whether it had that stamp. */
  readonly items: readonly {
    readonly vendor: string;
    readonly lane: string;
    readonly id: ItemId;
    readonly edit_id?: EditId | undefined;
    readonly base?: string | undefined;
  }[];
  /** What is new stands in these. */
  readonly lines: readonly { readonly vendor: string; readonly lane: string; readonly bulk: boolean }[];
}

export async function findFacts(
  transaction: Queries,
  { keys = [], items, lines }: FactsWanted,
): Promise<AcceptanceFacts> {
  const based = items.flatMap(({ vendor, id, base }) =>
    base === undefined ? [] : [{ vendor, id, stamp: Date.parse(base) }],
  );
  const [facts] = await transaction.query<AcceptanceFacts>(
    FIND_FACTS,
    keys.map(({ vendor }) => vendor),
    keys.map(({ subject }) => subject),
    keys.map(({ idempotencyKey }) => idempotencyKey),
    items.map(({ vendor }) => vendor),
    items.map(({ edit_id }) => edit_id ?? null),
    items.map(({ id }) => id),
    items.map(({ lane }) => lane),
    based.map(({ vendor }) => vendor),
    based.map(({ id }) => id),
    based.map(({ stamp }) => stamp),
    lines.map(({ lane }) => lane),
    lines.map(({ bulk }) => bulk),
    lines.map(({ vendor }) => vendor),
  );
  if (facts === undefined) throw new TypeError('the book has one row');
  return facts;
}

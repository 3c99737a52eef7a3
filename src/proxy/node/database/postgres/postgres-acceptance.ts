import type { EditId } from '../../../../domain/edit.js';
import type { Receipt } from '../../../../contract/widget.js';
import { judge, type NewEdit } from '../../../outbox/acceptance-rules.js';
import type { Acceptance, Accepted, Asker } from '../../../outbox/outbox.js';
import { INTERACTIVE_EDITS } from '../../../outbox/fair-order.js';
import { factsOf, itemFacts, receiptOf, unchanged, type EditRow, type Written } from '../outbox-rows.js';
import { Appending, type Wish } from './postgres-appending.js';
import { FIND_EDITS, HOLD_FOR_STANDBY, type AcceptanceFacts } from './postgres-acceptance-statements.js';
import type { Queries } from './postgres-connection.js';
import { findFacts } from './postgres-facts.js';
import { withAllSides } from './postgres-reading.js';

/**
 * Accepts batches of one transaction: two ways to the server for all of them. Batches that touch the same item, edit or
 * key have to see what the earlier wrote, so they go one round after the other.
 */
export async function acceptTogether(
  transaction: Queries,
  batches: readonly Acceptance[],
): Promise<Written<Accepted>[]> {
  const answers: Written<Accepted>[] = [];
  while (answers.length < batches.length) {
    answers.push(...(await acceptRound(transaction, independentFrom(batches, answers.length))));
  }
  return answers;
}

export async function receipts(
  queries: Queries,
  { vendor, subject }: Asker,
  ids: readonly EditId[],
): Promise<Receipt[]> {
  const rows = await queries.query<EditRow>(FIND_EDITS, vendor, ids);
  const byId = new Map(rows.map((row) => [row.edit_id, row]));
  const known = ids.flatMap((id) => byId.get(id) ?? []);
  return withAllSides(
    queries,
    known.map((row) => receiptOf(row, subject)),
    (index) => known[index]?.base,
    { vendor, subject },
  );
}

async function acceptRound(transaction: Queries, batches: readonly Acceptance[]): Promise<Written<Accepted>[]> {
  const facts = await findFacts(transaction, {
    keys: batches,
    items: batches.flatMap(({ vendor, lane, edits }) => edits.map((edit) => ({ vendor, lane, ...edit }))),
    lines: batches.map((batch) => ({ vendor: batch.vendor, lane: batch.lane, bulk: isBulk(batch) })),
  });
  const keys = new Map(facts.keys.map((key) => [key.at, key]));
  const earlier = new Map(facts.edits.map((row) => [nameOf(row.vendor, row.edit_id), row]));
  const items = new Map(facts.items.map((item) => [nameOf(item.vendor, item.id), item]));
  const foreign = new Map(facts.foreign.map(({ at, vendor }) => [at, vendor]));
  let first = 0;
  const bases = new Set(facts.bases.map((base) => JSON.stringify(base)));
  const appending = new Appending(facts);
  const answers: Written<Accepted>[] = [];
  for (const [at, batch] of batches.entries()) {
    const from = first;
    first += batch.edits.length;
    const key = keys.get(at);
    if (key !== undefined) {
      answers.push(unchanged(await repeated(transaction, batch, key)));
      continue;
    }
    const known = batch.edits.map((edit) => earlier.get(nameOf(batch.vendor, edit.edit_id)));
    const judgement = judge(batch, {
      earlier: known.map(factsOf),
      items: batch.edits.map((edit, index) => {
        const stranger = foreign.get(from + index);
        return stranger === undefined
          ? itemFacts(items.get(nameOf(batch.vendor, edit.id)))
          : { vendor: stranger, lastStamp: 0 };
      }),
      knowsBase: (index, base) => bases.has(JSON.stringify([batch.vendor, batch.edits[index]?.id, base])),
    });
    if (judgement.kind === 'refused') {
      answers.push(unchanged(judgement.why));
      continue;
    }
    const made = judgement.edits.map((edit) => appending.edit(wishOf(batch, edit)));
    const ids = batch.edits.map((edit) => edit.edit_id);
    const { vendor, subject, idempotencyKey, digest, now } = batch;
    appending.key({ vendor, subject, key: idempotencyKey, digest, edit_ids: ids, accepted_at: now });
    const all = known.flatMap((row) => (row === undefined ? (made.shift() ?? []) : [receiptOf(row, subject)]));
    const told = await withAllSides(transaction, all, (index) => batch.edits[index]?.base, batch);
    answers.push({ answer: { kind: 'accepted', receipts: told }, changed: [vendor] });
  }
  await appending.write(transaction);
  return answers;
}

async function repeated(
  transaction: Queries,
  batch: Acceptance,
  key: AcceptanceFacts['keys'][number],
): Promise<Accepted> {
  if (key.digest !== batch.digest) return { kind: 'idempotency_key_reused' };
  await transaction.query(HOLD_FOR_STANDBY);
  return { kind: 'accepted', receipts: await receipts(transaction, batch, key.edit_ids) };
}

function wishOf(batch: Acceptance, { edit, stamp, state, was }: NewEdit): Wish {
  return {
    vendor: batch.vendor,
    subject: batch.subject,
    name: batch.name ?? null,
    edit_id: edit.edit_id,
    item: edit.id,
    label: edit.label ?? null,
    lane: batch.lane,
    bulk: isBulk(batch),
    available: edit.available,
    was: was ?? null,
    clicked_at: edit.updated_at,
    base: edit.base ?? null,
    stamp,
    accepted_at: batch.now,
    retry_of: null,
    state,
    reason: state === 'conflict' ? 'changed_meanwhile' : null,
  };
}

/** The batches from there on that have nothing to do with one another. */
function independentFrom(batches: readonly Acceptance[], start: number): Acceptance[] {
  const touched = new Set<string>();
  const independent: Acceptance[] = [];
  for (const batch of batches.slice(start)) {
    const { vendor, subject, lane, idempotencyKey, edits } = batch;
    const own = [
      JSON.stringify([vendor, subject, idempotencyKey]),
      ...edits.flatMap(({ id, edit_id }) => [
        JSON.stringify({ vendor, id }),
        JSON.stringify({ lane, id }),
        nameOf(vendor, edit_id),
      ]),
    ];
    if (own.some((name) => touched.has(name))) break;
    for (const name of own) touched.add(name);
    independent.push(batch);
  }
  return independent;
}

function nameOf(vendor: string, id: string): string {
  return JSON.stringify([vendor, id]);
}

function isBulk({ edits }: Acceptance): boolean {
  return edits.length > INTERACTIVE_EDITS;
}

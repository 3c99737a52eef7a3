import type { EditId } from '../../domain/edit.js';
import type { Receipt } from '../../contract/widget.js';
import { judge, nextStamp, type ItemFacts, type NewEdit } from '../acceptance.js';
import type { Acceptance, Accepted, Asker, Decided, Decision } from '../outbox.js';
import { INTERACTIVE_EDITS } from '../sending-order.js';
import { factsOf, receiptOf, unchanged, type EditRow, type Written } from './outbox-rows.js';
import { Appending, isUntried, type Wish } from './postgres-appending.js';
import {
  DISCARD,
  FIND_ANY_EDIT,
  FIND_EDITS,
  FIND_FACTS,
  NOTE_DECISION,
  REVIEW_ITEM,
  type AcceptanceFacts,
  type ItemFactsRow,
} from './postgres-acceptance-statements.js';
import type { Queries } from './postgres-connection.js';
import { bringForward } from './postgres-line.js';
import { withAllSides } from './postgres-reading.js';

type Retry = Extract<Decision['verdict'], { kind: 'retry' }>;

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

export async function decide(transaction: Queries, decision: Decision): Promise<Written<Decided>> {
  const { vendor, editId, by, verdict } = decision;
  const rows =
    vendor === undefined
      ? await transaction.query<EditRow>(FIND_ANY_EDIT, editId)
      : await transaction.query<EditRow>(FIND_EDITS, vendor, [editId]);
  const [row, ...others] = rows;
  if (row === undefined) return unchanged({ kind: 'edit_unknown' });
  if (others.length > 0) return unchanged({ kind: 'edit_ambiguous', vendors: rows.map((one) => one.vendor) });
  const parked = row.state === 'refused' || row.state === 'conflict';
  if (!parked && !(verdict.kind === 'discard' && isUntried(row))) {
    return unchanged({ kind: 'edit_settled', receipt: receiptOf(row, by) });
  }
  const receipt =
    verdict.kind === 'discard'
      ? await discard(transaction, row, decision)
      : await retry(transaction, row, verdict, decision);
  return { answer: { kind: 'decided', receipt }, changed: [row.vendor] };
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
    subject,
  );
}

async function acceptRound(transaction: Queries, batches: readonly Acceptance[]): Promise<Written<Accepted>[]> {
  const facts = await findFacts(transaction, batches);
  const keys = new Map(facts.keys.map((key) => [key.at, key]));
  const earlier = new Map(facts.edits.map((row) => [JSON.stringify([row.vendor, row.edit_id]), row]));
  const items = new Map(facts.items.map((item) => [item.id, item]));
  const bases = new Set(facts.bases.map((base) => JSON.stringify(base)));
  const appending = new Appending(facts);
  const answers: Written<Accepted>[] = [];
  for (const [at, batch] of batches.entries()) {
    const key = keys.get(at);
    if (key !== undefined) {
      answers.push(unchanged(await repeated(transaction, batch, key)));
      continue;
    }
    const known = batch.edits.map((edit) => earlier.get(JSON.stringify([batch.vendor, edit.edit_id])));
    const judgement = judge(batch, {
      earlier: known.map(factsOf),
      items: batch.edits.map((edit) => itemFacts(items.get(edit.id))),
      knowsBase: (index, base) => bases.has(JSON.stringify([batch.edits[index]?.id, base])),
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
    const told = await withAllSides(transaction, all, (index) => batch.edits[index]?.base, subject);
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
  return { kind: 'accepted', receipts: await receipts(transaction, batch, key.edit_ids) };
}

async function findFacts(transaction: Queries, batches: readonly Acceptance[]): Promise<AcceptanceFacts> {
  const edits = batches.flatMap((batch) => batch.edits.map((edit) => ({ vendor: batch.vendor, ...edit })));
  const based = edits.flatMap(({ id, base }) => (base === undefined ? [] : [{ id, stamp: Date.parse(base) }]));
  const [facts] = await transaction.query<AcceptanceFacts>(
    FIND_FACTS,
    batches.map(({ vendor }) => vendor),
    batches.map(({ subject }) => subject),
    batches.map(({ idempotencyKey }) => idempotencyKey),
    edits.map(({ vendor }) => vendor),
    edits.map(({ edit_id }) => edit_id),
    edits.map(({ id }) => id),
    based.map(({ id }) => id),
    based.map(({ stamp }) => stamp),
    batches.map(({ lane }) => lane),
    batches.map(isBulk),
    batches.map(({ vendor }) => vendor),
  );
  if (facts === undefined) throw new TypeError('the book has one row');
  return facts;
}

async function discard(transaction: Queries, row: EditRow, { by, now }: Decision): Promise<Receipt> {
  await transaction.query(DISCARD, row.seq, by, now);
  await transaction.query(REVIEW_ITEM, row.item_id);
  await bringForward(transaction, row.item_id);
  return receiptOf({ ...row, state: 'discarded' }, by);
}

async function retry(
  transaction: Queries,
  row: EditRow,
  verdict: Retry,
  { by, name, now }: Decision,
): Promise<Receipt> {
  const lines = [[row.lane], [false], [row.vendor]];
  const [facts] = await transaction.query<AcceptanceFacts>(
    FIND_FACTS,
    [],
    [],
    [],
    [],
    [],
    [row.item_id],
    [],
    [],
    ...lines,
  );
  if (facts === undefined) throw new TypeError('the book has one row');
  const [item] = facts.items;
  await transaction.query(NOTE_DECISION, row.seq, by);
  const appending = new Appending(facts);
  const receipt = appending.edit({
    vendor: row.vendor,
    subject: by,
    name: name ?? null,
    edit_id: verdict.newId,
    item: row.item_id,
    label: null,
    lane: row.lane,
    bulk: false,
    available: Boolean(row.available),
    was: item?.available ?? null,
    clicked_at: row.clicked_at,
    base: row.base,
    stamp: nextStamp(now + verdict.portalOffset, item?.last_stamp, verdict.stampUnit),
    accepted_at: now,
    retry_of: row.edit_id,
    state: 'received',
    reason: null,
  });
  await appending.write(transaction);
  return receipt;
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
    const { vendor, subject, idempotencyKey, edits } = batch;
    const own = [
      JSON.stringify([vendor, subject, idempotencyKey]),
      ...edits.flatMap(({ id, edit_id }) => [JSON.stringify([id]), JSON.stringify([vendor, edit_id])]),
    ];
    if (own.some((name) => touched.has(name))) break;
    for (const name of own) touched.add(name);
    independent.push(batch);
  }
  return independent;
}

function itemFacts(item: ItemFactsRow | undefined): ItemFacts | undefined {
  if (item === undefined) return undefined;
  const { vendor, last_stamp: lastStamp, available, stamp } = item;
  return { vendor, lastStamp, ...(stamp !== null && { newest: { available: available === true, stamp } }) };
}

function isBulk({ edits }: Acceptance): boolean {
  return edits.length > INTERACTIVE_EDITS;
}

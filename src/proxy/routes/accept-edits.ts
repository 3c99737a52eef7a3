import type { ProblemCode } from '../../contract/problem.js';
import { fieldErrors, MAX_FIELD_ERRORS } from '../../contract/validation-errors.js';
import { editBatch, type EditBatch, type Receipt } from '../../contract/widget.js';
import { type EditId, toEditIds } from '../../domain/edit.js';
import { canAccessItem, hasPermission, visibleReceipt } from '../access/permissions.js';
import type { ProxySession } from '../access/session.js';
import { assignListed, listOwnership } from '../http/list-ownership.js';
import { ApiError, jsonResponse, permissionMissing } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';
import { newEditId } from '../outbox/commands.js';
import type { AcceptBatchCommand, AcceptResult, AcceptedEdit } from '../outbox/outbox.js';
import { BodyTooLarge, declaredLength, readBody as readBounded, decodeText } from '../runtime/read-body.js';
import { parsePreferWait, waitForReceipts } from './read-receipts.js';

/**
 * `POST /v1/inventory`: validates the whole batch, stores it in one transaction and answers 202 with a receipt for each
 * edit. If anything is rejected, nothing of the batch is stored.
 */
export async function acceptEdits(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'edit')) throw permissionMissing('edit');
  if (!(await context.acceptsMore())) throw new ApiError('overloaded');
  const idempotencyKey = readIdempotencyKey(request);
  const body = await readSessionBody(request, session, context);
  // The limit covers storing only, not reading, so a client that sends its body slowly occupies no slot.
  const { accepted, lane } = await acceptBatch(body, idempotencyKey, session, context);
  if (accepted.kind !== 'accepted') throw batchRefusal(accepted);
  context.wake(lane);
  return answerReceipts(request, accepted.receipts, session, context);
}

export function readIdempotencyKey(request: Request): string {
  const key = request.headers.get('Idempotency-Key') ?? '';
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new ApiError('idempotency_key_required');
  return key;
}

export async function readSessionBody(
  request: Request,
  session: ProxySession,
  { bodySemaphore, limits: { maxBodyBytes }, signOuts }: RouteContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const leave = bodySemaphore.acquire(session, Math.min(declaredLength(request) ?? Infinity, maxBodyBytes));
  const body = await readBody(request, maxBodyBytes).finally(leave);
  // Reading the body may have taken a minute, long enough for the person to sign out.
  if (signOuts.hasEnded(session)) throw new ApiError('session_required');
  return body;
}

/** Maps the reason why a batch was not stored to the public error. */
export function batchRefusal(refused: Exclude<AcceptResult, { kind: 'accepted' }>): ApiError {
  switch (refused.kind) {
    case 'idempotency_key_reused':
      return new ApiError('idempotency_key_reused');
    case 'edit_id_reused':
    case 'item_unknown':
      return itemRefusal(refused.kind, refused.indices);
    case 'list_unread':
      return new ApiError('items_unverifiable', undefined, { 'Retry-After': '60' });
  }
}

type Batch = Omit<AcceptBatchCommand, 'lane' | 'lists'>;

async function acceptBatch(
  body: Uint8Array<ArrayBuffer>,
  idempotencyKey: string,
  session: ProxySession,
  context: RouteContext,
): Promise<Stored> {
  const { batch, stored } = await context.batchLimit.run(async () => {
    const prepared = await prepareBatch(body, idempotencyKey, session, context);
    return { batch: prepared, stored: await storeBatch(prepared, context) };
  });
  const { kind } = stored.accepted;
  if (kind !== 'item_unknown' && kind !== 'list_unread') return stored;
  // Outside the concurrency limit, because reading a list may take seconds.
  return (await hasNewOwners(batch.vendor, context))
    ? context.batchLimit.run(() => storeBatch(batch, context))
    : stored;
}

async function prepareBatch(
  body: Uint8Array<ArrayBuffer>,
  idempotencyKey: string,
  session: ProxySession,
  context: RouteContext,
): Promise<Batch> {
  const { edits, text, sentAt } = parseBatch(body, context.limits.maxEdits);
  const { vendor, subject, name } = session;
  refuseDuplicates(edits);
  // The digest leaves out `sent_at`, which differs each time the same batch is sent.
  const digest = await context.digest(text);
  // Before any check of the ids, so that guessing the ids of another vendor costs as much as editing.
  context.rateLimits.consumeEdits(session, edits.length);
  refuseOutOfScope(edits, session);
  const timestamps = await context.timestampSettings();
  // The wall clock is read together with the settings: it may be set while the steps below wait.
  return { vendor, subject, name, idempotencyKey, digest, edits, sentAt, now: context.clock.wall(), ...timestamps };
}

interface Stored {
  readonly accepted: AcceptResult;
  readonly lane: string;
}

async function storeBatch(batch: Batch, context: RouteContext): Promise<Stored> {
  // The last wait before the transaction, so that lane and owners come from the same settings as the stored items.
  await context.whenItemsAreAssigned();
  const lane = context.laneOf(batch.vendor);
  const lists = listOwnership(batch.vendor, context);
  return { accepted: await context.outbox.accept({ ...batch, lane, lists }), lane };
}

/** Reads the list again, because the operator may have added the item since. @returns whether any owner may have changed */
async function hasNewOwners(vendor: string, context: RouteContext): Promise<boolean> {
  if (listOwnership(vendor, context) === undefined) return false;
  const isReadAgain = (await context.itemCatalog?.readAgain(vendor)) === true;
  return (await assignListed(vendor, context)).length > 0 || isReadAgain;
}

function refuseOutOfScope(edits: readonly AcceptedEdit[], session: ProxySession): void {
  if (session.items === undefined) return;
  const foreign = indicesWhere(edits, ({ id }) => !canAccessItem(session, id));
  if (foreign.length > 0) throw itemRefusal('item_unknown', foreign);
}

/**
 * 202 once the batch is durable. With `Prefer: wait`: 200 as soon as the portal has settled all edits, 202 at the deadline.
 */
function answerReceipts(
  request: Request,
  receipts: readonly Receipt[],
  session: ProxySession,
  context: RouteContext,
): Response | Promise<Response> {
  const seconds = parsePreferWait(request);
  if (seconds === undefined) return jsonResponse({ receipts: visibleReceipts(session, receipts) }, 202);
  return answerSettled(toEditIds(receipts), session, seconds, context);
}

/** Separate from {@link answerReceipts} so that a waiting request keeps only the ids of a batch in memory. */
async function answerSettled(
  ids: readonly EditId[],
  session: ProxySession,
  seconds: number,
  { outbox, clock, stopSignal }: RouteContext,
): Promise<Response> {
  const waited = await waitForReceipts(outbox, session, ids, { seconds, clock, stopSignal });
  return jsonResponse({ receipts: visibleReceipts(session, waited.receipts) }, waited.settled ? 200 : 202, {
    'Preference-Applied': `wait=${String(seconds)}`,
  });
}

export function visibleReceipts(session: ProxySession, receipts: readonly Receipt[]): Receipt[] {
  return receipts.map((receipt) => visibleReceipt(session, receipt));
}

const BODY_READ = 'A body was read before the inventory proxy could: mount it before what reads bodies.';

export async function readBody(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  // A mistake in the host's server: with a body that was read already, every batch would be rejected as invalid JSON.
  if (request.bodyUsed) throw new Error(BODY_READ);
  try {
    return await readBounded(request, max);
  } catch (error) {
    throw new ApiError(error instanceof BodyTooLarge ? 'body_too_large' : 'invalid_json');
  }
}

function refuseDuplicates(batch: readonly AcceptedEdit[]): void {
  const items = new Set<string>();
  const edits = new Set<string>();
  // If a set has not grown, it had the id already. Comparing sizes saves a separate lookup.
  const repeated = indicesWhere(batch, ({ id, edit_id }) => {
    const before = items.size + edits.size;
    items.add(id);
    edits.add(edit_id);
    return items.size + edits.size < before + 2;
  });
  if (repeated.length > 0) throw itemRefusal('duplicate_item', repeated);
}

function itemRefusal(code: ProblemCode, indices: readonly number[]): ApiError {
  const named = indices.slice(0, MAX_FIELD_ERRORS);
  return new ApiError(
    code,
    named.map((index) => ({ pointer: `/inventory/${String(index)}`, message: code })),
  );
}

function indicesWhere<T>(values: readonly T[], matches: (value: T) => boolean): number[] {
  const indices: number[] = [];
  values.forEach((value, index) => {
    if (matches(value)) indices.push(index);
  });
  return indices;
}

/** A validated batch. */
export interface ParsedBatch {
  readonly edits: readonly AcceptedEdit[];
  /** The edits as JSON with the fields in a fixed order, from which the digest of the batch is computed. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number | undefined;
}

/**
 * Parses and validates a batch.
 *
 * @param body body of the request
 * @throws {ApiError} if the body is not JSON, does not match the schema or has more than `maxEdits` edits
 */
export function parseBatch(body: Uint8Array<ArrayBuffer>, maxEdits: number): ParsedBatch {
  const json = parseJson(body);
  // The limit is checked first, so that the caller learns the limit instead of a thousand field errors.
  if (countEdits(json) > maxEdits) throw new ApiError('too_many_edits');
  const batch = editBatch.safeParse(json);
  if (!batch.success) throw new ApiError('invalid_body', fieldErrors(batch.error));
  const { inventory, sent_at } = batch.data;
  return {
    edits: inventory.map((edit) => ({ ...edit, edit_id: edit.edit_id ?? newEditId() })),
    text: JSON.stringify(inventory.map(inFieldOrder)),
    sentAt: sent_at === undefined ? undefined : Date.parse(sent_at),
  };
}

export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(body));
  } catch {
    throw new ApiError('invalid_json');
  }
}

/** The field order is part of the stored digests, so it must not change. */
function inFieldOrder(edit: EditBatch['inventory'][number]): object {
  const { id, available, updated_at, base, edit_id, label, change_set, from } = edit;
  return { id, available, updated_at, base, edit_id, label, change_set, from };
}

function countEdits(json: unknown): number {
  const inventory = typeof json === 'object' && json !== null && 'inventory' in json ? json.inventory : undefined;
  return Array.isArray(inventory) ? inventory.length : 0;
}

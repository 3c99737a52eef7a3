import type { z } from 'zod/mini';
import { revertRequest, type revertedChangeSet } from '../../contract/history.js';
import { fieldErrors } from '../../contract/validation-errors.js';
import { isEditId } from '../../domain/edit.js';
import { canAccessItem, hasPermission, isOwnedByOther } from '../access/permissions.js';
import { scopeOf } from '../access/session-scope.js';
import type { ProxySession } from '../access/session.js';
import { listOwnership } from '../http/list-ownership.js';
import { ApiError, jsonResponse, permissionMissing } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';
import { newEditId } from '../outbox/commands.js';
import { batchRefusal, parseJson, readIdempotencyKey, readSessionBody, visibleReceipts } from './accept-edits.js';

/**
 * `POST /v1/change-sets/{id}/revert`: sets the items of a change set back to their previous values with ordinary edits.
 * Items that have changed since are skipped and named. Each request covers as many edits of the set as a batch may have,
 * newest first. They count against the rate limit as a batch of the same size, so `bulk` applies in the same way.
 */
export async function revertChangeSet(
  request: Request,
  session: ProxySession,
  context: RouteContext,
  id: string,
): Promise<Response> {
  if (!hasPermission(session, 'edit')) throw permissionMissing('edit');
  if (!hasPermission(session, 'history')) throw permissionMissing('history');
  if (!isEditId(id)) throw new ApiError('change_set_unknown');
  if (!(await context.acceptsMore())) throw new ApiError('overloaded');
  const idempotencyKey = readIdempotencyKey(request);
  const body = parseRequest(await readSessionBody(request, session, context));
  const { vendor, subject, name } = session;
  const reverted = {
    changeSet: id,
    subject: body.subject,
    before: body.cursor === undefined ? undefined : Number(body.cursor),
    limit: context.limits.maxEdits,
    within: scopeOf(session)?.selectionsAfter(undefined),
  };
  const digest = await context.digest(JSON.stringify(['revert', id, body.subject, body.cursor, body.change_set]));
  const found = (await context.outbox.history(vendor, reverted)).length;
  if (found === 0 && body.cursor === undefined) throw new ApiError('change_set_unknown');
  context.rateLimits.consumeEdits(session, found);
  // The wall clock is read after the settings: it may be set while they are loaded.
  const timestamps = { ...(await context.timestampSettings()), now: context.clock.wall() };
  await context.whenItemsAreAssigned();
  const lane = context.laneOf(vendor);
  const result = await context.batchLimit.run(() =>
    context.outbox.revert({
      vendor,
      subject,
      name,
      lane,
      idempotencyKey,
      digest,
      reverted,
      lists: listOwnership(vendor, context),
      hasOtherOwner: isOwnedByOther(vendor, context),
      changeSet: body.change_set ?? newEditId(),
      newId: newEditId,
      ...timestamps,
    }),
  );
  if (result.kind !== 'reverted') throw batchRefusal(result);
  context.wake(lane);
  const { receipts, skipped, changeSet, next } = result;
  const answer: z.infer<typeof revertedChangeSet> = {
    // The response under this key may first have gone to a session with access to more items.
    receipts: visibleReceipts(
      session,
      receipts.filter((receipt) => canAccessItem(session, receipt.id)),
    ),
    skipped: [...skipped],
    ...(changeSet !== undefined && { change_set: changeSet }),
    ...(next !== undefined && { next: String(next) }),
  };
  return jsonResponse(answer, 202);
}

function parseRequest(body: Uint8Array): z.infer<typeof revertRequest> {
  const parsed = revertRequest.safeParse(body.length === 0 ? {} : parseJson(body));
  if (!parsed.success) throw new ApiError('invalid_body', fieldErrors(parsed.error));
  return parsed.data;
}

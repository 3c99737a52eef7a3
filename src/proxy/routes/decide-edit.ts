import { isEditId } from '../../domain/edit.js';
import { ApiError, jsonResponse, permissionMissing } from '../http/problem-response.js';
import { newEditId } from '../outbox/commands.js';
import { listOwnership } from '../http/list-ownership.js';
import { canAccessItem, hasPermission, isOwnedByOther, visibleReceipt } from '../access/permissions.js';
import type { RouteContext } from '../http/route-context.js';
import type { ProxySession } from '../access/session.js';

/**
 * `POST /v1/edits/{edit_id}/retry` and `/discard`: a person's decision about an edit. A retry is a new edit, queued after
 * all others of its item, and is rejected whenever a new edit would be. A discard is possible until the first attempt, or
 * while the edit awaits a decision. A person with `edit` may decide about their own edits; edits of other people need
 * `resolve`.
 */
export async function decideEdit(
  kind: 'retry' | 'discard',
  session: ProxySession,
  context: RouteContext,
  editId: string,
): Promise<Response> {
  if (!hasPermission(session, 'edit') && !hasPermission(session, 'resolve')) throw permissionMissing('edit', 'resolve');
  if (!isEditId(editId)) throw new ApiError('edit_unknown');
  const [receipt] = await context.outbox.receipts(session, [editId]);
  if (receipt === undefined || !canAccessItem(session, receipt.id)) throw new ApiError('edit_unknown');
  if (receipt.by !== undefined && !hasPermission(session, 'resolve')) {
    // Without `view` a session does not learn that another person made the edit.
    throw hasPermission(session, 'view') ? permissionMissing('resolve') : new ApiError('edit_unknown');
  }
  const hasOtherOwner = isOwnedByOther(session.vendor, context)(receipt.id);
  if (kind === 'retry') {
    if (hasOtherOwner) throw new ApiError('item_unknown');
    if (!(await context.acceptsMore())) throw new ApiError('overloaded');
    context.rateLimits.consumeEdits(session, 1);
  }
  const newEdit = { newId: newEditId(), ...(await context.timestampSettings()) };
  const decided = await context.outbox.decide({
    vendor: session.vendor,
    by: session.subject,
    name: session.name,
    editId,
    // If another vendor owns the item by now, its value is not resent: only the owner may choose it.
    verdict: kind === 'retry' ? { kind, ...newEdit } : { kind, ...(!hasOtherOwner && { resend: newEdit }) },
    lists: listOwnership(session.vendor, context),
    now: context.clock.wall(),
  });
  switch (decided.kind) {
    case 'decided':
      context.wake();
      return jsonResponse({ receipts: [visibleReceipt(session, decided.receipt)] }, kind === 'retry' ? 202 : 200);
    case 'edit_unknown':
    case 'edit_ambiguous':
      throw new ApiError('edit_unknown');
    case 'item_unknown':
      throw new ApiError('item_unknown');
    case 'edit_settled':
      throw new ApiError('edit_settled');
  }
}

import { type EditId, isEditId } from '../../domain/edit.js';
import { isSettled } from '../../domain/edit-state.js';
import { MAX_EDITS } from '../../contract/fields.js';
import type { Receipt } from '../../contract/widget.js';
import { canAccessItem, hasPermission } from '../access/permissions.js';
import type { ProxySession } from '../access/session.js';
import { ApiError, jsonResponse, permissionMissing } from '../http/problem-response.js';
import type { RouteContext } from '../http/route-context.js';
import type { Clock } from '../runtime/clock.js';
import type { Viewer, Outbox } from '../outbox/outbox.js';

/** Longest wait for `Prefer: wait` (RFC 7240 section 4.3). A page that needs longer polls again. */
export const MAX_WAIT_SECONDS = 10;

/** `GET /v1/receipts?ids=`: the receipts of these edits, without those of items that the session may not access. */
export async function readReceipts(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',');
  const wellFormed: EditId[] = ids.filter(isEditId);
  // A page polls the receipts of several batches at once, so a configured lower limit for one batch does not apply here.
  const max = Math.max(context.limits.maxEdits, MAX_EDITS);
  if (wellFormed.length !== ids.length || ids.length > max) throw new ApiError('invalid_query');
  const receipts = await context.outbox.receipts(session, wellFormed);
  return jsonResponse({ receipts: receipts.filter((receipt) => canAccessItem(session, receipt.id)) });
}

/** @returns the wait in seconds, capped at `MAX_WAIT_SECONDS`; `undefined` without such a preference */
export function parsePreferWait(request: Request): number | undefined {
  const match = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(request.headers.get('Prefer') ?? '');
  return match === null ? undefined : Math.min(Number(match[1]), MAX_WAIT_SECONDS);
}

/**
 * Resolves with the receipts as soon as all are settled, or with their present state at the deadline. It also resolves when
 * the proxy stops, because then nothing is delivered any more and the store may close before the deadline.
 */
export async function waitForReceipts(
  outbox: Outbox,
  viewer: Viewer,
  ids: readonly EditId[],
  wait: { readonly seconds: number; readonly clock: Clock; readonly stopSignal: AbortSignal },
): Promise<{ readonly receipts: readonly Receipt[]; readonly settled: boolean }> {
  const { clock, stopSignal } = wait;
  const deadline = clock.monotonic() + wait.seconds * 1000;
  let changed = false;
  let wake: (() => void) | undefined;
  function notify(): void {
    changed = true;
    wake?.();
  }
  const leave = outbox.subscribe((whose) => {
    if (whose === viewer.vendor) notify();
  });
  // The signal outlives the request, so the listener is removed at the end.
  stopSignal.addEventListener('abort', notify);
  try {
    for (;;) {
      changed = false;
      const receipts = await outbox.receipts(viewer, ids);
      const settled = receipts.every((receipt) => isSettled(receipt.state));
      const left = deadline - clock.monotonic();
      if (settled || left <= 0 || stopSignal.aborted) return { receipts, settled };
      if (changed) continue;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(left, resolve);
        wake = () => {
          cancel();
          resolve();
        };
      });
    }
  } finally {
    leave();
    stopSignal.removeEventListener('abort', notify);
  }
}

import { itemRelease, operatorDecision } from '../../contract/operator.js';
import { toProblemCode, jsonResponse, problemResponse, ApiError } from '../http/problem-response.js';
import { readText } from '../runtime/read-body.js';
import type { Clock } from '../runtime/clock.js';
import { newEditId } from '../outbox/commands.js';
import { parseUntrustedJson } from '../runtime/untrusted-json.js';
import type { ItemCatalog } from '../access/item-catalog.js';
import type { IsIsolated } from '../access/listed-ids.js';
import { noLog, type Log } from '../runtime/log.js';
import type { Outbox } from '../outbox/outbox.js';
import { isOwnedByOther } from '../access/permissions.js';
import type { TimestampSettings } from '../http/route-context.js';

const PAGE = 200;
const MAX_BODY_BYTES = 4096;

export interface OperatorOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly timestampSettings: () => Promise<TimestampSettings>;
  readonly wake: () => void;
  /** Whether the outbox accepts new edits now; a retry is a new edit. */
  readonly acceptsMore: () => Promise<boolean>;
  readonly isIsolated: IsIsolated;
  /** The operator's lists, which may name another owner than the edit's vendor by now. */
  readonly itemCatalog?: ItemCatalog | undefined;
  readonly log?: Log;
}

/**
 * What an operator may see and decide, over all vendors: `GET /edits?after=`, `POST /edits`, `POST /items/release`. It
 * checks no session, so it must only be served where the operator alone can connect: on a Unix socket with mode 0600.
 */
export function createOperatorHandler(options: OperatorOptions): (request: Request) => Promise<Response> {
  const { outbox, clock, log = noLog } = options;

  async function list(request: Request): Promise<Response> {
    const after = Number(new URL(request.url).searchParams.get('after') ?? 0);
    const edits = await outbox.waiting({ after: Number.isSafeInteger(after) ? after : 0, limit: PAGE });
    const last = edits.at(-1);
    return jsonResponse({ edits, ...(edits.length === PAGE && last !== undefined && { next: last.seq }) });
  }

  async function decide(request: Request): Promise<Response> {
    const asked = operatorDecision.safeParse(parseUntrustedJson(await readText(request.body, MAX_BODY_BYTES)));
    if (!asked.success) throw new ApiError('invalid_body');
    const { verdict, edit_id, vendor, by } = asked.data;
    if (verdict === 'retry' && !(await options.acceptsMore())) throw new ApiError('overloaded');
    const newEdit = { newId: newEditId(), ...(await options.timestampSettings()) };
    const decided = await outbox.decide({
      vendor,
      by,
      editId: edit_id,
      verdict: verdict === 'retry' ? { kind: 'retry', ...newEdit } : { kind: 'discard', resend: newEdit },
      hasOtherOwner: (owner, id) => isOwnedByOther(owner, options)(id),
      now: clock.wall(),
    });
    options.wake();
    if (decided.kind === 'edit_unknown' || decided.kind === 'item_unknown')
      return jsonResponse({ outcome: decided.kind });
    if (decided.kind === 'edit_ambiguous') return jsonResponse({ outcome: decided.kind, vendors: decided.vendors });
    return jsonResponse({ outcome: decided.kind, state: decided.receipt.state, edit_id: decided.receipt.edit_id });
  }

  async function release(request: Request): Promise<Response> {
    const parsed = itemRelease.safeParse(parseUntrustedJson(await readText(request.body, MAX_BODY_BYTES)));
    if (!parsed.success) throw new ApiError('invalid_body');
    const { vendor, id } = parsed.data;
    const isReleased = await outbox.releaseItem(vendor, id, Math.floor(clock.wall()));
    return jsonResponse({ outcome: isReleased ? 'released' : 'item_unknown' });
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/items/release') {
      if (request.method === 'POST') return release(request);
      throw new ApiError('method_not_allowed', undefined, { Allow: 'POST' });
    }
    if (pathname !== '/edits') throw new ApiError('route_unknown');
    if (request.method === 'GET') return list(request);
    if (request.method === 'POST') return decide(request);
    throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, POST' });
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      const requestId = crypto.randomUUID();
      const problem = error instanceof ApiError ? error : new ApiError(toProblemCode(error));
      if (problem !== error) {
        log('error', 'request failed', { request_id: requestId, code: problem.code, error: String(error) });
      }
      return problemResponse(problem, requestId);
    }
  };
}

import { operatorDecision } from '../../contract/operator.js';
import { failureCode, jsonAnswer, problemAnswer, Refusal, responseOf, type Answer } from '../http/problem-response.js';
import { readText } from '../runtime/read-body.js';
import type { Clock } from '../runtime/clock.js';
import { newEditId } from './accept-edits.js';
import { parseForeignJson } from '../portal/answer.js';
import type { ItemsSource, Separates } from '../access/item-catalog.js';
import { silent, type Log } from '../runtime/log.js';
import type { Outbox } from '../outbox/outbox.js';
import { isListedForAnother } from '../access/permissions.js';
import type { Stamping } from '../http/route-context.js';

const PAGE = 200;
const MOST_BYTES = 4096;

export interface OperatorOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly stamping: () => Promise<Stamping>;
  readonly wake: () => void;
  /** Whether new edits are taken in now: a retry is one. */
  readonly mayAccept: () => Promise<boolean>;
  readonly separates: Separates;
  /** Whose an item is by now, where there are lists. */
  readonly itemsSource?: ItemsSource | undefined;
  readonly log?: Log;
}

/**
 * What an operator may see and decide, over all vendors: `GET /edits?after=`, `POST /edits`. It asks for no session, so it
 * must be served where nobody but the operator comes in: a socket with mode 0600.
 */
export function createOperatorHandler(options: OperatorOptions): (request: Request) => Promise<Response> {
  const { outbox, clock, log = silent } = options;

  async function list(request: Request): Promise<Answer> {
    const after = Number(new URL(request.url).searchParams.get('after') ?? 0);
    const edits = await outbox.waiting({ after: Number.isSafeInteger(after) ? after : 0, limit: PAGE });
    const last = edits.at(-1);
    return jsonAnswer({ edits, ...(edits.length === PAGE && last !== undefined && { next: last.seq }) });
  }

  async function decide(request: Request): Promise<Answer> {
    const asked = operatorDecision.safeParse(parseForeignJson(await readText(request.body, MOST_BYTES)));
    if (!asked.success) throw new Refusal('invalid_body');
    const { verdict, edit_id, vendor, by } = asked.data;
    if (verdict === 'retry' && !(await options.mayAccept())) throw new Refusal('overloaded');
    const wish = { newId: newEditId(), ...(await options.stamping()) };
    const decided = await outbox.decide({
      vendor,
      by,
      editId: edit_id,
      verdict: verdict === 'retry' ? { kind: 'retry', ...wish } : { kind: 'discard', standing: wish },
      isAnothers: (owner, id) => isListedForAnother(owner, options)(id),
      now: clock.wall(),
    });
    options.wake();
    if (decided.kind === 'edit_unknown' || decided.kind === 'item_unknown')
      return jsonAnswer({ outcome: decided.kind });
    if (decided.kind === 'edit_ambiguous') return jsonAnswer({ outcome: decided.kind, vendors: decided.vendors });
    return jsonAnswer({ outcome: decided.kind, state: decided.receipt.state, edit_id: decided.receipt.edit_id });
  }

  async function answer(request: Request): Promise<Answer> {
    if (new URL(request.url).pathname !== '/edits') throw new Refusal('route_unknown');
    if (request.method === 'GET') return list(request);
    if (request.method === 'POST') return decide(request);
    throw new Refusal('method_not_allowed', undefined, { Allow: 'GET, POST' });
  }

  return async (request) => {
    try {
      return responseOf(await answer(request));
    } catch (error) {
      const requestId = crypto.randomUUID();
      const refusal = error instanceof Refusal ? error : new Refusal(failureCode(error));
      if (refusal !== error) {
        log('error', 'request failed', { request_id: requestId, code: refusal.code, error: String(error) });
      }
      return responseOf(problemAnswer(refusal, requestId));
    }
  };
}

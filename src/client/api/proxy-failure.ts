import type { EditQueue } from '../queue/edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import type { QueuedEdit } from '../storage/edit-table.js';

/** As the fields of `ProxyFailure` say. */
export interface FailureOptions {
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number;
  readonly isRefused?: boolean;
  readonly sortOut?: SortOut | undefined;
}

/** Takes note of the edits of a refused batch that are refused for good. @returns batches of the others, to be sent again */
export type SortOut = (
  batch: readonly QueuedEdit[],
  at: { readonly queue: EditQueue; readonly ledger: ItemLedger },
) => Promise<(readonly QueuedEdit[])[]>;

/**
 * Why a call to the proxy or to the host's session URL did not succeed. `code` is a problem code of the proxy, or one of
 * ours: `unreachable`, `unreadable`, `session_refused`, `session_unreachable`, `session_changed`. Texts for people are chosen by it.
 */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code: string;
  /** Lets an operator find the request in the proxy's log. */
  readonly requestId: string | undefined;
  /** Milliseconds before which the proxy does not want to hear of it again. */
  readonly retryAfterMs: number;
  /** The proxy has not done what was asked for, for certain. */
  readonly isRefused: boolean;
  /** Only where it is about what a batch says, and the same batch would be refused again. */
  readonly sortOut: SortOut | undefined;

  constructor(code: string, message?: string, options: FailureOptions = {}) {
    super(message);
    this.code = code;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.isRefused = options.isRefused ?? code.startsWith('session_');
    this.sortOut = options.sortOut;
  }
}

/** What was asked or answered is about somebody else. */
export function sessionChanged(): ProxyFailure {
  return new ProxyFailure('session_changed');
}

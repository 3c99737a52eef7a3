import { inventoryUpdate } from '../../src/contract/portal.js';
import type { VirtualClock } from './virtual-clock.js';

/**
 * What the sender knows about a call after its end. `turned away`: the portal has not applied it, and it may be repeated.
 * `unread`: a response that does not tell whether the call was applied. `unknown`: no response, or one that leaves open
 * whether the portal has applied the call or still will.
 */
export type CallEnd = 'taken' | 'refused' | 'unauthorized' | 'turned away' | 'unread' | 'unknown';

export interface SentCall {
  /** The process that sent the call, counted from 1. */
  readonly process: number;
  /** The time by the monotonic clock, as all times here. */
  readonly at: number;
  readonly items: readonly { readonly id: string; readonly updated_at: string }[];
  /** `undefined` while the call is in flight. It stays undefined if its process was killed in the meantime. */
  end: { readonly at: number; readonly how: CallEnd; readonly askedToWaitMs: number } | undefined;
}

const NEVER_LEFT = 'ECONNREFUSED';

/**
 * The update calls of a proxy in virtual time, in the order in which they were sent, as observed at the proxy's end of the
 * connection.
 */
export class SentCalls {
  readonly all: SentCall[] = [];
  /** The times at which processes were killed. */
  readonly killed = new Map<number, number>();
  readonly #clock: VirtualClock;
  #processes = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** The number of processes that were started, which is also the number of the newest one. */
  get processes(): number {
    return this.#processes;
  }

  /** Records that the newest process is killed. */
  noteKill(): void {
    this.killed.set(this.#processes, this.#clock.monotonic());
  }

  /** @param isCut called when a call is sent; returns whether its response will be cut short */
  by(send: typeof fetch, isCut: () => boolean): typeof fetch {
    const process = (this.#processes += 1);
    return async (input, init) => {
      const { inventory } = inventoryUpdate.parse(JSON.parse(String(init?.body)));
      const call: SentCall = { process, at: this.#clock.monotonic(), items: inventory, end: undefined };
      this.all.push(call);
      const isUnread = isCut();
      try {
        const answer = await send(input, init);
        this.#end(call, isUnread ? 'unknown' : howItEnded(answer), waitIn(answer));
        return answer;
      } catch (error) {
        this.#end(call, neverLeft(error) ? 'turned away' : 'unknown', 0);
        throw error;
      }
    };
  }

  #end(call: SentCall, how: CallEnd, askedToWaitMs: number): void {
    call.end = { at: this.#clock.monotonic(), how, askedToWaitMs };
  }
}

function howItEnded({ status, headers }: Response): CallEnd {
  if (status === 401) return 'unauthorized';
  if (status === 429 || status === 503) return 'turned away';
  if (status >= 500) return 'unknown';
  if (status >= 400) return 'refused';
  return headers.get('Content-Type')?.startsWith('application/json') === true ? 'taken' : 'unread';
}

function waitIn({ headers }: Response): number {
  return Number(headers.get('Retry-After') ?? 0) * 1000;
}

function neverLeft(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === NEVER_LEFT;
}

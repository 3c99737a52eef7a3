import { inventoryUpdate } from '../../src/contract/portal.js';
import type { VirtualClock } from './virtual-clock.js';

/**
 * What the sender of a call knows once it is over. `turned away`: not applied, come again. `unread`: an answer, and no word
 * of what became of the call. `unknown`: no answer, or one that leaves open whether the portal has acted or still will.
 */
export type CallEnd = 'taken' | 'refused' | 'unauthorized' | 'turned away' | 'unread' | 'unknown';

export interface SentCall {
  /** The process that sent it, counted from 1. */
  readonly process: number;
  /** By the monotonic clock, as all times here. */
  readonly at: number;
  readonly items: readonly { readonly id: string; readonly updated_at: string }[];
  /** `undefined` while it is under way, and for ever where its process was killed meanwhile. */
  end: { readonly at: number; readonly how: CallEnd; readonly askedToWaitMs: number } | undefined;
}

const NEVER_LEFT = 'ECONNREFUSED';

/** The updates that left a proxy in virtual time, in the order in which they left, seen at its end of the wire. */
export class SentCalls {
  readonly all: SentCall[] = [];
  /** When each process was killed that did not stop by itself. */
  readonly killed = new Map<number, number>();
  readonly #clock: VirtualClock;
  #processes = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** So many were started; the newest has this number. */
  get processes(): number {
    return this.#processes;
  }

  /** The process that was started last is killed. */
  noteKill(): void {
    this.killed.set(this.#processes, this.#clock.monotonic());
  }

  /** @param isCut asked when a call leaves: whether its answer breaks off */
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

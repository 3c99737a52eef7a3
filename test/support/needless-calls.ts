import type { CallEnd, SentCall, SentCalls } from './sent-calls.js';

const BACK_OFF_BASE_MS = 1_000;
const BACK_OFF_CAP_MS = 5 * 60_000;
/** After a web page, at least. */
const PAGE_PAUSE_MS = 1_000;
/** A failure that the next call has to wait for. */
const FAILED: ReadonlySet<CallEnd> = new Set(['turned away', 'unknown']);

export interface Surroundings {
  /** The least that the dice fell at this moment, if they fell; by the monotonic clock, as all times here. */
  readonly leastThrow: (at: number) => number | undefined;
  /** When the clock was set back that the next start goes by. */
  readonly setBack: readonly number[];
}

/** I11. @returns a sentence for each call that had no cause, or came before its time */
export function needlessCalls(sent: SentCalls, surroundings: Surroundings): string[] {
  return [...withoutCause(sent, surroundings), ...tooSoon(sent, surroundings)];
}

/**
 * An item and its stamp are sent once, and then once more for each of these, and for nothing else:
 * - a fault: their last call failed, got a page or was not let in;
 * - a split: their last call was refused with others in it;
 * - an unknown outcome of their own: the process was killed while their last call was open, or at the very moment of its
 *   answer, before that could be settled;
 * - an unknown outcome that an older value of the item is in: once for each, when nothing can land any longer.
 *
 * So it is calls <= 1 + faults + splits + unknowns for each item and stamp by itself, and none may save a cause for later.
 */
function withoutCause(sent: SentCalls, { setBack }: Surroundings): string[] {
  const wrong: string[] = [];
  const callsOf = new Map<string, ValueSent[]>();
  const saidAgain = new Counts<string>();
  const forClocks = new Counts<string>();
  for (const call of sent.all) {
    for (const { id, updated_at } of call.items) {
      const earlier = callsOf.get(id) ?? [];
      callsOf.set(id, [...earlier, { call, updated_at }]);
      const last = earlier.map((one) => one.updated_at).lastIndexOf(updated_at);
      const end = earlier[last]?.call.end;
      if (earlier[last] === undefined || mayFollow(earlier[last].call, sent)) continue;
      if (end?.how === 'taken' && saidAgain.of(id) < doubtsIn(earlier.slice(0, last + 1), sent)) saidAgain.add(id);
      // When an attempt was made is not known afterwards, nor until when it may land.
      else if (end?.how === 'taken' && forClocks.of(updated_at + id) < setBack.filter((at) => at <= call.at).length) {
        forClocks.add(updated_at + id);
      } else wrong.push(`${id} ${updated_at} was sent again after it was ${end?.how ?? 'still under way'}`);
    }
  }
  return wrong;
}

interface ValueSent {
  readonly call: SentCall;
  readonly updated_at: string;
}

/** Whether what is in this call may be sent again for what became of it. */
function mayFollow(call: SentCall, sent: SentCalls): boolean {
  const { end, items } = call;
  if (isOpenAtKill(call, sent)) return true;
  if (end === undefined) return false;
  return end.how === 'refused' ? items.length > 1 : end.how !== 'taken';
}

function isOpenAtKill({ process, end }: SentCall, { killed }: SentCalls): boolean {
  const killedAt = killed.get(process);
  return killedAt !== undefined && (end === undefined || end.at >= killedAt);
}

/**
 * Unknown outcomes among these calls of one item, of which the last is a yes to its newest value. A kill counts without a
 * call that shows it: the attempt was open, and waited for a token.
 */
function doubtsIn(calls: readonly ValueSent[], sent: SentCalls): number {
  const last = calls.at(-1);
  if (last === undefined || calls.every(({ updated_at }) => updated_at === last.updated_at)) return 0;
  const unknown = calls.filter(({ call }) => call.end?.how === 'unknown').length;
  return unknown + [...sent.killed.values()].filter((at) => at <= last.call.at).length;
}

/**
 * The nth failure in a row is followed by a wait of 2^(n-1) seconds, five minutes at most, times what the dice say: one
 * layer asks again, and two of them would not wait for each other. Where the portal names a wait, that one counts.
 * Each process is judged for itself: of failures in a row it knows what it saw itself, and sometimes what others left it.
 */
function tooSoon({ all, killed }: SentCalls, { leastThrow }: Surroundings): string[] {
  const inARow = new Map<number, number>();
  return all.flatMap((call, at) => {
    const { end, process } = call;
    if (end === undefined || (killed.get(process) ?? Infinity) <= end.at) return [];
    const failures = FAILED.has(end.how) ? (inARow.get(process) ?? 0) + 1 : 0;
    inARow.set(process, failures);
    const later = all.slice(at + 1);
    const next = later.find((one) => one.process === process);
    if (next === undefined) return [];
    const passed = next.at - end.at;
    const backOff = Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** (failures - 1)) * (leastThrow(end.at) ?? 1);
    if (failures > 0 && passed < (end.askedToWaitMs || backOff)) {
      return [`${String(passed)} ms after failure ${String(failures)} in a row the portal was asked again`];
    }
    return end.how === 'unread' && passed < PAGE_PAUSE_MS && !isGivenUp(call, later)
      ? [`${String(passed)} ms after a web page the portal was asked again`]
      : [];
  });
}

/** A page that one item gets alone may refuse it: then the portal is well. */
function isGivenUp({ items }: SentCall, later: readonly SentCall[]): boolean {
  const [{ id, updated_at } = { id: '', updated_at: '' }] = items;
  const comesAgain = later.some((call) => call.items.some((one) => one.id === id && one.updated_at === updated_at));
  return items.length === 1 && !comesAgain;
}

class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
  }
}

import type { CallEnd, SentCall, SentCalls } from './sent-calls.js';

const BACK_OFF_BASE_MS = 1_000;
const BACK_OFF_CAP_MS = 5 * 60_000;
/** The shortest pause after a web page as the response. */
const PAGE_PAUSE_MS = 1_000;
/** Failures after which the next call has to wait. */
const FAILED: ReadonlySet<CallEnd> = new Set(['turned away', 'unknown']);

export interface Surroundings {
  /**
   * The smallest random number that was drawn at this moment, if one was drawn. All times here are by the monotonic clock.
   */
  readonly leastThrow: (at: number) => number | undefined;
  /** The times at which the wall clock that the next start uses was set back. */
  readonly setBack: readonly number[];
}

/** Checks invariant I11. @returns a sentence for each call that had no cause, or came too early */
export function needlessCalls(sent: SentCalls, surroundings: Surroundings): string[] {
  return [...withoutCause(sent, surroundings), ...tooSoon(sent, surroundings)];
}

/**
 * A value of an item (its id and timestamp) is sent once, and once more for each of these causes, and for no other:
 *
 * - a fault: its last call failed, got a web page or was unauthorized;
 * - a split: its last call was rejected together with other values;
 * - an unknown outcome of its own: the process was killed while its last call was open, or at the very moment of the
 *   response, before that could be recorded;
 * - an unknown outcome of an older value of the item: once for each, when no earlier call can take effect any more.
 *
 * So calls <= 1 + faults + splits + unknowns holds for each value separately, and no cause may be used later.
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
      // After the clock was set back, the process knows neither when an attempt was made nor until when it may take effect.
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

/** Whether the values of this call may be sent again because of its end. */
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
 * The number of unknown outcomes among these calls of one item, the last of which delivered its newest value. A kill counts
 * even without an open call, because the attempt may have been waiting for a token.
 */
function doubtsIn(calls: readonly ValueSent[], sent: SentCalls): number {
  const last = calls.at(-1);
  if (last === undefined || calls.every(({ updated_at }) => updated_at === last.updated_at)) return 0;
  const unknown = calls.filter(({ call }) => call.end?.how === 'unknown').length;
  return unknown + [...sent.killed.values()].filter((at) => at <= last.call.at).length;
}

/**
 * The nth failure in a row is followed by a wait of 2^(n-1) seconds, at most five minutes, times a random number. Only one
 * layer retries, because two layers would not wait for each other. If the portal names a wait, that one applies instead.
 * Each process is judged separately: it knows the failures in a row that it saw itself, and only sometimes those of an
 * earlier process.
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

/**
 * Whether the edit was given up: a single item may be rejected for a web page, because the portal then works for other
 * items.
 */
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

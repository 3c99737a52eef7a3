import type { Socket } from 'node:net';
import { inventoryUpdate, type PortalItem } from '../../src/contract/portal.js';
import { parseUntrustedJson } from '../../src/proxy/runtime/untrusted-json.js';
import type { JournalEntry } from '../../src/sandbox/journal.js';
import type { PortalOfRecord } from './portal-of-record.js';

/** A cause of unknown outcomes: the end of a process or a storage fault. Times are milliseconds of the wall clock. */
interface Interruption {
  readonly from: number;
  /** When all calls from before had been received. */
  to: number;
  /** The maximum number of calls that may have been between their attempt and their outcome. */
  calls: number;
}

/** The call timeout in the profile of most scenarios. A call that timed out arrives within twice this time. */
const USUAL_CALL_MS = 2_000;

/** The outcomes that the proxies of a scenario could not know. */
export class UnknownOutcomes {
  readonly uncertainMs: number;
  readonly interruptions: Interruption[] = [];
  readonly #arrivals = new Arrivals();
  readonly #lastOn = new Map<Socket, readonly string[]>();
  readonly #brokenOff = new Set<string>();

  constructor(callMs = USUAL_CALL_MS) {
    this.uncertainMs = 2 * callMs;
  }

  /**
   * @param calls the number of calls that `listen` does not detect
   * @returns a function to call once all earlier calls have been received, with the number of affected calls if it is
   *   known by then
   */
  begin(calls = 0): (caught?: number) => void {
    const interruption = { from: Date.now(), to: Infinity, calls };
    this.interruptions.push(interruption);
    return (caught = calls) => {
      interruption.to = Date.now();
      interruption.calls = caught;
    };
  }

  /** Records every update from now on, whatever the portal does with it. */
  listen(portal: PortalOfRecord): void {
    const behaviour = portal.misbehaviour;
    portal.misbehaviour = async (call) => {
      if (call.path === '/v1/inventory') {
        const heard = (body: Buffer): void => {
          const update = inventoryUpdate.safeParse(parseUntrustedJson(body.toString()));
          this.hear(call.request.socket, update.data?.inventory ?? []);
        };
        // The caller was killed during its call.
        call.body().then(heard, () => undefined);
      }
      return behaviour === undefined ? call.serve() : behaviour(call);
    };
  }

  /**
   * A call is the last one on its connection if its caller times out, as on a busy machine, or is killed: the
   * response may not have been read.
   */
  hear(socket: Socket, inventory: readonly PortalItem[]): void {
    if (!this.#lastOn.has(socket)) {
      socket.once('close', () => this.#lastOn.get(socket)?.forEach((arrival) => this.#brokenOff.add(arrival)));
    }
    this.#lastOn.set(
      socket,
      inventory.map((item) => this.#arrivals.name(item)),
    );
  }

  isBrokenOff(arrival: string): boolean {
    return this.#brokenOff.has(arrival);
  }
}

/** Distinguishes calls with the same item and timestamp. */
class Arrivals {
  readonly #counts = new Map<string, number>();

  name({ id, updated_at }: PortalItem): string {
    const word = `${updated_at} ${id}`;
    const count = (this.#counts.get(word) ?? 0) + 1;
    this.#counts.set(word, count);
    return `${word} ${String(count)}`;
  }
}

interface Call {
  /** Its index among the updates. */
  readonly place: number;
  readonly at: number;
  readonly applied: boolean;
}

/** One item in one call. */
interface Arrival {
  readonly name: string;
  readonly call: Call;
  readonly updated_at: string;
}

/**
 * I12. The portal gets a value twice only if the outcome of the first call was unknown, or that of an older value of
 * the item, which may arrive after it. A proxy has one call in flight for all its edits and stores its outcome before
 * the next, so that
 * - an interruption leaves only the last call before it unknown;
 * - a proxy that takes over from a holder that stored no outcome waits for the end of the lease first: that is no less
 *   than twice the call timeout after the call was sent.
 *
 * @returns a sentence for each unexplained duplicate
 */
export function needlessDuplicates(journal: readonly JournalEntry[], unknown: UnknownOutcomes): string[] {
  const updates = journal.filter(({ kind, inventory }) => kind === 'update' && inventory !== null);
  const doubts = new Doubts(
    updates.map(({ at }) => Date.parse(at)),
    unknown,
  );
  const arrivals = new Arrivals();
  const ofItem = new Map<string, readonly Arrival[]>();
  const broken: string[] = [];
  for (const [place, { at, applied, inventory }] of updates.entries()) {
    const call = { place, applied, at: Date.parse(at) };
    for (const item of inventory ?? []) {
      const { id, updated_at } = item;
      const earlier = ofItem.get(id) ?? [];
      ofItem.set(id, [...earlier, { name: arrivals.name(item), call, updated_at }]);
      const first = earlier.filter((one) => one.call.applied && one.updated_at === updated_at).at(-1);
      if (!applied || first === undefined || doubts.isUnknown(first) || doubts.mayAsk(id, first, call, earlier))
        continue;
      broken.push(`${id}: ${updated_at} was sent twice, and the first call had its answer`);
    }
  }
  return broken;
}

/** Each interruption explains duplicates of few calls, and of each item in them once. */
class Doubts {
  readonly #times: readonly number[];
  readonly #unknown: UnknownOutcomes;
  readonly #caught: ReadonlyMap<Interruption, Set<number>>;
  readonly #settled = new Set<string>();

  constructor(times: readonly number[], unknown: UnknownOutcomes) {
    this.#times = times;
    this.#unknown = unknown;
    this.#caught = new Map(unknown.interruptions.map((one) => [one, new Set()]));
  }

  /** Uses the latest of several interruptions, because calls that an earlier one affected came before. */
  isUnknown({ name, call }: Arrival): boolean {
    if (this.#unknown.isBrokenOff(name) || this.#isLeftToAnother(call)) return true;
    const around = [...this.#caught]
      .filter(([one, calls]) => this.#isAround(one, call) && (calls.has(call.place) || calls.size < one.calls))
      .at(-1);
    around?.[1].add(call.place);
    return around !== undefined;
  }

  /** Whether a value with a response may be resent, after the time in which an older one could still arrive. */
  mayAsk(id: string, first: Arrival, again: Call, earlier: readonly Arrival[]): boolean {
    const { interruptions, uncertainMs } = this.#unknown;
    const upToIt = earlier.filter((one) => one.updated_at <= first.updated_at);
    if (upToIt.every(({ updated_at }) => updated_at === first.updated_at)) return false;
    const isOver = (since: number): boolean => since + uncertainMs <= again.at;
    const brokenOff = upToIt
      .filter(({ name, call }) => (this.#unknown.isBrokenOff(name) || this.#isLeftToAnother(call)) && isOver(call.at))
      .map(({ name }) => name);
    const interrupted = interruptions.flatMap((one, at) =>
      isOver(one.from) && upToIt.some((arrival) => this.#wasClosed(one, arrival, earlier))
        ? [`${id} ${String(at)}`]
        : [],
    );
    const doubt = [...brokenOff, ...interrupted].find((one) => !this.#settled.has(one));
    if (doubt !== undefined) this.#settled.add(doubt);
    return doubt !== undefined;
  }

  /** Whether its call was in flight or waited for a token, so that it came first after the interruption. */
  #wasClosed(one: Interruption, arrival: Arrival, all: readonly Arrival[]): boolean {
    if (one.calls > 0 && this.#isAround(one, arrival.call)) return true;
    const first = all.find(({ updated_at }) => updated_at === arrival.updated_at);
    return first === arrival && arrival.call.at >= one.from && Date.parse(arrival.updated_at) <= one.to;
  }

  #isAround({ from, to }: Interruption, { at, place }: Call): boolean {
    return at <= to && from <= (this.#times[place + 1] ?? Infinity);
  }

  #isLeftToAnother({ at, place }: Call): boolean {
    return (this.#times[place + 1] ?? Infinity) - at >= this.#unknown.uncertainMs;
  }
}

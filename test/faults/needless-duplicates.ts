import type { Socket } from 'node:net';
import { inventoryUpdate, type PortalItem } from '../../src/contract/portal.js';
import { parseUntrustedJson } from '../../src/proxy/runtime/untrusted-json.js';
import type { JournalEntry } from '../../src/sandbox/journal.js';
import type { PortalOfRecord } from './portal-of-record.js';

/** What left the outcome of calls unknown: the end of a process, a fault of its storage. Milliseconds of the wall clock. */
interface Interruption {
  readonly from: number;
  /** When all that had left before had been received. */
  to: number;
  /** How many calls at most it may have caught between their opening and their settling. */
  calls: number;
}

/** How long a call takes at most, by the profile of most rows; nothing that was given up lands later than twice of it. */
const USUAL_CALL_MS = 2_000;

/** What a row knows of outcomes that its proxies could not know. */
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
   * @param calls that the connections do not tell of (`listen`)
   * @returns to be called once all that left before has been received; it may say how many calls were caught
   */
  begin(calls = 0): (caught?: number) => void {
    const interruption = { from: Date.now(), to: Infinity, calls };
    this.interruptions.push(interruption);
    return (caught = calls) => {
      interruption.to = Date.now();
      interruption.calls = caught;
    };
  }

  /** Hears every update from now on, whatever the portal does with it. */
  listen(portal: PortalOfRecord): void {
    const behaviour = portal.misbehaviour;
    portal.misbehaviour = async (call) => {
      if (call.path === '/v1/inventory') {
        const heard = (body: Buffer): void => {
          const update = inventoryUpdate.safeParse(parseUntrustedJson(body.toString()));
          this.hear(call.request.socket, update.data?.inventory ?? []);
        };
        // A caller that is gone says no more.
        call.body().then(heard, () => undefined);
      }
      return behaviour === undefined ? call.serve() : behaviour(call);
    };
  }

  /**
   * A call is the last on its connection where its caller times out, as on a busy machine, or is killed: the
   * answer may not have been read.
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

/** Tells the calls that have one item and one stamp from each other. */
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
  /** Its place among the updates. */
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
 * I12. The portal gets a value twice only where the outcome of the first call was unknown, or that of an older value of the
 * item, which may land after it. A proxy has one call in flight for all its edits and settles it before the next, so that
 * - an interruption leaves the last call before it unknown, and none else;
 * - who takes over from a holder that came too late to settle waits for the end of the lease first: that is no less than
 *   twice the time of a call after the call left.
 *
 * @returns a sentence for each duplicate that nothing explains
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

/** Each interruption is a doubt of few calls, and of each item in them once. */
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

  /** Of several interruptions the latest is meant: whatever call an earlier one has caught came before this one. */
  isUnknown({ name, call }: Arrival): boolean {
    if (this.#unknown.isBrokenOff(name) || this.#isLeftToAnother(call)) return true;
    const around = [...this.#caught]
      .filter(([one, calls]) => this.#isAround(one, call) && (calls.has(call.place) || calls.size < one.calls))
      .at(-1);
    around?.[1].add(call.place);
    return around !== undefined;
  }

  /** Whether a value with an answer may be said once more, when an older one cannot land any longer. */
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

  /** Its call was under way, or waited for a token, so that it came first after the interruption. */
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

import type { EditState } from '../../../../domain/edit-state.js';
import { afterDelivery, unsureAfter, type Unsure } from '../../../outbox/uncertain-outcome.js';
import type { Lease, Settlement } from '../../../outbox/outbox.js';
import { wholeTime } from '../outbox-rows.js';
import type { Queries } from './postgres-connection.js';
import {
  CLOSE,
  END_ATTEMPTS,
  SETTLE,
  type EndedRow,
  type OpenableRow,
  type OpenRow,
  type PlacedRow,
  type SettledItemRow,
  type SettledRow,
} from './postgres-delivery-statements.js';
import { refuseYielding } from './postgres-moving-items.js';

export type Ending = 'delivered' | 'refused' | 'waiting' | 'unknown' | 'split';

/** What became of one open edit. What is absent stays as it is. */
export interface Outcome {
  readonly ending: Ending;
  readonly state?: EditState;
  readonly reason?: string | null;
  readonly settledAt?: number;
  /** It pauses until then. */
  readonly dueAt?: number;
  /** It comes back to the head of the line. */
  readonly comesBack?: boolean;
  /** `null`: nothing is unsure any more. */
  readonly unsure?: Unsure | null | undefined;
  /** When the newest delivered value is said once more; `null`: it is not. */
  readonly againAt?: number | null;
}

export function outcomeOf(row: OpenRow, settlement: Settlement, lease: Lease, now: number): Outcome {
  if (row.state === 'delivered') return outcomeOfSaying(row, settlement, lease, now);
  switch (settlement.kind) {
    case 'delivered':
      return {
        ending: 'delivered',
        state: 'delivered',
        reason: null,
        settledAt: settlement.settledAt ?? now,
        ...sureOf(row, now),
      };
    case 'refused': {
      // Replaced meanwhile: nobody has to decide about it any more.
      const state = row.plain === row.seq ? 'refused' : 'superseded';
      return { ending: 'refused', state, reason: settlement.reason, settledAt: settlement.settledAt ?? now };
    }
    case 'waiting': {
      const unsure = doubtOf(row, settlement, lease, now);
      return { ending: 'waiting', reason: settlement.reason ?? null, dueAt: wholeTime(settlement.dueAt), unsure };
    }
  }
}

/** A value that was said once more stays delivered, whatever the portal answers; only whether to ask again is open. */
function outcomeOfSaying(row: OpenRow, settlement: Settlement, lease: Lease, now: number): Outcome {
  if (settlement.kind === 'refused') return { ending: 'refused', againAt: null };
  if (settlement.kind === 'delivered') return { ending: 'delivered', ...sureOf(row, now) };
  return { ending: 'waiting', againAt: wholeTime(settlement.dueAt), unsure: doubtOf(row, settlement, lease, now) };
}

/** What an earlier holder of the lane left open. */
export function outcomeOfLost(row: OpenRow, now: number, unsureMs: number): Outcome {
  return { ending: 'unknown', unsure: notSure(row, now, unsureMs), comesBack: row.state === 'received' };
}

function notSure(row: OpenRow, now: number, forMs: number): Unsure {
  return unsureAfter(unsureOf(row), row.seq, now, wholeTime(forMs));
}

function doubtOf(
  row: OpenRow,
  { uncertain }: Extract<Settlement, { kind: 'waiting' }>,
  { want }: Lease,
  now: number,
): Unsure | undefined {
  return uncertain ? notSure(row, now, uncertain === 'answered' ? 0 : want.unsureMs) : undefined;
}

function sureOf(
  row: OpenRow,
  now: number,
): { readonly againAt: number | null; readonly unsure: Unsure | null | undefined } {
  const before = unsureOf(row);
  const delivery = { openedAt: row.opened_at, now, lateUntil: row.late_until ?? undefined };
  const { unsure, againAt = null } = afterDelivery(before, row.seq, delivery);
  return { againAt, unsure: unsure === before ? undefined : null };
}

function unsureOf({ unsure_until: until, unsure_seq: seq }: OpenRow): Unsure | undefined {
  return until === null || seq === null ? undefined : { until, seq };
}

/** Those whose item yields: in the lane the id is another vendor's by now. @returns the vendors of whom something was */
export async function refuseForeign(
  transaction: Queries,
  { lane }: Lease,
  wanted: readonly { readonly row: OpenableRow }[],
  { clock, now }: { readonly clock: number; readonly now: number },
): Promise<Set<string>> {
  const foreign = wanted.flatMap(({ row }) => (row.yields ? [{ ...row, lane }] : []));
  if (foreign.length === 0) return new Set();
  const open = foreign.flatMap(({ open_attempt: attempt }) => attempt ?? []);
  if (open.length > 0) {
    const seqs = foreign.map(({ seq }) => seq);
    await transaction.query(CLOSE, seqs);
    const ended = countEndings(open.map((attempt) => [attempt, 'refused']));
    await transaction.query(END_ATTEMPTS, clock, JSON.stringify(ended));
  }
  return refuseYielding(transaction, foreign, now);
}

/** Ends of attempts on their way into the tables: everything is worked out here, and written at once. */
export class Settling {
  readonly #now: number;
  readonly #edits: SettledRow[] = [];
  readonly #placed: PlacedRow[] = [];
  readonly #items: SettledItemRow[] = [];
  readonly #endings: [attempt: number, ending: Ending][] = [];
  readonly #revisions = new VendorRevisions();

  constructor(now: number) {
    this.#now = now;
  }

  /** At most one edit of an item: one is open at a time. */
  add(row: OpenRow, outcome: Outcome): void {
    const state = outcome.state ?? row.state;
    const againAt = outcome.againAt === undefined ? row.again_at : outcome.againAt;
    const waits = outcome.dueAt !== undefined || outcome.comesBack === true;
    this.#edits.push({
      seq: row.seq,
      state,
      reason: outcome.reason === undefined ? row.reason : outcome.reason,
      settled_at: outcome.settledAt ?? row.settled_at,
      due_at: outcome.dueAt ?? (waits ? 0 : ownAgain(row, state, againAt)),
      turn: outcome.comesBack === true ? row.head : null,
    });
    if (!waits) this.#bringForward(row, state, againAt);
    // People see it change, but not when a value is only said again.
    const seen = row.state === 'received' && outcome.ending !== 'unknown';
    this.#items.push({
      vendor: row.vendor,
      id: row.item,
      revision: seen ? this.#revisions.next(row) : null,
      unsure_until: outcome.unsure === undefined ? row.unsure_until : (outcome.unsure?.until ?? null),
      unsure_seq: outcome.unsure === undefined ? row.unsure_seq : (outcome.unsure?.seq ?? null),
      again_at: againAt,
    });
    this.#endings.push([row.open_attempt, outcome.ending]);
  }

  async write(transaction: Queries): Promise<void> {
    if (this.#edits.length === 0) return;
    await transaction.query(
      SETTLE,
      this.#now,
      JSON.stringify(this.#edits),
      JSON.stringify(this.#placed),
      JSON.stringify(this.#items),
      JSON.stringify(countEndings(this.#endings)),
    );
  }

  /** What is first of its item now, if it is not placed yet. */
  #bringForward({ next, said }: OpenRow, state: EditState, againAt: number | null): void {
    if (next !== null) {
      if (!next.placed) this.#placed.push({ seq: next.seq, due_at: 0, turn: next.head });
    } else if (state !== 'delivered' && againAt !== null && said?.placed === false) {
      this.#placed.push({ seq: said.seq, due_at: againAt, turn: null });
    }
  }
}

/** The next revisions of some vendors. */
export class VendorRevisions {
  readonly #last = new Map<string, number>();

  /** @param newest of its vendor before the first of these */
  next({ vendor, revision: newest }: { readonly vendor: string; readonly revision: number }): number {
    const next = (this.#last.get(vendor) ?? newest) + 1;
    this.#last.set(vendor, next);
    return next;
  }
}

export function countEndings(endings: readonly (readonly [attempt: number, ending: Ending])[]): EndedRow[] {
  const counts = new Map<number, Record<Ending, number>>();
  for (const [attempt, ending] of endings) {
    const count = counts.get(attempt) ?? { delivered: 0, refused: 0, waiting: 0, unknown: 0, split: 0 };
    count[ending] += 1;
    counts.set(attempt, count);
  }
  return Array.from(counts, ([id, count]) => ({ id, ...count }));
}

/** A delivered value, the newest of its item, is due again when it has to be said again; a newer one goes before it. */
function ownAgain({ next }: OpenRow, state: EditState, againAt: number | null): number | null {
  return state === 'delivered' && next === null ? againAt : null;
}

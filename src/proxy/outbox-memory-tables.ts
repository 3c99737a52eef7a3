import type { EditId } from '../domain/edit.js';
import type { EditState } from '../domain/edit-state.js';
import type { Receipt } from '../contract/widget.js';
import { keyOf, MemoryItems } from './outbox-memory-items.js';
import {
  dueAtOf,
  newestCounted,
  newestPlain,
  receiptOf,
  type ItemRow,
  type LaneRow,
  type Row,
} from './outbox-memory-rows.js';
import type { Wish } from './outbox-memory-wishes.js';
import { afterDelivery, unsureAfter } from './outbox/uncertain-outcome.js';
import { LeaseLost } from './outbox/outbox.js';
import type { Asker, LaneOf, LaneWanted, Lease, OwnedItem, Settlement } from './outbox/outbox.js';

interface KeyRow {
  readonly digest: string;
  readonly ids: readonly EditId[];
  readonly acceptedAt: number;
}

/** The last that a vendor was given. */
interface Numbers {
  edit: number;
  revision: number;
}

/** The tables of the in-memory outbox and the few ways in which their rows change. */
export class MemoryTables {
  readonly items = new MemoryItems();
  readonly edits = new Map<string, Row>();
  readonly keys = new Map<string, KeyRow>();
  readonly lanes = new Map<string, LaneRow>();
  seq = 0;
  pruned = 0;
  readonly #last = new Map<string, Numbers>();

  edit(vendor: string, id: EditId): Row | undefined {
    return this.edits.get(keyOf(vendor, id));
  }

  /** @param vendor default: any, and two may have one of the same id */
  editsNamed(id: EditId, vendor?: string): Row[] {
    if (vendor !== undefined) return [this.edit(vendor, id) ?? []].flat();
    return [...this.edits.values()].filter(({ editId }) => editId === id);
  }

  receipts({ vendor, subject }: Asker, ids: readonly EditId[]): Receipt[] {
    return ids.flatMap((id) => this.edit(vendor, id) ?? []).map((row) => receiptOf(row, subject));
  }

  lane(name: string): LaneRow {
    const known = this.lanes.get(name);
    if (known !== undefined) return known;
    const state = { failures: 0, notBefore: 0 };
    const lane: LaneRow = { name, fence: 0, leaseUntil: -Infinity, state, rows: new Map() };
    this.lanes.set(name, lane);
    return lane;
  }

  held({ lane: name, fence }: Lease): LaneRow {
    const lane = this.lane(name);
    if (lane.fence !== fence) throw new LeaseLost(name);
    return lane;
  }

  append(item: ItemRow, wish: Wish): Row {
    // A conflict waits for a person; it replaces nothing.
    const conflict = wish.state === 'conflict';
    if (!conflict) this.#supersede(item, wish.acceptedAt);
    this.seq += 1;
    const last = this.#lastOf(wish.vendor);
    last.edit += 1;
    const row: Row = {
      ...wish,
      seq: this.seq,
      number: last.edit,
      item,
      reason: conflict ? 'changed_meanwhile' : undefined,
      attempts: 0,
      open: false,
      openedAt: 0,
      // At once, whatever the clock of acceptance says.
      dueAt: conflict ? undefined : 0,
      settledAt: undefined,
      decidedBy: undefined,
    };
    item.lastStamp = row.stamp;
    item.edits.push(row);
    this.edits.set(keyOf(row.vendor, row.editId), row);
    this.lane(row.lane).rows.set(row.seq, row);
    this.touch(item);
    return row;
  }

  discard(row: Row, now: number): void {
    this.#finish(row, 'discarded', now);
    this.touch(row.item);
  }

  settle(row: Row, settlement: Settlement, now: number, unsureMs: number): void {
    const { item } = row;
    const { uncertain = false, dueAt = undefined } = settlement.kind === 'waiting' ? settlement : {};
    if (uncertain) this.#notSure(row, now, uncertain === 'answered' ? 0 : unsureMs);
    // It stays delivered, whatever the portal answers now; only whether to say it again is open.
    if (settlement.edit.again) item.assertAt = dueAt;
    if (settlement.kind === 'delivered') {
      const delivery = { openedAt: row.openedAt, now, lateUntil: this.items.lateUntil(item) };
      ({ againAt: item.assertAt, unsure: item.unsure } = afterDelivery(item.unsure, row.seq, delivery));
    }
    if (settlement.edit.again) return;
    switch (settlement.kind) {
      case 'delivered':
        this.#finish(row, 'delivered', settlement.settledAt ?? now);
        break;
      case 'refused':
        row.reason = settlement.reason;
        this.#finish(row, newestPlain(item) === row ? 'refused' : 'superseded', settlement.settledAt ?? now);
        break;
      case 'waiting':
        row.reason = settlement.reason;
        row.dueAt = settlement.dueAt;
    }
    this.touch(item);
  }

  unpark(row: Row, reason: string, now: number): void {
    row.state = 'received';
    row.reason = reason;
    row.dueAt = now;
    row.settledAt = undefined;
    this.touch(row.item);
  }

  /** @returns whether its lane has the id for another vendor by now: what waits of the item is refused */
  refuseForeign(row: Row, now: number): boolean {
    if (row.lane !== row.item.lane || !this.items.isForeign(row.item)) return false;
    row.open = false;
    this.#refuseAll(row.item, now);
    return true;
  }

  touch(item: ItemRow): void {
    const last = this.#lastOf(item.vendor);
    last.revision += 1;
    item.revision = last.revision;
  }

  /** What an earlier holder of the lane left open may have been applied. */
  recover(lane: LaneRow, want: LaneWanted): void {
    for (const row of lane.rows.values()) {
      if (!row.open) continue;
      row.open = false;
      this.#notSure(row, want.now, want.unsureMs);
      if (row.state === 'received') row.dueAt = want.now;
    }
  }

  /** @returns the vendors of whom something was refused */
  moveLanes(laneOf: LaneOf, now: number): Set<string> {
    const refused = this.items.move(laneOf).filter((item) => this.#refuseAll(item, now));
    for (const row of this.edits.values()) {
      const lane = laneOf(row.vendor);
      if (row.open || row.lane === lane || dueAtOf(row) === undefined) continue;
      this.lane(row.lane).rows.delete(row.seq);
      row.lane = lane;
      this.lane(lane).rows.set(row.seq, row);
    }
    return new Set(refused.map(({ vendor }) => vendor));
  }

  /** @returns the vendors of whom something was refused */
  giveItems(lane: string, items: readonly OwnedItem[], now: number): Set<string> {
    const yielding = items.flatMap((item) => this.items.give(lane, item));
    return new Set(yielding.filter((item) => this.#refuseAll(item, now)).map(({ vendor }) => vendor));
  }

  limitWaits(now: number, furthest: number): void {
    for (const row of this.edits.values()) if ((row.dueAt ?? 0) > furthest) row.dueAt = now;
    this.items.limitWaits(now, furthest);
    for (const lane of this.lanes.values()) {
      if (lane.state.notBefore > furthest) lane.state = { ...lane.state, notBefore: now };
    }
  }

  prune(before: { readonly settled: number; readonly keys: number }): number {
    const size = this.edits.size + this.keys.size;
    for (const [key, { acceptedAt }] of this.keys) if (acceptedAt < before.keys) this.keys.delete(key);
    for (const item of this.items.all()) {
      const kept = new Set([item.edits.at(-1), newestCounted(item), newestPlain(item)]);
      item.edits = item.edits.filter((row, at, { [at + 1]: next }) => {
        const isDelivered = row.state === 'delivered';
        const saidAgain = isDelivered && item.assertAt !== undefined;
        if (saidAgain || row.state === 'refused' || row.open || kept.has(row)) return true;
        // A value may have stood for long: a wish that was made upon it has to be known after another took its place.
        if (isDelivered && (next?.settledAt ?? Infinity) >= before.settled) return true;
        if ((row.settledAt ?? Infinity) >= before.settled) return true;
        this.edits.delete(keyOf(row.vendor, row.editId));
        this.lane(row.lane).rows.delete(row.seq);
        this.pruned += 1;
        return false;
      });
    }
    return size - this.edits.size - this.keys.size;
  }

  /** Nothing of it leaves any more: in its lane the id is another vendor's. */
  #refuseAll(item: ItemRow, now: number): boolean {
    item.assertAt = undefined;
    const plain = newestPlain(item);
    const waiting = item.edits.filter(({ state, open }) => state === 'received' && !open);
    for (const row of waiting) {
      row.reason = 'item_unknown';
      this.#finish(row, row === plain ? 'refused' : 'superseded', now);
    }
    if (waiting.length > 0) this.touch(item);
    return waiting.length > 0;
  }

  #finish(row: Row, state: EditState, now: number): void {
    row.state = state;
    row.dueAt = undefined;
    row.settledAt = now;
    if (state === 'delivered') row.reason = undefined;
  }

  #lastOf(vendor: string): Numbers {
    const last = this.#last.get(vendor) ?? { edit: 0, revision: 0 };
    this.#last.set(vendor, last);
    return last;
  }

  #notSure({ item, seq }: Row, now: number, unsureMs: number): void {
    item.unsure = unsureAfter(item.unsure, seq, now, unsureMs);
  }

  /** What nobody has tried yet, and what waits for a person, gives way to the newer wish. */
  #supersede(item: ItemRow, now: number): void {
    for (const row of item.edits) {
      if (isUntried(row) || row.state === 'refused' || row.state === 'conflict') this.#finish(row, 'superseded', now);
    }
  }
}

export function isUntried({ state, attempts, open }: Row): boolean {
  return state === 'received' && attempts === 0 && !open;
}

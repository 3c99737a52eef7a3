import type { EditId } from '../domain/edit.js';
import type { HistoryEntry, Receipt } from '../contract/widget.js';
import { judge, type NewEdit } from './outbox/acceptance-rules.js';
import { bytesOfWaiting, countRows } from './outbox-memory-count.js';
import { heldLanesAmong, nextDueAmong, release, tryOthers } from './outbox-memory-lanes.js';
import {
  dueRows,
  editOf,
  factsOf,
  historyPage,
  isNext,
  listPage,
  newestPlain,
  newestRevision,
  openRow,
  receiptOf,
  waitingPage,
  type Row,
} from './outbox-memory-rows.js';
import { isUntried, MemoryTables } from './outbox-memory-tables.js';
import { standingAfter, wishAgain, wishOf, type Wish } from './outbox-memory-wishes.js';
import type {
  Acceptance,
  Accepted,
  Asker,
  Decided,
  Decision,
  HistoryPage,
  LaneOf,
  LaneRest,
  LaneState,
  LaneWanted,
  Lease,
  ListPage,
  OpenEdit,
  LaneNote,
  Outbox,
  OutboxCount,
  OwnedItem,
  PresentPortal,
  RevisedItem,
  Settlement,
  WaitingEdit,
  WaitingPage,
} from './outbox/outbox.js';
import type { RefusedEdit } from './outbox/outbox.js';

/**
 * The outbox in this process's memory: for tests in virtual time. It keeps every promise of the interface but the disk.
 */
export class MemoryOutbox implements Outbox {
  readonly #tables = new MemoryTables();
  readonly #listeners = new Set<(vendor: string) => void>();
  #portalOffset: number | undefined;

  async accept(batch: Acceptance): Promise<Accepted> {
    const tables = this.#tables;
    const key = JSON.stringify([batch.vendor, batch.subject, batch.idempotencyKey]);
    const known = tables.keys.get(key);
    if (known !== undefined) {
      if (known.digest !== batch.digest) return { kind: 'idempotency_key_reused' };
      return { kind: 'accepted', receipts: tables.receipts(batch, known.ids) };
    }
    const items = batch.edits.map((edit) => tables.items.find(edit.id, batch.vendor, batch.lane));
    const judgement = judge(batch, {
      earlier: batch.edits.map((edit) => factsOf(tables.edit(batch.vendor, edit.edit_id))),
      items: items.map((item) => item && { ...item, newest: newestPlain(item) }),
      knowsBase: (at, base) => items[at]?.edits.some((row) => row.stamp === base) ?? false,
    });
    if (judgement.kind === 'refused') return judgement.why;
    for (const edit of judgement.edits) this.#insert(batch, edit);
    const ids = batch.edits.map((edit) => edit.edit_id);
    tables.keys.set(key, { digest: batch.digest, ids, acceptedAt: batch.now });
    this.#tell(batch.vendor);
    return Promise.resolve({ kind: 'accepted', receipts: tables.receipts(batch, ids) });
  }

  async decide({ vendor, editId, by, name, verdict, isAnothers, now }: Decision): Promise<Decided> {
    const [row, ...others] = this.#tables.editsNamed(editId, vendor);
    if (row === undefined) return { kind: 'edit_unknown' };
    if (others.length > 0) return { kind: 'edit_ambiguous', vendors: [row, ...others].map((one) => one.vendor) };
    const parked = row.state === 'refused' || row.state === 'conflict';
    const open = parked || (verdict.kind === 'discard' && isUntried(row));
    if (!open) return { kind: 'edit_settled', receipt: receiptOf(row, by) };
    const foreign = this.#tables.items.isForeign(row.item) || isAnothers?.(row.vendor, row.item.id) === true;
    if (verdict.kind === 'retry' && foreign) return { kind: 'item_unknown' };
    row.decidedBy = by;
    if (verdict.kind === 'discard') this.#tables.discard(row, now);
    const mayBeSaid = verdict.kind === 'discard' && verdict.standing && !foreign;
    const standing = mayBeSaid ? standingAfter(row) : undefined;
    if (mayBeSaid && standing) this.#again(standing, wishAgain(standing, verdict.standing, { by, name, now }));
    const told = verdict.kind === 'discard' ? row : this.#again(row, wishAgain(row, verdict, { by, name, now }));
    this.#tell(row.vendor);
    return Promise.resolve({ kind: 'decided', receipt: receiptOf(told, by) });
  }

  async receipts(asker: Asker, ids: readonly EditId[]): Promise<Receipt[]> {
    return Promise.resolve(this.#tables.receipts(asker, ids));
  }

  async list(asker: Asker, page: ListPage): Promise<RevisedItem[]> {
    return Promise.resolve(listPage(this.#tables.items.all(), asker, page));
  }

  async revision(vendor: string): Promise<number> {
    return Promise.resolve(newestRevision(this.#tables.items.all(), vendor));
  }

  async history(vendor: string, page: HistoryPage): Promise<HistoryEntry[]> {
    return Promise.resolve(historyPage(this.#tables.edits.values(), vendor, page));
  }

  async waiting({ after = 0, limit }: WaitingPage): Promise<WaitingEdit[]> {
    return Promise.resolve(waitingPage(this.#tables.edits.values(), after, limit));
  }

  async count(): Promise<OutboxCount> {
    const { edits, seq: accepted, pruned } = this.#tables;
    return Promise.resolve({ ...countRows(edits.values()), accepted, pruned });
  }

  async waitingBytes(): Promise<number> {
    return Promise.resolve(bytesOfWaiting(this.#tables.edits.values()));
  }

  async heldLanes(): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(heldLanesAmong(this.#tables.lanes.values()));
  }

  subscribe(listener: (vendor: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async limitWaits(now: number, longestMs: number): Promise<void> {
    return Promise.resolve(this.#tables.limitWaits(now, now + longestMs));
  }

  async tryOthers(now: number, present: PresentPortal): Promise<void> {
    return Promise.resolve(tryOthers(this.#tables.lanes.values(), now, present));
  }

  async moveLanes(laneOf: LaneOf, now: number, itemsAreIn?: () => void): Promise<void> {
    this.#tables.moveLanes(laneOf, now).forEach((vendor) => this.#tell(vendor));
    return Promise.resolve(itemsAreIn?.());
  }

  async giveItems(lane: string, items: readonly OwnedItem[], now: number): Promise<void> {
    return Promise.resolve(this.#tables.giveItems(lane, items, now).forEach((vendor) => this.#tell(vendor)));
  }

  async leaseLane(want: LaneWanted): Promise<Lease | undefined> {
    for (const lane of this.#tables.lanes.values()) {
      if (lane.leaseUntil > want.now || lane.state.notBefore > want.now) continue;
      this.#tables.recover(lane, want);
      if (dueRows(lane, want.now).length === 0) continue;
      lane.fence += 1;
      lane.leaseUntil = want.now + want.leaseMs;
      return { lane: lane.name, fence: lane.fence, state: lane.state, want };
    }
    return Promise.resolve(undefined);
  }

  async due(lease: Lease, now: number, most: number): Promise<readonly OpenEdit[]> {
    const { items } = this.#tables;
    const due = dueRows(this.#tables.held(lease), now).slice(0, most);
    return Promise.resolve(due.map((row) => editOf(row, items.lateUntil(row.item))));
  }

  async openAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Promise<readonly OpenEdit[]> {
    const lane = this.#tables.held(lease);
    lane.leaseUntil = now + lease.want.leaseMs;
    return Promise.resolve(
      edits.flatMap((edit) => {
        const row = lane.rows.get(edit.seq);
        if (row?.state !== (edit.again ? 'delivered' : 'received') || !(row.open || isNext(row))) return [];
        if (!this.#tables.refuseForeign(row, now)) return [openRow(row, now, this.#tables.items.lateUntil(row.item))];
        this.#tell(row.vendor);
        return [];
      }),
    );
  }

  async settle(lease: Lease, settlements: readonly Settlement[], now: number, note?: LaneNote): Promise<void> {
    const lane = this.#tables.held(lease);
    lane.state = { ...lane.state, ...note };
    for (const settlement of settlements) {
      const row = lane.rows.get(settlement.edit.seq);
      if (row?.open !== true) continue;
      row.open = false;
      this.#tables.settle(row, settlement, now, lease.want.unsureMs);
      this.#tell(row.vendor);
    }
    return Promise.resolve();
  }

  async unpark(lease: Lease, edits: readonly RefusedEdit[], reason: string, now: number): Promise<void> {
    const lane = this.#tables.held(lease);
    for (const { seq } of edits) {
      const row = lane.rows.get(seq);
      if (row?.state !== 'refused') continue;
      this.#tables.unpark(row, reason, now);
      this.#tell(row.vendor);
    }
    return Promise.resolve();
  }

  async releaseLane(lease: Lease, state: LaneState, rest?: LaneRest): Promise<void> {
    return Promise.resolve(release(this.#tables.held(lease), state, rest));
  }

  async nextDue(): Promise<number | undefined> {
    return Promise.resolve(nextDueAmong(this.#tables.lanes.values()));
  }

  async portalOffset(): Promise<number | undefined> {
    return Promise.resolve(this.#portalOffset);
  }

  async notePortalOffset(offset: number): Promise<void> {
    this.#portalOffset = offset;
    return Promise.resolve();
  }

  async prune(before: { readonly settled: number; readonly keys: number }): Promise<number> {
    return Promise.resolve(this.#tables.prune(before));
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    return Promise.resolve();
  }

  #insert(batch: Acceptance, accepted: NewEdit): void {
    const { edit } = accepted;
    const item = this.#tables.items.take(edit.id, batch.vendor, batch.lane, this.#tables.seq + 1);
    item.label = edit.label ?? item.label;
    this.#tables.append(item, wishOf(batch, accepted));
  }

  #again({ seq, vendor, item: { id, lane } }: Row, wish: Wish): Row {
    return this.#tables.append(this.#tables.items.take(id, vendor, lane, seq), wish);
  }

  #tell(vendor: string): void {
    for (const listener of this.#listeners) listener(vendor);
  }
}

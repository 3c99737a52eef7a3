import type { EditId } from '../domain/edit.js';
import type { HistoryEntry, Receipt } from '../contract/widget.js';
import { judge, nextStamp, type NewEdit } from './acceptance.js';
import {
  countRows,
  dueRows,
  editOf,
  factsOf,
  historyPage,
  listPage,
  newestPlain,
  newestRevision,
  nextDueIn,
  receiptOf,
  waitingPage,
  type LaneRow,
  type Row,
} from './outbox-memory-rows.js';
import { isUntried, MemoryTables } from './outbox-memory-tables.js';
import { LeaseLost } from './outbox.js';
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
  Outbox,
  OutboxCount,
  RevisedItem,
  Settlement,
  WaitingEdit,
  WaitingPage,
} from './outbox.js';
import { INTERACTIVE_EDITS } from './sending-order.js';

type Retry = Extract<Decision['verdict'], { kind: 'retry' }>;

/**
 * The outbox in this process's memory: for tests in virtual time and for the demo inside a tab. It keeps every promise of
 * the interface but the disk.
 */
export class MemoryOutbox implements Outbox {
  readonly #tables = new MemoryTables();
  readonly #listeners = new Set<(vendor: string) => void>();

  async accept(batch: Acceptance): Promise<Accepted> {
    const tables = this.#tables;
    const key = JSON.stringify([batch.vendor, batch.subject, batch.idempotencyKey]);
    const known = tables.keys.get(key);
    if (known !== undefined) {
      if (known.digest !== batch.digest) return { kind: 'idempotency_key_reused' };
      return { kind: 'accepted', receipts: tables.receipts(batch, known.ids) };
    }
    const items = batch.edits.map((edit) => tables.items.get(edit.id));
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

  async decide({ vendor, editId, by, name, verdict, now }: Decision): Promise<Decided> {
    const rows = this.#tables.editsNamed(editId, vendor);
    const [row] = rows;
    if (row === undefined) return { kind: 'edit_unknown' };
    if (rows.length > 1) return { kind: 'edit_ambiguous', vendors: rows.map((one) => one.vendor) };
    const parked = row.state === 'refused' || row.state === 'conflict';
    const open = parked || (verdict.kind === 'discard' && isUntried(row));
    if (!open) return { kind: 'edit_settled', receipt: receiptOf(row, by) };
    row.decidedBy = by;
    if (verdict.kind === 'discard') this.#tables.discard(row, now);
    const receipt = receiptOf(verdict.kind === 'discard' ? row : this.#again(row, verdict, { by, name, now }), by);
    this.#tell(row.vendor);
    return Promise.resolve({ kind: 'decided', receipt });
  }

  async receipts(asker: Asker, ids: readonly EditId[]): Promise<Receipt[]> {
    return Promise.resolve(this.#tables.receipts(asker, ids));
  }

  async list(asker: Asker, page: ListPage): Promise<RevisedItem[]> {
    return Promise.resolve(listPage(this.#tables.items.values(), asker, page));
  }

  async revision(vendor: string): Promise<number> {
    return Promise.resolve(newestRevision(this.#tables.items.values(), vendor));
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

  async heldLanes(): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(this.#tables.heldLanes());
  }

  subscribe(listener: (vendor: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async limitWaits(now: number, longestMs: number): Promise<void> {
    return Promise.resolve(this.#tables.limitWaits(now, now + longestMs));
  }

  async moveLanes(laneOf: LaneOf): Promise<void> {
    return Promise.resolve(this.#tables.moveLanes(laneOf));
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
    return Promise.resolve(dueRows(this.#held(lease), now).slice(0, most).map(editOf));
  }

  async openAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Promise<readonly OpenEdit[]> {
    const lane = this.#held(lease);
    lane.leaseUntil = now + lease.want.leaseMs;
    return Promise.resolve(
      edits.flatMap((edit) => {
        const row = lane.rows.get(edit.seq);
        if (row?.state !== (edit.again ? 'delivered' : 'received')) return [];
        row.open = true;
        row.attempts += 1;
        return [editOf(row)];
      }),
    );
  }

  async settle(lease: Lease, settlements: readonly Settlement[], now: number): Promise<void> {
    const lane = this.#held(lease);
    for (const settlement of settlements) {
      const row = lane.rows.get(settlement.edit.seq);
      if (row?.open !== true) continue;
      row.open = false;
      this.#tables.settle(row, settlement, now, lease.want.unsureMs);
      this.#tell(row.vendor);
    }
    return Promise.resolve();
  }

  async unpark(lease: Lease, edits: readonly OpenEdit[], reason: string, now: number): Promise<void> {
    const lane = this.#held(lease);
    for (const { seq } of edits) {
      const row = lane.rows.get(seq);
      if (row?.state !== 'refused') continue;
      this.#tables.unpark(row, reason, now);
      this.#tell(row.vendor);
    }
    return Promise.resolve();
  }

  async releaseLane(lease: Lease, state: LaneState, rest?: LaneRest): Promise<void> {
    return Promise.resolve(this.#tables.release(this.#held(lease), state, rest));
  }

  async nextDue(): Promise<number | undefined> {
    const times = [...this.#tables.lanes.values()].flatMap((lane) => nextDueIn(lane) ?? []);
    return Promise.resolve(times.length === 0 ? undefined : Math.min(...times));
  }

  async prune(before: { readonly settled: number; readonly keys: number }): Promise<number> {
    return Promise.resolve(this.#tables.prune(before));
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    return Promise.resolve();
  }

  #insert(batch: Acceptance, { edit, stamp, state, was }: NewEdit): void {
    const item = this.#tables.item(edit.id, batch.vendor);
    item.label = edit.label ?? item.label;
    this.#tables.append(item, {
      vendor: batch.vendor,
      subject: batch.subject,
      name: batch.name,
      editId: edit.edit_id,
      available: edit.available,
      was,
      clickedAt: edit.updated_at,
      base: edit.base ?? null,
      stamp,
      acceptedAt: batch.now,
      lane: batch.lane,
      bulk: batch.edits.length > INTERACTIVE_EDITS,
      state,
    });
  }

  #again(row: Row, verdict: Retry, { by, name, now }: Pick<Decision, 'by' | 'name' | 'now'>): Row {
    return this.#tables.append(row.item, {
      ...row,
      editId: verdict.newId,
      retryOf: row.editId,
      subject: by,
      name,
      was: newestPlain(row.item)?.available,
      stamp: nextStamp(now + verdict.portalOffset, row.item.lastStamp, verdict.stampUnit),
      acceptedAt: now,
      bulk: false,
      state: 'received',
    });
  }

  #held(lease: Lease): LaneRow {
    const lane = this.#tables.lane(lease.lane);
    if (lane.fence !== lease.fence) throw new LeaseLost(`lane ${lease.lane} was taken over`);
    return lane;
  }

  #tell(vendor: string): void {
    for (const listener of this.#listeners) listener(vendor);
  }
}

import { type Edit, type EditId, toEditIds } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { isSettled } from '../../domain/edit-state.js';
import { applyReceipt, type EditStatus } from '../model/apply-receipt.js';
import { BackOff } from '../browser/backoff.js';
import type { EditQueue } from './edit-queue.js';
import { toBatches, countBytes, findSingleChoices, isWaiting, toLastBatch, MAX_BATCH_BYTES } from './batches.js';
import { splitRejectedBatch } from './rejected-batch.js';
import type { ItemStates } from '../model/item-state.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { ApiError } from '../api/api-error.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { whileSendingAlone } from '../browser/tab-locks.js';

export interface HandoverOptions {
  readonly client: Pick<ProxyClient, 'session' | 'send' | 'receipts'>;
  readonly queue: EditQueue;
  readonly itemStates: ItemStates;
  /** Another edit of an item is valid now, which only a new listing contains. */
  readonly onReset: () => void;
  /** All edits that could be sent were sent. */
  readonly onDone: () => void;
  /** Whether changes arrive over the event stream, so that receipts are polled less often. */
  readonly isLive: () => boolean;
  /** The proxy cannot be used now. Sending pauses until `resume`. */
  readonly onFailure: (failure: ApiError) => void;
}

const MAX_RECEIPTS = 100;
/** While the event stream is live, polling only makes up for a lost event. */
const LIVE_POLL_MS = 30_000;
/** The smallest batch for a network on which larger ones time out. */
const MIN_BATCH_BYTES = 2_000;

/**
 * Sends edits to the proxy and follows them until they are settled. It reads the queue before each run, so that it does not
 * send an edit that another tab replaced or settled. A repeated edit is harmless, because the proxy knows it by its id.
 */
export class Handover {
  readonly #options: HandoverOptions;
  readonly #poll = new BackOff(300, 5_000);
  #paused = true;
  #run: Promise<void> | undefined;
  #runAgain = false;
  /** This tab has the lock for sending. */
  #hasLock = false;
  #choicesRun: Promise<void> | undefined;
  /** The edits in flight, in one batch or in two. */
  readonly #inFlight = new Map<EditId, QueuedEdit>();
  /** Halved by each batch that timed out, doubled by each that arrived. */
  #maxBytes = MAX_BATCH_BYTES;

  constructor(options: HandoverOptions) {
    this.#options = options;
  }

  /** Sends the waiting edits. Calls during a run are combined into one more run. */
  resume(): void {
    this.#paused = false;
    this.#poll.reset();
    this.#start();
  }

  pause(): void {
    this.#paused = true;
    this.#poll.cancel();
  }

  /** Resolves when each waiting edit was tried once. */
  async sendNow(): Promise<void> {
    this.resume();
    await this.#run;
    await this.#choicesRun;
  }

  /**
   * Sends one batch without waiting when the page closes; a browser sends no more than 64 KiB for a page then (Fetch
   * standard, section 4.5). The next visit asks for the receipts.
   *
   * An edit is left out if its item has a newer one that is still being written, since that may withdraw the unsent one.
   */
  leave(): void {
    const { queue, itemStates, client } = this.#options;
    const batch = toLastBatch(queue.known)?.filter((edit) => !hasNewer(edit, itemStates));
    if (this.#paused || !batch?.length || !navigator.onLine) return;
    // Both start before the page closes, the mark first.
    void queue.markSending(batch);
    client.send(batch, true).catch(() => undefined);
  }

  #start(): void {
    this.#runAgain = true;
    if (this.#run === undefined) this.#run = this.#work();
    // The run sends single choices with its next batch, unless a large batch is in flight.
    else if (!this.#hasLock || [...this.#inFlight.values()].some(({ bulk }) => bulk)) this.#sendChoicesNow();
  }

  #sendChoicesNow(): void {
    this.#choicesRun ??= this.#sendChoices().finally(() => {
      this.#choicesRun = undefined;
    });
  }

  async #work(): Promise<void> {
    try {
      while (this.#runAgain && !this.#paused) {
        this.#runAgain = false;
        const rows = await this.#options.queue.rows();
        if (rows.some(isWaiting)) await whileSendingAlone(this.#options.queue.owner, () => this.#sendAll());
        await this.#follow();
      }
      if (!this.#paused) this.#options.onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#options.onFailure(error);
    } finally {
      this.#run = undefined;
    }
  }

  async #sendAll(): Promise<void> {
    this.#hasLock = true;
    try {
      const rows = await this.#options.queue.rows();
      for (const batch of toBatches(rows, this.#maxBytes)) {
        // Waiting for the lock may have taken long.
        if (this.#paused) return;
        await this.#send(batch.filter(({ edit_id }) => !this.#inFlight.has(edit_id)));
        this.#sendChoicesNow();
      }
    } finally {
      this.#hasLock = false;
    }
  }

  /**
   * Sends single choices of the person beside the batch in flight, which may take up to a minute on a slow network. The edits
   * of an item in flight keep their order.
   */
  async #sendChoices(): Promise<void> {
    const { queue, onFailure } = this.#options;
    const ready = (): QueuedEdit[] => {
      const items = new Set([...this.#inFlight.values()].map(({ id }) => id));
      return findSingleChoices(queue.known).filter(({ id, stage }) => stage === 'stored' && !items.has(id));
    };
    const send = async (): Promise<void> => {
      for (let batch = ready(); batch.length > 0 && !this.#paused; batch = ready())
        await this.#send(toBatches(batch, this.#maxBytes)[0] ?? []);
    };
    try {
      if (ready().length > 0) await (this.#hasLock ? send() : whileSendingAlone(queue.owner, send));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onFailure(error);
    }
  }

  async #send(batch: readonly QueuedEdit[]): Promise<void> {
    const { queue, client } = this.#options;
    // Offline, edits are not marked, so that the person can still withdraw them. Browsers may report offline wrongly, so a
    // request for the session tests the network first.
    if (!navigator.onLine) await client.session();
    for (const edit of batch) this.#inFlight.set(edit.edit_id, edit);
    try {
      const edits = await queue.markSending(batch);
      if (edits.length > 0) await this.#sendTaken(edits);
    } finally {
      for (const { edit_id } of batch) this.#inFlight.delete(edit_id);
    }
  }

  async #sendTaken(edits: readonly QueuedEdit[]): Promise<void> {
    const { queue, client } = this.#options;
    try {
      await this.note(await client.send(edits));
      this.#maxBytes = Math.min(this.#maxBytes * 2, MAX_BATCH_BYTES);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isTimeout) this.#maxBytes = Math.max(countBytes(edits) / 2, MIN_BATCH_BYTES);
      if (error.batchFault === undefined) {
        // Edits that were `sending` before may have arrived with an earlier request.
        if (error.isRefused) await queue.markUnsent(edits.filter(({ stage }) => stage === 'stored'));
        throw error;
      }
      for (const others of await splitRejectedBatch(error, edits, this.#options)) await this.#send(others);
    }
  }

  /** Applies receipts of edits that were made on this device. */
  async note(receipts: readonly EditStatus[]): Promise<void> {
    const { queue, itemStates, onReset } = this.#options;
    // A settled row stays while its item has a newer edit: that one may be withdrawn only if no edit of the item was sent.
    const open = receipts.filter((receipt) => !isSettled(receipt.state) || hasNewer(receipt, itemStates));
    const settled = receipts.filter((receipt) => !open.includes(receipt));
    await queue.remove(toEditIds([...settled, ...this.#findOlder(settled)]));
    await queue.mark(toEditIds(open), 'handed-over');
    const isOvertaken = receipts.filter((receipt) => applyReceipt(receipt, itemStates));
    if (isOvertaken.length > 0) onReset();
  }

  /**
   * Delivering an edit settles all older edits of its item, since the proxy keeps their order, and older edits that were not
   * sent, which would wait unseen behind it. If another tab has settled the delivered edit, its place is unknown. Edits that
   * were made later stay: after a lost database they may be stored in front of it.
   */
  #findOlder(settled: readonly EditStatus[]): QueuedEdit[] {
    const delivered = new Set(toEditIds(settled.filter(({ state }) => state === 'delivered')));
    const last = new Map<ItemId, string>();
    return this.#options.queue.known.reverse().filter(({ id, edit_id, stage, updated_at }) => {
      const isBefore = (last.get(id) ?? '') >= updated_at;
      if (delivered.has(edit_id)) last.set(id, updated_at);
      return isBefore && stage !== 'sending';
    });
  }

  /** Requests the receipts of the edits that the proxy has, until all are settled. */
  async #follow(): Promise<void> {
    const { queue, itemStates, client } = this.#options;
    const rows = await queue.rows();
    if (this.#paused) return;
    const queued = new Set(toEditIds(rows));
    // Edits that another tab has settled or withdrawn.
    const settledElsewhere = [...itemStates.locals].flatMap(({ edit, stage }) =>
      stage === 'writing' || stage === 'refused' || queued.has(edit.edit_id) ? [] : edit,
    );
    const unsettled = [...rows.filter((row) => row.stage === 'handed-over'), ...settledElsewhere];
    let open = false;
    for (let at = 0; at < unsettled.length; at += MAX_RECEIPTS) {
      const asked = unsettled.slice(at, at + MAX_RECEIPTS);
      const receipts = await client.receipts(asked);
      const known = new Set(toEditIds(receipts));
      const unknown = asked.filter((edit) => !known.has(edit.edit_id));
      const lost = unknown.filter((edit) => queued.has(edit.edit_id));
      await this.note(receipts);
      // If a newer edit of the item was sent already, resending the lost one behind it would overwrite the newer value.
      await queue.remove(toEditIds(lost.filter((edit) => hasNewer(edit, itemStates))));
      await queue.mark(toEditIds(lost), 'stored');
      for (const edit of unknown) {
        if (queued.has(edit.edit_id))
          itemStates.advance(edit, { stage: 'stored', delayed: undefined, reason: undefined });
        else itemStates.dropLocal(edit);
      }
      open ||= lost.length > 0 || receipts.some((receipt) => !isSettled(receipt.state));
    }
    if (!open || this.#paused) return;
    this.#poll.plan(() => void this.#start(), this.#options.isLive() ? LIVE_POLL_MS : 0);
  }
}

/** Whether the person has made a newer edit of the item. */
function hasNewer({ id, edit_id }: Pick<Edit, 'id' | 'edit_id'>, itemStates: ItemStates): boolean {
  const newest = itemStates.local(id);
  return newest !== undefined && newest.stage !== 'refused' && newest.edit.edit_id !== edit_id;
}

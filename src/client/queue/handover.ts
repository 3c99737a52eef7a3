import { type Edit, type EditId, toEditIds } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { isSettled } from '../../domain/edit-state.js';
import { applyReceipt, type EditStatus } from '../model/apply-receipt.js';
import { BackOff } from '../browser/backoff.js';
import type { EditQueue } from './edit-queue.js';
import { batchesOf, bytesOf, choicesOf, isWaiting, lastBatchOf, MAX_BATCH_BYTES } from './batches.js';
import { sortOut } from './rejected-batch.js';
import type { ItemLedger } from '../model/item-state.js';
import type { EditCalls, ProxyClient } from '../api/proxy-client.js';
import { ApiError } from '../api/api-error.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { whileSendingAlone } from '../browser/tab-locks.js';

export interface HandoverOptions {
  readonly client: Pick<ProxyClient, 'session'> & Pick<EditCalls, 'send' | 'receipts'>;
  readonly queue: EditQueue;
  readonly ledger: ItemLedger;
  /** What counts now is known to a listing that is asked for from here on. */
  readonly onReset: () => void;
  /** Nothing waits that could be sent. */
  readonly onDone: () => void;
  /** Somebody says when there is something to ask for. */
  readonly isLive: () => boolean;
  /** The proxy cannot be used now. Sending pauses until `resume`. */
  readonly onFailure: (failure: ApiError) => void;
}

const MOST_RECEIPTS = 100;
/** While changes are told as they happen, this is for the one that was not. */
const LIVE_POLL_MS = 30_000;
/** The smallest batch on a line that lets no larger one through. */
const MIN_BATCH_BYTES = 2_000;

/**
 * Sends edits to the proxy and follows them until they settle. Reads what to send from the queue each time, so that
 * what another tab replaced or settled is not sent; a repeated edit is harmless, because the proxy knows it by its id.
 */
export class Handover {
  readonly #options: HandoverOptions;
  readonly #poll = new BackOff(300, 5_000);
  #paused = true;
  #run: Promise<void> | undefined;
  #again = false;
  /** The run has the turn of this browser's tabs. */
  #hasTurn = false;
  #choicesRun: Promise<void> | undefined;
  /** What is on its way, in one batch or in two. */
  readonly #underWay = new Map<EditId, QueuedEdit>();
  /** Halved by each batch that timed out, doubled by each that arrived. */
  #maxBytes = MAX_BATCH_BYTES;

  constructor(options: HandoverOptions) {
    this.#options = options;
  }

  /** Sends what waits. Calls while it runs are folded into one more run. */
  resume(): void {
    this.#paused = false;
    this.#poll.reset();
    this.#start();
  }

  pause(): void {
    this.#paused = true;
    this.#poll.cancel();
  }

  /** Resolves when what waits has been tried once. */
  async sendNow(): Promise<void> {
    this.resume();
    await this.#run;
    await this.#choicesRun;
  }

  /**
   * The page is going: hands over what it can without waiting for anything, as one batch, because a browser carries no more
   * (64 KiB for all of a page, Fetch standard, section 4.5). Only a hint: whether it arrived, the next visit asks.
   *
   * An item with a newer wish is left to that: it may still be written, and take back what nobody has sent.
   */
  leave(): void {
    const { queue, ledger, client } = this.#options;
    const batch = lastBatchOf(queue.known)?.filter((edit) => !hasNewer(edit, ledger));
    if (this.#paused || !batch?.length || !navigator.onLine) return;
    // Both are under way before the page is gone, the mark first.
    void queue.take(batch);
    client.send(batch, true).catch(() => undefined);
  }

  #start(): void {
    this.#again = true;
    if (this.#run === undefined) this.#run = this.#work();
    // The run sends them with its next batch, soon enough unless what is on its way is large.
    else if (!this.#hasTurn || [...this.#underWay.values()].some(({ bulk }) => bulk)) this.#sendChoicesNow();
  }

  #sendChoicesNow(): void {
    this.#choicesRun ??= this.#sendChoices().finally(() => {
      this.#choicesRun = undefined;
    });
  }

  async #work(): Promise<void> {
    try {
      while (this.#again && !this.#paused) {
        this.#again = false;
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
    this.#hasTurn = true;
    try {
      const rows = await this.#options.queue.rows();
      for (const batch of batchesOf(rows, this.#maxBytes)) {
        // Since it was wanted others have sent, which may have taken long.
        if (this.#paused) return;
        await this.#send(batch.filter(({ edit_id }) => !this.#underWay.has(edit_id)));
        this.#sendChoicesNow();
      }
    } finally {
      this.#hasTurn = false;
    }
  }

  /**
   * A person's single choice goes out beside the batch that is on its way: on a slow line that takes up to a minute. An item
   * that is on its way keeps its order.
   */
  async #sendChoices(): Promise<void> {
    const { queue, onFailure } = this.#options;
    const ready = (): QueuedEdit[] => {
      const items = new Set([...this.#underWay.values()].map(({ id }) => id));
      return choicesOf(queue.known).filter(({ id, stage }) => stage === 'stored' && !items.has(id));
    };
    const send = async (): Promise<void> => {
      for (let batch = ready(); batch.length > 0 && !this.#paused; batch = ready())
        await this.#send(batchesOf(batch, this.#maxBytes)[0] ?? []);
    };
    try {
      if (ready().length > 0) await (this.#hasTurn ? send() : whileSendingAlone(queue.owner, send));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      onFailure(error);
    }
  }

  async #send(batch: readonly QueuedEdit[]): Promise<void> {
    const { queue, client } = this.#options;
    // What is known not to leave is not marked, so that the person may still change their mind. Browsers err about it.
    if (!navigator.onLine) await client.session();
    for (const edit of batch) this.#underWay.set(edit.edit_id, edit);
    try {
      const edits = await queue.take(batch);
      if (edits.length > 0) await this.#sendTaken(edits);
    } finally {
      for (const { edit_id } of batch) this.#underWay.delete(edit_id);
    }
  }

  async #sendTaken(edits: readonly QueuedEdit[]): Promise<void> {
    const { queue, client } = this.#options;
    try {
      await this.note(await client.send(edits));
      this.#maxBytes = Math.min(this.#maxBytes * 2, MAX_BATCH_BYTES);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isTimeout) this.#maxBytes = Math.max(bytesOf(edits) / 2, MIN_BATCH_BYTES);
      if (error.batchFault === undefined) {
        // What was on its way before may have arrived all the same.
        if (error.isRefused) await queue.giveBack(edits.filter(({ stage }) => stage === 'stored'));
        throw error;
      }
      for (const others of await sortOut(error, edits, this.#options)) await this.#send(others);
    }
  }

  /** Takes the proxy's word on edits that were made here. */
  async note(receipts: readonly EditStatus[]): Promise<void> {
    const { queue, ledger, onReset } = this.#options;
    // Behind a newer wish it stays: that is taken back only where nothing of its item has left.
    const open = receipts.filter((receipt) => !isSettled(receipt.state) || hasNewer(receipt, ledger));
    const settled = receipts.filter((receipt) => !open.includes(receipt));
    await queue.remove(toEditIds([...settled, ...this.#before(settled)]));
    await queue.mark(toEditIds(open), 'handed-over');
    const isOvertaken = receipts.filter((receipt) => applyReceipt(receipt, ledger));
    if (isOvertaken.length > 0) onReset();
  }

  /**
   * What the proxy had of an item before it delivered a newer edit of it is settled with that: it keeps their order. So is
   * what never left, which would wait unseen behind the newer one. Where another tab has settled that one, its place is no
   * longer known. What was made after it stays: on a disk that was lost it may lie before it.
   */
  #before(settled: readonly EditStatus[]): QueuedEdit[] {
    const delivered = new Set(toEditIds(settled.filter(({ state }) => state === 'delivered')));
    const last = new Map<ItemId, string>();
    return this.#options.queue.known.reverse().filter(({ id, edit_id, stage, updated_at }) => {
      const isBefore = (last.get(id) ?? '') >= updated_at;
      if (delivered.has(edit_id)) last.set(id, updated_at);
      return isBefore && stage !== 'sending';
    });
  }

  /** Asks what became of the edits that the proxy has, until all are settled. */
  async #follow(): Promise<void> {
    const { queue, ledger, client } = this.#options;
    const rows = await queue.rows();
    if (this.#paused) return;
    const queued = new Set(toEditIds(rows));
    // Another tab has settled them, or taken them back.
    const settledElsewhere = [...ledger.locals].flatMap(({ edit, stage }) =>
      stage === 'writing' || stage === 'refused' || queued.has(edit.edit_id) ? [] : edit,
    );
    const unsettled = [...rows.filter((row) => row.stage === 'handed-over'), ...settledElsewhere];
    let open = false;
    for (let at = 0; at < unsettled.length; at += MOST_RECEIPTS) {
      const asked = unsettled.slice(at, at + MOST_RECEIPTS);
      const receipts = await client.receipts(asked);
      const known = new Set(toEditIds(receipts));
      const unknown = asked.filter((edit) => !known.has(edit.edit_id));
      const lost = unknown.filter((edit) => queued.has(edit.edit_id));
      await this.note(receipts);
      // A newer wish of the item may have left already: sent behind it, this one would be the last word.
      await queue.remove(toEditIds(lost.filter((edit) => hasNewer(edit, ledger))));
      await queue.mark(toEditIds(lost), 'stored');
      for (const edit of unknown) {
        if (queued.has(edit.edit_id)) ledger.advance(edit, { stage: 'stored', delayed: undefined, reason: undefined });
        else ledger.dropLocal(edit);
      }
      open ||= lost.length > 0 || receipts.some((receipt) => !isSettled(receipt.state));
    }
    if (!open || this.#paused) return;
    this.#poll.plan(() => void this.#start(), this.#options.isLive() ? LIVE_POLL_MS : 0);
  }
}

/** Whether the person wants something else of the item by now. */
function hasNewer({ id, edit_id }: Pick<Edit, 'id' | 'edit_id'>, ledger: ItemLedger): boolean {
  const newest = ledger.local(id);
  return newest !== undefined && newest.stage !== 'refused' && newest.edit.edit_id !== edit_id;
}

import { batchByItem, type Edit, idsOf } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { isSettled } from '../../domain/edit-state.js';
import { MAX_EDITS } from '../../contract/fields.js';
import { applyReceipt, type Word } from '../model/apply-receipt.js';
import { BackOff } from '../browser/backoff.js';
import type { EditQueue } from './edit-queue.js';
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
/** What a browser still sends when the page goes (Fetch, keepalive), with room for the wrapper. */
const MOST_EDIT_BYTES = 60 * 1024 - 256;

/**
 * Hands edits over to the proxy and follows them until they settle. Reads what to send from the queue each time, so that
 * what another tab replaced or settled is not sent; a repeated edit is harmless, because the proxy knows it by its id.
 */
export class Handover {
  readonly #options: HandoverOptions;
  readonly #poll = new BackOff(300, 5_000);
  #paused = true;
  #run: Promise<void> | undefined;
  #again = false;

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
  }

  /**
   * The page is going: hands over what it can without waiting for anything, as one batch, because a browser carries no more
   * (64 KiB for all of a page, Fetch standard, section 4.5). Only a hint: whether it arrived, the next visit asks.
   *
   * An item with a newer wish is left to that: it may still be written, and take back what nobody has sent.
   */
  leave(): void {
    const { queue, ledger, client } = this.#options;
    const batch = batchesOf(queue.known)[0]?.filter((edit) => !hasNewer(edit, ledger));
    if (this.#paused || !batch?.length || !navigator.onLine) return;
    // Both are under way before the page is gone, the mark first.
    void queue.take(batch);
    client.send(batch, true).catch(() => undefined);
  }

  #start(): void {
    this.#again = true;
    this.#run ??= this.#work();
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
    const rows = await this.#options.queue.rows();
    for (const batch of batchesOf(rows)) {
      // Since it was wanted others have sent, which may have taken long.
      if (this.#paused) return;
      await this.#send(batch);
    }
  }

  async #send(batch: readonly QueuedEdit[]): Promise<void> {
    const { queue, client } = this.#options;
    // What is known not to leave is not marked, so that the person may still change their mind. Browsers err about it.
    if (!navigator.onLine) await client.session();
    const edits = await queue.take(batch);
    if (edits.length === 0) return;
    try {
      await this.note(await client.send(edits));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.batchFault === undefined) {
        // What was on its way before may have arrived all the same.
        if (error.isRefused) await queue.giveBack(edits.filter(({ stage }) => stage === 'stored'));
        throw error;
      }
      for (const others of await sortOut(error, edits, this.#options)) await this.#send(others);
    }
  }

  /** Takes the proxy's word on edits that were made here. */
  async note(receipts: readonly Word[]): Promise<void> {
    const { queue, ledger, onReset } = this.#options;
    // Behind a newer wish it stays: that is taken back only where nothing of its item has left.
    const open = receipts.filter((receipt) => !isSettled(receipt.state) || hasNewer(receipt, ledger));
    const settled = receipts.filter((receipt) => !open.includes(receipt));
    await queue.remove(idsOf([...settled, ...this.#before(settled)]));
    await queue.mark(idsOf(open), 'handed-over');
    const isOvertaken = receipts.filter((receipt) => applyReceipt(receipt, ledger));
    if (isOvertaken.length > 0) onReset();
  }

  /**
   * What the proxy had of an item before it delivered a newer edit of it is settled with that: it keeps their order. So is
   * what never left, which would wait unseen behind the newer one. Where another tab has settled that one, its place is no
   * longer known. What was made after it stays: on a disk that was lost it may lie before it.
   */
  #before(settled: readonly Word[]): QueuedEdit[] {
    const delivered = new Set(idsOf(settled.filter(({ state }) => state === 'delivered')));
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
    const queued = new Set(idsOf(rows));
    // Another tab has settled them, or taken them back.
    const settledElsewhere = [...ledger.locals].flatMap(({ edit, stage }) =>
      stage === 'writing' || stage === 'refused' || queued.has(edit.edit_id) ? [] : edit,
    );
    const unsettled = [...rows.filter((row) => row.stage === 'handed-over'), ...settledElsewhere];
    let open = false;
    for (let at = 0; at < unsettled.length; at += MOST_RECEIPTS) {
      const asked = unsettled.slice(at, at + MOST_RECEIPTS);
      const receipts = await client.receipts(asked);
      const known = new Set(idsOf(receipts));
      const unknown = asked.filter((edit) => !known.has(edit.edit_id));
      const lost = unknown.filter((edit) => queued.has(edit.edit_id));
      await this.note(receipts);
      // A newer wish of the item may have left already: sent behind it, this one would be the last word.
      await queue.remove(idsOf(lost.filter((edit) => hasNewer(edit, ledger))));
      await queue.mark(idsOf(lost), 'stored');
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

/** What another page has marked as sending, and did not live to see the receipt of, goes out again. */
export function isWaiting({ stage }: QueuedEdit): boolean {
  return stage === 'stored' || stage === 'sending';
}

/** Whether the person wants something else of the item by now. */
function hasNewer({ id, edit_id }: Pick<Edit, 'id' | 'edit_id'>, ledger: ItemLedger): boolean {
  const newest = ledger.local(id);
  return newest !== undefined && newest.stage !== 'refused' && newest.edit.edit_id !== edit_id;
}

function batchesOf(rows: readonly QueuedEdit[]): QueuedEdit[][] {
  return batchByItem(rows.filter(isWaiting), MAX_EDITS).flatMap(cutToSize);
}

function cutToSize(batch: readonly QueuedEdit[]): QueuedEdit[][] {
  const parts: QueuedEdit[][] = [];
  let room = 0;
  for (const edit of batch) {
    const bytes = new Blob([JSON.stringify(edit)]).size;
    if (bytes > room) {
      parts.push([]);
      room = MOST_EDIT_BYTES;
    }
    parts.at(-1)?.push(edit);
    room -= bytes;
  }
  return parts;
}

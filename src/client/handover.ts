import { batchByItem, type Edit, type EditId } from '../domain/edit.js';
import { isSettled } from '../domain/truth.js';
import { MAX_BATCH_BYTES, MAX_EDITS } from '../contract/limits.js';
import type { Receipt } from '../contract/widget.js';
import { BackOff } from './back-off.js';
import type { EditQueue } from './edit-queue.js';
import type { ProxyClient } from './proxy-client.js';
import { ProxyFailure } from './proxy-failure.js';
import type { QueuedEdit } from './queue-db.js';
import { whileSendingAlone } from './sender-lock.js';

/**
 * Hands edits over to the proxy and follows them until they settle. Reads what to send from the queue each time, so that
 * what another tab replaced or settled is not sent; a repeated edit is harmless, because the proxy knows it by its id.
 */
export interface HandoverOptions {
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  /** Edits that the page shows as not settled. Another tab may have settled them, and their rows are gone. */
  readonly shown: () => readonly Edit[];
  /** Resolves once the queue has taken note. */
  readonly onReceipt: (receipt: Receipt) => Promise<void>;
  /** The proxy will not take this edit as it is; a person has to decide. */
  readonly onRefused: (edit: Edit, code: string) => void;
  /** The proxy had this edit and does not know it any more, as after a restore from an old backup. It goes out again. */
  readonly onLost: (edit: Edit) => void;
  /** Nothing waits that could be sent. */
  readonly onDone: () => void;
  /** The proxy cannot be used now. Sending pauses until `resume`. */
  readonly onFailure: (failure: ProxyFailure) => void;
}

const MOST_RECEIPTS = 100;
/** A batch stays below the limit with room for the wrapper. */
const MOST_EDIT_BYTES = MAX_BATCH_BYTES - 256;

export class Handover {
  readonly #options: HandoverOptions;
  readonly #poll = new BackOff(300, 5_000);
  #sending: ReadonlySet<EditId> = new Set();
  #paused = true;
  #run: Promise<void> | undefined;
  #again = false;

  constructor(options: HandoverOptions) {
    this.#options = options;
  }

  /** The bytes of this edit may have left already. */
  isSending(edit: Pick<Edit, 'edit_id'>): boolean {
    return this.#sending.has(edit.edit_id);
  }

  resume(): void {
    this.#paused = false;
    this.flush();
  }

  pause(): void {
    this.#paused = true;
    this.#poll.cancel();
  }

  /** Sends what waits. Calls while it runs are folded into one more run. */
  flush(): void {
    if (this.#paused) return;
    this.#poll.reset();
    this.#start();
  }

  /** Resolves when what waits has been tried once. */
  async sendNow(): Promise<void> {
    this.resume();
    await this.#run;
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
      if (!(error instanceof ProxyFailure)) throw error;
      this.#options.onFailure(error);
    } finally {
      this.#sending = new Set();
      this.#run = undefined;
    }
  }

  async #sendAll(): Promise<void> {
    const rows = await this.#options.queue.rows();
    for (const batch of batchByItem(rows.filter(isWaiting), MAX_EDITS).flatMap(cutToSize)) {
      await this.#send(batch);
      if (this.#paused) return;
    }
  }

  async #send(batch: readonly QueuedEdit[]): Promise<void> {
    this.#sending = new Set(batch.map((edit) => edit.edit_id));
    try {
      const receipts = await this.#options.client.send(batch);
      await Promise.all(receipts.map((receipt) => this.#options.onReceipt(receipt)));
    } catch (error) {
      if (!(error instanceof ProxyFailure) || error.retryable || !ABOUT_EDITS.has(error.code)) throw error;
      // Nothing of a refused batch was stored. One bad edit must not hold up the others: halves, until it stands alone.
      if (batch.length > 1 && error.code !== 'permission_missing') {
        const middle = Math.ceil(batch.length / 2);
        await this.#send(batch.slice(0, middle));
        await this.#send(batch.slice(middle));
        return;
      }
      for (const edit of batch) await this.#refuse(edit, error.code);
    }
  }

  async #refuse(edit: QueuedEdit, code: string): Promise<void> {
    // It may be replaced from here on: nothing of it is on its way.
    this.#sending = new Set();
    const { queue } = this.#options;
    const newest = (await queue.rows()).filter((row) => row.id === edit.id).at(-1);
    if (newest !== undefined && newest.edit_id !== edit.edit_id) {
      // A newer wish for the item waits behind it: nothing is left to decide about this one.
      await queue.remove(edit.edit_id);
      return;
    }
    await queue.mark(edit.edit_id, 'refused', code);
    this.#options.onRefused(edit, code);
  }

  async #giveBack(edit: Edit): Promise<void> {
    await this.#options.queue.mark(edit.edit_id, 'stored');
    this.#options.onLost(edit);
  }

  /** Asks what became of the edits that the proxy has, until all are settled. */
  async #follow(): Promise<void> {
    const rows = await this.#options.queue.rows();
    const queued = new Set(rows.map((row) => row.edit_id));
    const settledElsewhere = this.#options.shown().filter((edit) => !queued.has(edit.edit_id));
    const unsettled = [...rows.filter((row) => row.stage === 'handed-over'), ...settledElsewhere];
    let open = false;
    for (let at = 0; at < unsettled.length; at += MOST_RECEIPTS) {
      const asked = unsettled.slice(at, at + MOST_RECEIPTS);
      const receipts = await this.#options.client.receipts(asked);
      const known = new Set(receipts.map((receipt) => receipt.edit_id));
      const lost = asked.filter((edit) => !known.has(edit.edit_id));
      await Promise.all([
        ...receipts.map((receipt) => this.#options.onReceipt(receipt)),
        ...lost.map((edit) => this.#giveBack(edit)),
      ]);
      open ||= lost.length > 0 || receipts.some((receipt) => !isSettled(receipt.state));
    }
    if (!open || this.#paused) return;
    this.#poll.plan(() => {
      this.#start();
    });
  }
}

/** Refusals that are about what a batch says, not about who asks or how. */
const ABOUT_EDITS = new Set([
  'item_unknown',
  'invalid_body',
  'duplicate_item',
  'edit_id_reused',
  'permission_missing',
  'too_many_edits',
  'body_too_large',
]);

function isWaiting(row: QueuedEdit): boolean {
  return row.stage === 'stored';
}

function cutToSize(batch: readonly QueuedEdit[]): QueuedEdit[][] {
  const parts: QueuedEdit[][] = [];
  let room = 0;
  for (const edit of batch) {
    const bytes = new TextEncoder().encode(JSON.stringify(edit)).length;
    const part = parts.at(-1);
    if (part === undefined || bytes > room) {
      parts.push([edit]);
      room = MOST_EDIT_BYTES - bytes;
    } else {
      part.push(edit);
      room -= bytes;
    }
  }
  return parts;
}

import { batchByItem, type Edit, type EditId } from '../domain/edit.js';
import { isSettled } from '../domain/truth.js';
import { MAX_BATCH_BYTES, MAX_EDITS, type Receipt } from '../contract/widget.js';
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
  /** Resolves once the queue has taken note. */
  readonly onReceipt: (receipt: Receipt) => Promise<void>;
  /** The proxy will not take this edit as it is; a person has to decide. */
  readonly onRefused: (edit: Edit, code: string) => void;
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
  #running = false;
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
    this.#again = true;
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (this.#again && !this.#paused) {
        this.#again = false;
        this.#poll.reset();
        await whileSendingAlone(this.#options.queue.owner, () => this.#sendAll());
        await this.#follow();
      }
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      this.#options.onFailure(error);
    } finally {
      this.#sending = new Set();
      this.#running = false;
    }
  }

  async #sendAll(): Promise<void> {
    const rows = await this.#options.queue.rows();
    const waiting = rows.filter((row) => row.stage === 'stored');
    for (const batch of batchByItem(waiting, MAX_EDITS).flatMap(cutToSize)) {
      await this.#send(batch);
      if (this.#paused) return;
    }
  }

  async #send(batch: readonly QueuedEdit[]): Promise<void> {
    this.#sending = new Set(batch.map((edit) => edit.edit_id));
    try {
      for (const receipt of await this.#options.client.send(batch)) await this.#options.onReceipt(receipt);
    } catch (error) {
      if (!(error instanceof ProxyFailure) || error.retryable || !ABOUT_EDITS.has(error.code)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        await this.#options.queue.mark(only.edit_id, 'refused', error.code);
        this.#options.onRefused(only, error.code);
        return;
      }
      // Nothing of a refused batch was stored. One bad edit must not hold up the others.
      for (const edit of batch) await this.#send([edit]);
    }
  }

  /** Asks what became of the edits that the proxy has, until all are settled. */
  async #follow(): Promise<void> {
    const rows = await this.#options.queue.rows();
    const handedOver = rows.filter((row) => row.stage === 'handed-over');
    let open = false;
    for (let at = 0; at < handedOver.length; at += MOST_RECEIPTS) {
      const asked = handedOver.slice(at, at + MOST_RECEIPTS);
      const receipts = await this.#options.client.receipts(asked);
      const known = new Set(receipts.map((receipt) => receipt.edit_id));
      for (const receipt of receipts) {
        await this.#options.onReceipt(receipt);
        open ||= !isSettled(receipt.state);
      }
      // The proxy lost it, as after a restore from an old backup: it goes out again.
      for (const edit of asked) {
        if (known.has(edit.edit_id)) continue;
        await this.#options.queue.mark(edit.edit_id, 'stored');
        this.#again = true;
      }
    }
    if (open && !this.#paused) this.#poll.plan(() => void this.#pollOnce());
  }

  async #pollOnce(): Promise<void> {
    if (this.#running || this.#paused) return;
    this.#running = true;
    try {
      await this.#follow();
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      this.#options.onFailure(error);
    } finally {
      this.#running = false;
    }
    if (this.#again) void this.#run();
  }
}

/** Refusals that are about what an edit says, not about who asks or how. */
const ABOUT_EDITS = new Set(['item_unknown', 'invalid_body', 'duplicate_item', 'edit_id_reused', 'permission_missing']);

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

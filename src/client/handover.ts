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
  /** The queue has taken note. */
  readonly onReceipt: (receipt: Receipt) => void;
  /** The proxy will not take this edit as it is; a person has to decide. */
  readonly onRefused: (edit: Edit, code: string) => void;
  /** The proxy had this edit and does not know it any more, as after a restore from an old backup. It goes out again. */
  readonly onLost: (edit: Edit) => void;
  /** Neither this device nor the proxy has it: another tab has taken it back. */
  readonly onGone: (edit: Edit) => void;
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
  #paused = true;
  #run: Promise<void> | undefined;
  #again = false;

  constructor(options: HandoverOptions) {
    this.#options = options;
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
    // What is known not to leave is not marked, so that the person may still change their mind. Browsers err about it.
    if (!navigator.onLine) await this.#options.client.session();
    const edits = await this.#options.queue.take(batch);
    if (edits.length === 0) return;
    try {
      await this.#note(await this.#options.client.send(edits));
    } catch (error) {
      if (!(error instanceof ProxyFailure)) throw error;
      if (error.retryable || !ABOUT_EDITS.has(error.code)) {
        if (error.isRefused) await this.#options.queue.giveBack(edits);
        throw error;
      }
      // Nothing of a refused batch was stored. Bad edits must not hold up the others.
      const isAboutAll = edits.length === 1 || error.code === 'permission_missing';
      const bad = new Set(isAboutAll ? edits : error.edits.flatMap((at) => edits[at] ?? []));
      if (bad.size > 0) {
        await this.#refuse([...bad], error.code);
        await this.#send(edits.filter((edit) => !bad.has(edit)));
        return;
      }
      // It does not say which: halves, until each stands alone.
      const middle = Math.ceil(edits.length / 2);
      await this.#send(edits.slice(0, middle));
      await this.#send(edits.slice(middle));
    }
  }

  async #refuse(edits: readonly QueuedEdit[], code: string): Promise<void> {
    const { queue, onRefused } = this.#options;
    const newest = new Map((await queue.rows()).map((row) => [row.id, row.edit_id]));
    // Where a newer wish for the item waits behind it, nothing is left to decide about this one.
    const last = edits.filter(({ id, edit_id }) => (newest.get(id) ?? edit_id) === edit_id);
    await queue.mark(idsOf(last), 'refused', code);
    await queue.remove(idsOf(edits.filter((edit) => !last.includes(edit))));
    for (const edit of last) onRefused(edit, code);
  }

  async #note(receipts: readonly Receipt[]): Promise<void> {
    const { queue, onReceipt } = this.#options;
    await queue.remove(idsOf(receipts.filter(({ state }) => isSettled(state))));
    await queue.mark(idsOf(receipts.filter(({ state }) => !isSettled(state))), 'handed-over');
    for (const receipt of receipts) onReceipt(receipt);
  }

  /** Asks what became of the edits that the proxy has, until all are settled. */
  async #follow(): Promise<void> {
    const { queue, onLost, onGone } = this.#options;
    const rows = await queue.rows();
    if (this.#paused) return;
    const queued = new Set(rows.map((row) => row.edit_id));
    const settledElsewhere = this.#options.shown().filter((edit) => !queued.has(edit.edit_id));
    const unsettled = [...rows.filter((row) => row.stage === 'handed-over'), ...settledElsewhere];
    let open = false;
    for (let at = 0; at < unsettled.length; at += MOST_RECEIPTS) {
      const asked = unsettled.slice(at, at + MOST_RECEIPTS);
      const receipts = await this.#options.client.receipts(asked);
      const known = new Set(receipts.map((receipt) => receipt.edit_id));
      const unknown = asked.filter((edit) => !known.has(edit.edit_id));
      const lost = unknown.filter((edit) => queued.has(edit.edit_id));
      await this.#note(receipts);
      await queue.mark(idsOf(lost), 'stored');
      for (const edit of unknown) (lost.includes(edit) ? onLost : onGone)(edit);
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

/** What another page has marked as sending, and did not live to see the receipt of, goes out again. */
function isWaiting({ stage }: QueuedEdit): boolean {
  return stage === 'stored' || stage === 'sending';
}

function idsOf(edits: readonly Pick<Edit, 'edit_id'>[]): EditId[] {
  return edits.map(({ edit_id }) => edit_id);
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

import * as z from 'zod/mini';
import { editId } from '../../contract/fields.js';
import { accepts } from '../schema.js';

/** A message about more edits names none of them, and the other tabs read all edits. */
const MAX_EDITS = 1_000;

/**
 * Rows of the queue changed: those of the named edits, or any if none is named. `settled`: the edits are final by their
 * receipts. `withdrawn`: the edits were not sent and never will be; without a named edit, the person may have signed out.
 */
const queueMessage = z.object({
  kind: z.enum(['queue', 'settled', 'withdrawn']),
  edits: z.readonly(z.array(editId).check(z.maxLength(MAX_EDITS))),
});
export type QueueMessage = Readonly<z.output<typeof queueMessage>>;

/**
 * `items`: something changed at the proxy. `everything`: the whole listing has to be read. `listening`: the tab that reads
 * the event stream for all tabs is active.
 */
const proxyMessage = z.object({ kind: z.enum(['items', 'everything', 'listening']) });

const tabMessage = z.union([queueMessage, proxyMessage]);

/**
 * The messages between the tabs of one browser about one person's inventory. A message carries no data, only the hint that
 * data changed. The receiving tab reads the data itself, with the permissions of the person who is signed in there.
 */
export type TabMessage = QueueMessage | Readonly<z.output<typeof proxyMessage>>;

/** Tabs of one person send fewer messages in a window. Messages beyond this number are replaced by one about all edits. */
const MAX_MESSAGES = 200;
const WINDOW_MS = 1_000;

/** The channel between the tabs of one queue's owner. */
export class TabChannel {
  #listener: ((message: TabMessage) => void) | undefined;
  #channel: BroadcastChannel | undefined;
  /** Messages received in the current window. */
  #received = 0;
  #window: ReturnType<typeof setTimeout> | undefined;

  /** Joins the channel of an owner, and leaves the previous channel. */
  join(owner: string): void {
    this.leave();
    try {
      this.#channel = new BroadcastChannel(`vendor-inventory ${owner}`);
      this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        this.#onMessage(data);
      };
    } catch {
      // Firefox has no channels for a page that may store nothing. Such a page shares no queue with other tabs.
      return;
    }
  }

  leave(): void {
    this.#channel?.close();
    this.#channel = undefined;
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#received = 0;
  }

  post(message: TabMessage): void {
    const isTooLong = 'edits' in message && message.edits.length > MAX_EDITS;
    this.#channel?.postMessage(isTooLong ? { ...message, edits: [] } : message);
  }

  /** Sets the one listener. */
  listen(listener: (message: TabMessage) => void): void {
    this.#listener = listener;
  }

  /** Any script of this origin can post any message at any rate, so messages are validated and limited. */
  #onMessage(data: unknown): void {
    this.#window ??= setTimeout(() => {
      const isFlooded = this.#received > MAX_MESSAGES;
      this.#window = undefined;
      this.#received = 0;
      // The dropped messages may have been about any row.
      if (isFlooded) this.#listener?.({ kind: 'queue', edits: [] });
    }, WINDOW_MS);
    this.#received += 1;
    if (this.#received <= MAX_MESSAGES && accepts(tabMessage, data)) this.#listener?.(data);
  }
}

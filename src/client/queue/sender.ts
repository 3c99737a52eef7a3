import type { Receipt } from '../../contract/widget.js';
import type * as afterLoad from './after-load.js';
import type { Handover, HandoverOptions } from './handover.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { ApiError } from '../api/api-error.js';
import type { OrphanedEditsOptions } from './orphaned-edits.js';

type AfterLoad = typeof afterLoad;

type SenderOptions = Omit<HandoverOptions, 'client'> & OrphanedEditsOptions & { readonly client: ProxyClient };

let chunk: AfterLoad | undefined;

/** Loads the chunk once for all stores, and again after the network failed. */
export async function loadAfterLoad(): Promise<AfterLoad> {
  return (chunk ??= await import('./after-load.js'));
}

/**
 * Sends edits. Its code is loaded after the first answer of the proxy: without the proxy nothing can be sent, and the first
 * rows do not need it. Until then edits stay on the device, as they do while the proxy is unreachable.
 */
export class Sender {
  readonly #options: SenderOptions;
  #handover: Handover | undefined;
  #paused = true;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Call once the person is known. The chunk is loaded early only if edits wait. */
  start(): void {
    this.#paused = false;
    if (this.#options.queue.known.length > 0) this.flush();
  }

  resume(): void {
    this.#paused = false;
    this.#withHandover((handover) => {
      handover.resume();
      void chunk?.findOrphanedEdits(this.#options);
    });
  }

  pause(): void {
    this.#paused = true;
    this.#handover?.pause();
  }

  /** Sends the waiting edits. */
  flush(): void {
    if (!this.#paused) this.#withHandover((handover) => void handover.resume());
  }

  /** Resolves when each waiting edit was tried once. @returns how many edits were not sent */
  async sendNow(): Promise<number> {
    const loaded = await loadAfterLoad().catch(() => undefined);
    if (loaded !== undefined) await this.#getHandover(loaded).sendNow();
    const { queue } = this.#options;
    await queue.rows();
    // `known` includes edits that are still being written.
    return queue.known.filter(({ stage }) => stage !== 'handed-over').length;
  }

  /** Call when the page closes, or when its last element is removed. */
  leave(): void {
    this.#handover?.leave();
  }

  /** Applies receipts that came with a listing. */
  async note(receipts: readonly Receipt[]): Promise<void> {
    await this.#getHandover(await loadAfterLoad()).note(receipts);
  }

  #getHandover({ Handover }: AfterLoad): Handover {
    return (this.#handover ??= new Handover(this.#options));
  }

  #withHandover(use: (handover: Handover) => void): void {
    if (chunk !== undefined) {
      use(this.#getHandover(chunk));
      return;
    }
    loadAfterLoad().then(
      (loaded) => {
        if (!this.#paused) use(this.#getHandover(loaded));
      },
      (error: unknown) => {
        if (!this.#paused) this.#options.onFailure(new ApiError('unreachable', String(error)));
      },
    );
  }
}

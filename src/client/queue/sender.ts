import type { Receipt } from '../../contract/widget.js';
import type * as afterLoad from './after-load.js';
import type { Handover, HandoverOptions } from './handover.js';
import type { ProxyClient } from '../api/proxy-client.js';
import { ApiError } from '../api/api-error.js';
import type { UnclaimedOptions } from './orphaned-edits.js';

type AfterLoad = typeof afterLoad;

type SenderOptions = Omit<HandoverOptions, 'client'> & UnclaimedOptions & { readonly client: ProxyClient };

let part: AfterLoad | undefined;

/** Once for all stores, and again where the network lost it. */
export async function loadAfterLoad(): Promise<AfterLoad> {
  return (part ??= await import('./after-load.js'));
}

/**
 * The hand-over of edits, which is loaded when the proxy has answered: whoever cannot reach it cannot send either, and the
 * first rows need none of it. Until then edits are on the device, as they are while the proxy is away.
 */
export class Sender {
  readonly #options: SenderOptions;
  #handover: Handover | undefined;
  #paused = true;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** It is known who is here. The part is loaded early only where something waits. */
  start(): void {
    this.#paused = false;
    if (this.#options.queue.known.length > 0) this.flush();
  }

  resume(): void {
    this.#paused = false;
    this.#use((handover) => {
      handover.resume();
      void part?.findOrphanedEdits(this.#options);
    });
  }

  pause(): void {
    this.#paused = true;
    this.#handover?.pause();
  }

  /** Sends what waits. */
  flush(): void {
    if (!this.#paused) this.#use((handover) => void handover.resume());
  }

  /** Resolves when what waits has been tried once. @returns how many edits have not left this device */
  async sendNow(): Promise<number> {
    const loaded = await loadAfterLoad().catch(() => undefined);
    if (loaded !== undefined) await this.#made(loaded).sendNow();
    const { queue } = this.#options;
    await queue.rows();
    // One that was made meanwhile is perhaps not written yet.
    return queue.known.filter(({ stage }) => stage !== 'handed-over').length;
  }

  /** The page is going, or nobody looks at it any more. */
  leave(): void {
    this.#handover?.leave();
  }

  /** What a listing or another tab says of edits that were made here. */
  async note(receipts: readonly Receipt[]): Promise<void> {
    await this.#made(await loadAfterLoad()).note(receipts);
  }

  #made({ editCalls, Handover }: AfterLoad): Handover {
    const { client } = this.#options;
    return (this.#handover ??= new Handover({ ...this.#options, client: { ...client, ...editCalls(client) } }));
  }

  #use(use: (handover: Handover) => void): void {
    if (part !== undefined) {
      use(this.#made(part));
      return;
    }
    loadAfterLoad().then(
      (loaded) => {
        if (!this.#paused) use(this.#made(loaded));
      },
      (error: unknown) => {
        if (!this.#paused) this.#options.onFailure(new ApiError('unreachable', String(error)));
      },
    );
  }
}

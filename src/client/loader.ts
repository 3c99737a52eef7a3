import { isEdited } from '../contract/edited.js';
import type { Session } from '../contract/widget.js';
import { ownerOf, type EditQueue } from './edit-queue.js';
import type { ItemLedger } from './item-ledger.js';
import type { ProxyClient } from './proxy-client.js';

/** Brings into the ledger what waits on this device and what the proxy knows, for whoever is signed in now. */
export class Loader {
  readonly #options: { readonly proxy: string; readonly client: ProxyClient; readonly queue: EditQueue };
  readonly #ledger: ItemLedger;

  constructor(options: { proxy: string; client: ProxyClient; queue: EditQueue }, ledger: ItemLedger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  /** @throws {ProxyFailure} and what waits is shown all the same, as soon as it is known whose it is */
  async load(): Promise<Session> {
    const { client, proxy } = this.#options;
    await this.#loadQueue();
    await this.#belongTo(await client.expected());
    const session = await client.session();
    await this.#belongTo(ownerOf(proxy, session.vendor, session.subject));
    let cursor: string | undefined;
    do {
      const asked = this.#ledger.moment;
      const page = await client.list(cursor);
      for (const item of page.inventory) {
        if (isEdited(item)) this.#ledger.confirmListed(item, asked);
        else this.#ledger.giveListed(item);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return session;
  }

  async #belongTo(owner: string | undefined): Promise<void> {
    const { queue } = this.#options;
    if (owner === undefined || owner === queue.owner) return;
    if (await queue.adopt(owner)) this.#ledger.forget();
    await this.#loadQueue();
  }

  async #loadQueue(): Promise<void> {
    const newest = new Map((await this.#options.queue.rows()).map((row) => [row.id, row]));
    for (const row of newest.values()) {
      const known = this.#ledger.local(row.id);
      const { edit_id, stage, reason } = row;
      // An edit made while the rows were read is newer than all of them.
      if (known?.stage === 'writing') continue;
      if (known?.edit.edit_id !== edit_id) {
        this.#ledger.setLocal({ edit: row, stage, unsaved: this.#options.queue.isUnsaved(edit_id), reason });
      } else if (known.stage !== stage) {
        // Another tab has moved it on.
        this.#ledger.advance(row, { stage, reason });
      }
    }
  }
}

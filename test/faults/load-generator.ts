import { setTimeout as wait } from 'node:timers/promises';
import { MAX_LABEL_LENGTH } from '../../src/contract/fields.js';
import { type EditBatch, type Receipt, receipts as receiptsOf } from '../../src/contract/widget.js';
import { HOST_ORIGIN, type ProxyProcess } from './proxy-process.js';
import type { Random } from './random.js';

/** An edit of the load generator, with its receipt. */
export interface MadeEdit {
  readonly edit_id: string;
  readonly id: string;
  readonly available: boolean;
  readonly label?: string;
  /** The first receipt, or `undefined` before a response. */
  receipt?: Receipt;
}

export interface LoadOptions {
  readonly proxies: readonly ProxyProcess[];
  readonly random: Random;
  readonly clients: number;
  readonly items: number;
  /** The pause between two batches of one client, in milliseconds. */
  readonly pause?: number;
  readonly batch?: number;
  /** The number of edits in an occasional bulk batch of other items. */
  readonly bulk?: number;
}

/** One batch in this many is a bulk batch. */
const BULK_EVERY = 12;

/** More than twice the size of any bulk batch. */
const FIRST_FLEET = 1_000;

/** A long label, so that even a batch of 25 edits is long. */
const LONG_LABEL = '船'.repeat(MAX_LABEL_LENGTH);

const TIMEOUT_MS = 5_000;

/**
 * Clients of vendors: each makes edits and repeats every batch, with the same key, until a proxy has answered it. No
 * client gives up an edit, as the page does not, so an edit that is missing in the end was lost after its 202.
 */
export class LoadGenerator {
  readonly made: MadeEdit[] = [];
  /** Responses that the proxy must not send. */
  readonly broken: string[] = [];
  /** The number of batches with receipts. */
  answered = 0;
  /** The number of requests without a response. */
  cut = 0;
  /** The number of responses with Retry-After. */
  putOff = 0;
  /** Items that some batch may contain. */
  #launched = FIRST_FLEET;
  readonly #options: LoadOptions;
  #stop = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Starts the clients, also after a stop. */
  start(): void {
    this.#stop = new AbortController();
    const { clients } = this.#options;
    this.#working = Promise.all(Array.from({ length: clients }, (_, at) => this.#work(`person-${String(at)}`)));
  }

  /** Makes no new edits, and resolves when the last one has a response. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  get acknowledged(): readonly MadeEdit[] {
    return this.made.filter(({ receipt }) => receipt !== undefined);
  }

  async #work(subject: string): Promise<void> {
    const { random, proxies, pause = 5 } = this.#options;
    while (!this.#stop.signal.aborted) {
      await this.#hand(subject, random.pick(proxies), this.#batch());
      await wait(random.below(pause * 2));
    }
  }

  #batch(): readonly MadeEdit[] {
    const { random, items, batch = 3, bulk = 0 } = this.#options;
    const isBulk = bulk > 0 && random.below(BULK_EVERY) === 0;
    const ids = isBulk
      ? this.#fleet(bulk)
      : new Set(Array.from({ length: 1 + random.below(batch) }, () => `boat-${String(random.below(items))}`));
    const edits = [...ids].map((id): MadeEdit => ({
      edit_id: crypto.randomUUID(),
      id,
      available: random.below(2) === 0,
      ...(isBulk && { label: LONG_LABEL }),
    }));
    this.made.push(...edits);
    return edits;
  }

  /** Every second item is new. */
  #fleet(ships: number): string[] {
    const { random } = this.#options;
    const first = random.below(2) === 0 ? random.below(ships) : (this.#launched += ships);
    return Array.from({ length: ships }, (_, at) => `fleet-${String(first + at)}`);
  }

  async #hand(subject: string, proxy: ProxyProcess, edits: readonly MadeEdit[]): Promise<void> {
    const at = new Date().toISOString();
    // The format of the page.
    const inventory = edits.map(({ edit_id, id, available, label }) => {
      return { id, available, updated_at: at, edit_id, label };
    });
    const body: unknown = { inventory, sent_at: at } satisfies Record<keyof EditBatch, unknown>;
    const key = crypto.randomUUID();
    for (let round = 0; ; round += 1) {
      // The next try uses any of the proxies.
      const asked = round === 0 ? proxy : this.#options.random.pick(this.#options.proxies);
      await asked.settled();
      const answer = await postEdits(asked, subject, key, body);
      if (answer?.status === 202) return this.#note(edits, answer.text);
      if (answer === undefined) this.cut += 1;
      else if (answer.status === 503 || answer.status === 429) this.putOff += 1;
      else {
        this.broken.push(`a good batch was answered with ${String(answer.status)}: ${answer.text.slice(0, 200)}`);
        return;
      }
      await wait(10);
    }
  }

  #note(edits: readonly MadeEdit[], text: string): void {
    this.answered += 1;
    const { receipts } = receiptsOf.parse(JSON.parse(text));
    for (const edit of edits) {
      const receipt = receipts.find(({ edit_id }) => edit_id === edit.edit_id);
      if (receipt === undefined) this.broken.push(`the answer for edit ${edit.edit_id} has no receipt of it`);
      else edit.receipt = receipt;
    }
  }
}

/** @returns `undefined` if the connection ended without a complete response */
export async function postEdits(
  proxy: ProxyProcess,
  subject: string,
  key: string,
  body: unknown,
  vendor?: string,
): Promise<{ status: number; text: string } | undefined> {
  const headers = {
    Origin: HOST_ORIGIN,
    Authorization: `Bearer ${await proxy.tokenOf(subject, vendor)}`,
    'Content-Type': 'application/json',
    'X-Requested-With': 'inventory-widget',
    'Idempotency-Key': key,
  };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${proxy.url}/v1/inventory`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    const text = await answer.text();
    proxy.noteAnswer(answer.headers, text);
    return { status: answer.status, text };
  } catch (error) {
    // undici throws a TypeError for a lost connection, and a TimeoutError for the timeout of this test.
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return undefined;
    throw error;
  }
}

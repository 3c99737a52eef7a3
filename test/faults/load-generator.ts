import { setTimeout as wait } from 'node:timers/promises';
import { MAX_LABEL_LENGTH } from '../../src/contract/fields.js';
import { type EditBatch, type Receipt, receipts as receiptsOf } from '../../src/contract/widget.js';
import { HOST_ORIGIN, type ProxyProcess } from './proxy-process.js';
import type { Random } from './random.js';

/** An edit as the load generator made it, with its receipt. */
export interface MadeEdit {
  readonly edit_id: string;
  readonly id: string;
  readonly available: boolean;
  readonly label?: string;
  /** The first receipt that was seen; `undefined` while no answer has come. */
  receipt?: Receipt;
}

export interface LoadOptions {
  readonly proxies: readonly ProxyProcess[];
  readonly random: Random;
  readonly clients: number;
  readonly items: number;
  /** Milliseconds between two batches of one client. */
  readonly pause?: number;
  readonly batch?: number;
  /** Now and then a batch of so many edits that no hand makes, of items of their own. */
  readonly bulk?: number;
}

/** One batch in so many. */
const BULK_EVERY = 12;

/** More than twice as many as any bulk has. */
const FIRST_FLEET = 1_000;

/** With it even a batch of 25 is long enough for the proxy to take it from its bytes. */
const LONG_LABEL = '船'.repeat(MAX_LABEL_LENGTH);

const TIMEOUT_MS = 5_000;

/**
 * Vendors at work: each makes edits and says every batch again, under the same key, until a proxy has answered it. Nobody
 * gives up an edit, as the page does not, so whatever is missing in the end was lost behind the 202.
 */
export class LoadGenerator {
  readonly made: MadeEdit[] = [];
  /** Answers that no promise of ours allows. */
  readonly broken: string[] = [];
  /** How many batches have their receipts. */
  answered = 0;
  /** How many requests ended without an answer. */
  cut = 0;
  /** How many were answered with "come again". */
  putOff = 0;
  /** Ships that some batch may have named. */
  #launched = FIRST_FLEET;
  readonly #options: LoadOptions;
  #stop = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Also after a stop. */
  start(): void {
    this.#stop = new AbortController();
    const { clients } = this.#options;
    this.#working = Promise.all(Array.from({ length: clients }, (_, at) => this.#work(`person-${String(at)}`)));
  }

  /** No new edits; resolves when the last one has its answer. */
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

  /** Every second one has never been named before. */
  #fleet(ships: number): string[] {
    const { random } = this.#options;
    const first = random.below(2) === 0 ? random.below(ships) : (this.#launched += ships);
    return Array.from({ length: ships }, (_, at) => `fleet-${String(first + at)}`);
  }

  async #hand(subject: string, proxy: ProxyProcess, edits: readonly MadeEdit[]): Promise<void> {
    const at = new Date().toISOString();
    // As the page writes it.
    const inventory = edits.map(({ edit_id, id, available, label }) => {
      return { id, available, updated_at: at, edit_id, label };
    });
    const body: unknown = { inventory, sent_at: at } satisfies Record<keyof EditBatch, unknown>;
    const key = crypto.randomUUID();
    for (let round = 0; ; round += 1) {
      // Another proxy is as good, when there is one.
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

/** @returns `undefined` when the connection ended without a whole answer */
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
    // undici throws a TypeError for a broken connection, and a TimeoutError for our time-out.
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return undefined;
    throw error;
  }
}

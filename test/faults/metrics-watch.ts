import { setTimeout as wait } from 'node:timers/promises';
import type { Evidence } from './evidence.js';

/** The numbers of edits that the clients have counted. */
export interface SentEdits {
  /** Edits with a receipt, a lower bound of the accepted ones. */
  readonly answered: number;
  /** Edits that were sent, an upper bound of the accepted ones. */
  readonly sent: number;
}

const EVERY_MS = 1_000;

/**
 * Compares the metrics of the proxy with the counts of the clients each second, under load: the edits of all states add
 * up to the accepted ones, and their number never falls. The metrics are no evidence by themselves, so they are
 * compared with these.
 */
export class MetricsWatch {
  readonly broken: string[] = [];
  checks = 0;
  readonly #url: string;
  readonly #evidence: Evidence;
  readonly #count: () => SentEdits;
  readonly #stop = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  #last = 0;

  /** @param url the URL of the metrics */
  constructor(url: string, evidence: Evidence, count: () => SentEdits) {
    this.#url = url;
    this.#evidence = evidence;
    this.#count = count;
  }

  start(): void {
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
    await this.#look();
  }

  async #watch(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#look();
      await wait(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { answered } = this.#count();
    const text = await (await fetch(this.#url)).text();
    this.#evidence.note('metrics.txt', text);
    const { sent } = this.#count();
    const states = [...text.matchAll(/^inventory_edits\{state="\w+"\} (\d+)$/gm)];
    const held = states.reduce((sum, [, count]) => sum + Number(count), 0);
    this.checks += 1;
    if (states.length === 0) this.broken.push('the metrics have no counts of edits');
    if (held < answered) this.broken.push(`${String(held)} edits are held, and ${String(answered)} were answered`);
    if (held > sent) this.broken.push(`${String(held)} edits are held, and ${String(sent)} were sent`);
    if (held < this.#last) this.broken.push(`${String(held)} edits are held, and ${String(this.#last)} were before`);
    this.#last = held;
  }
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { inventoryUpdate, type PortalItem } from '../../src/contract/portal.js';
import { parseUntrustedJson } from '../../src/proxy/runtime/untrusted-json.js';
import { namesAny, type FaultContext, type FaultKind } from './fault-kind.js';
import type { PortalCall, PortalOfRecord } from './portal-of-record.js';
import type { ProxyProcess } from './proxy-process.js';
import type { Random } from './random.js';

/** After this time without a call to the portal, the proxy must be waiting. */
const QUIET_MS = 15;
const SHARE_STRUCK = 0.6;

export interface FieldOptions {
  readonly portal: PortalOfRecord;
  readonly proxy: ProxyProcess;
  readonly random: Random;
  readonly callMs: number;
}

interface Spell {
  readonly kind: FaultKind;
  readonly strikes: number;
  struck: number;
  readonly over: () => void;
}

/**
 * Injects one kind of fault at a time into the calls of one proxy, and counts them. Whenever the portal gets no call,
 * it lets the proxy skip its wait.
 */
export class FaultField {
  readonly broken: string[] = [];
  /** Timestamps and items that were resent after a complete success: a fault, unless that call had timed out. */
  readonly resent: string[] = [];
  struck = 0;
  /** The number of followed redirects. */
  callsElsewhere = 0;
  readonly #options: FieldOptions;
  readonly #elsewhere = createServer((socket) => {
    this.callsElsewhere += 1;
    socket.destroy();
  });
  #spell: Spell | undefined;
  #open = 0;
  #heardAt = 0;
  #isClosed = false;
  /** Timestamps and items with a complete success, and items of which the proxy cannot know what arrived. */
  readonly #settled = new Set<string>();
  readonly #unsure = new Set<string>();
  /** Whether calls were cut off unread, so that the outcome of every item is uncertain. */
  #isDeaf = false;

  private constructor(options: FieldOptions) {
    this.#options = options;
    options.portal.misbehaviour = (call) => this.#receive(call);
  }

  static async open(options: FieldOptions): Promise<FaultField> {
    const field = new FaultField(options);
    await once(field.#elsewhere.listen(0, '127.0.0.1'), 'listening');
    void field.#skipWaits();
    return field;
  }

  /** Whether the portal handles no call, not even one that the proxy has given up. */
  get isQuiet(): boolean {
    return this.#open === 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#elsewhere.close();
  }

  /** Resolves when that many calls had the fault. If the time does not suffice, that is added to `broken`. */
  async suffer(kind: FaultKind, strikes: number, timeoutMs: number): Promise<void> {
    const least = Math.max(strikes, kind.least ?? 1);
    const struckAll = new Promise<true>((resolve) => {
      this.#spell = { kind, strikes: least, struck: 0, over: () => resolve(true) };
    });
    const ended = new AbortController();
    const inTime = await Promise.race([struckAll, wait(timeoutMs, false, { signal: ended.signal })]);
    ended.abort();
    if (!inTime) this.broken.push(`it struck only ${String(this.#spell?.struck)} of ${String(least)} calls in time`);
    this.#spell = undefined;
  }

  async #receive(call: PortalCall): Promise<void> {
    this.#open += 1;
    // A connection that an earlier response has ended may still carry a call, but no response to it.
    const isMute = !call.request.socket.writable;
    try {
      const spell = this.#spell;
      const isUpdate = !call.path.includes('token');
      const edits = isUpdate && spell?.kind.isDeaf !== true ? await this.#hear(call) : [];
      if (spell === undefined) await call.serve();
      const isStruck = spell !== undefined && (await this.#strike(call, spell));
      if (!isUpdate) return;
      const outcome = isMute ? 'unknown' : isStruck ? (spell.kind.outcome ?? 'no') : 'yes';
      if (isStruck && spell.kind.isDeaf === true) this.#isDeaf = true;
      for (const { id, updated_at } of edits) {
        // An item that a success response refuses may be sent again.
        if (isStruck && spell.kind.poison?.has(id) === true) continue;
        if (outcome === 'unknown') this.#unsure.add(id);
        else if (outcome === 'yes' && this.#options.portal.answeredWhole(id, updated_at))
          this.#settled.add(`${updated_at} ${id}`);
      }
    } finally {
      this.#open -= 1;
      this.#heardAt = performance.now();
    }
  }

  /** @returns whether the call had the fault. Otherwise it has been served. */
  async #strike(call: PortalCall, spell: Spell): Promise<boolean> {
    const { kind } = spell;
    if (!(await this.#isTarget(call, kind))) {
      await call.serve();
      return false;
    }
    if (!(await kind.strike(call, this.#context()))) return false;
    spell.struck += 1;
    this.struck += 1;
    if (spell.struck >= spell.strikes) spell.over();
    return true;
  }

  async #isTarget(call: PortalCall, kind: FaultKind): Promise<boolean> {
    const { on = 'updates', always, isLater = false, poison } = kind;
    if (isLater && this.#settled.size === 0) return false;
    if (on !== 'both' && (on === 'tokens') !== call.path.includes('token')) return false;
    if (poison !== undefined) return namesAny(await call.body(), poison);
    return always === true || this.#options.random.next() < SHARE_STRUCK;
  }

  /** After a complete success, an item is resent only where an older value of it may still arrive. */
  async #hear(call: PortalCall): Promise<readonly PortalItem[]> {
    const update = inventoryUpdate.safeParse(parseUntrustedJson((await call.body()).toString()));
    const { inventory } = update.data ?? { inventory: [] };
    if (!update.success) this.broken.push('an update call is no inventory update');
    for (const { id, updated_at } of inventory) {
      const value = `${updated_at} ${id}`;
      if (this.#settled.has(value) && !this.#unsure.has(id) && !this.#isDeaf) this.resent.push(value);
    }
    return inventory;
  }

  #context(): FaultContext {
    const { portal, random, callMs } = this.#options;
    return {
      random,
      callMs,
      elsewhere: `http://127.0.0.1:${String((this.#elsewhere.address() as AddressInfo).port)}`,
      clientSecret: portal.clientSecret,
      expireTokens: () => portal.expireTokens(),
    };
  }

  async #skipWaits(): Promise<void> {
    while (!this.#isClosed) {
      const before = performance.now();
      await wait(5);
      // If this process was delayed, it may not have read pending calls yet.
      if (performance.now() - before > QUIET_MS) this.#heardAt = performance.now();
      if (this.#open === 0 && performance.now() - this.#heardAt > QUIET_MS) this.#options.proxy.signal('SIGUSR2');
    }
  }
}

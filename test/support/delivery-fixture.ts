import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Receipt, receipts } from '../../src/contract/widget.js';
import type { Clock } from '../../src/proxy/runtime/clock.js';
import { webDigest } from '../../src/proxy/runtime/hash.js';
import { createInventoryProxy } from '../../src/proxy/proxy.js';
import type { InventoryProxy } from '../../src/proxy/options.js';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { portalProfile } from '../../src/proxy/portal/profile.js';
import type { ProxySession } from '../../src/proxy/access/session.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL } from './page-request.js';
import { scratchFolder } from './scratch-folder.js';
import { VirtualClock } from './virtual-clock.js';
import { TIMEOUT_MS, UnreliablePortal } from './unreliable-portal.js';

export interface EditRequest {
  readonly id: string;
  readonly available: boolean;
}

export type Decision = 'retry' | 'discard';

export interface DeliveryFixtureOptions {
  readonly itemsPerCall?: number;
  readonly callsPerSecond?: number;
  readonly random?: () => number;
  /** For the clock, in tests in which days pass. */
  readonly restTurns?: number;
}

interface RunningProxy {
  readonly proxy: InventoryProxy;
  readonly outbox: Outbox;
  readonly kill: () => void;
}

const SESSION: ProxySession = {
  vendor: 'boat-tours',
  subject: 'ada',
  permissions: new Set(['view', 'edit']),
  expiresAt: Date.UTC(9999, 0),
};

/** A proxy that delivers in virtual time, and that can be stopped, killed and started again on the same file. */
export class DeliveryFixture {
  readonly clock: VirtualClock;
  readonly portal: UnreliablePortal;
  readonly #file = join(scratchFolder(), 'inventory.sqlite');
  readonly #options: DeliveryFixtureOptions;
  #running: RunningProxy;

  constructor(t: TestContext, options: DeliveryFixtureOptions = {}) {
    this.#options = options;
    this.clock = new VirtualClock(undefined, options.restTurns);
    this.portal = new UnreliablePortal(this.clock);
    this.#running = this.#start();
    t.after(() => this.#kill());
  }

  get outbox(): Outbox {
    return this.#running.outbox;
  }

  /** Sends a batch as a page does. */
  async post(...requests: readonly EditRequest[]): Promise<Receipt[]> {
    const updated_at = new Date(this.clock.wall()).toISOString();
    const body = { inventory: requests.map((request) => ({ ...request, updated_at })) };
    return this.#ask('POST', '/v1/inventory', body);
  }

  /** @returns the present receipts of these edits */
  async receiptsOf(edits: readonly Receipt[]): Promise<Receipt[]> {
    return this.#ask('GET', `/v1/receipts?ids=${edits.map(({ edit_id }) => edit_id).join(',')}`);
  }

  /** Decides an edit. @returns its receipts; an empty array if it is too late for a decision */
  async decide(what: Decision, { edit_id }: Receipt): Promise<Receipt[]> {
    const answer = await this.#fetch('POST', `/v1/edits/${edit_id}/${what}`, {});
    return answer.status === 409 ? [] : read(answer);
  }

  async statesOf(edits: readonly Receipt[]): Promise<string[]> {
    return (await this.receiptsOf(edits)).map(({ state }) => state);
  }

  /** Resolves when delivery has ended. The outbox stays open. */
  stopDelivery(): Promise<void> {
    return this.#running.proxy.stop();
  }

  /** Stops the proxy as SIGTERM does, and starts it again. */
  async restart(): Promise<void> {
    // Calls in flight take at most their time-outs: those of one token request and two updates.
    await Promise.all([this.stopDelivery(), this.clock.pass(3 * TIMEOUT_MS)]);
    await this.#kill();
    this.#running = this.#start();
  }

  /** Kills the proxy as SIGKILL does, and starts it again: the outcomes of calls in flight are never recorded. */
  async crash(): Promise<void> {
    await this.#kill();
    this.#running = this.#start();
  }

  async #kill(): Promise<void> {
    this.#running.kill();
    await this.outbox.close();
  }

  #start(): RunningProxy {
    const { clock, kill } = mortal(this.clock);
    const outbox = openSqliteOutbox(this.#file);
    const proxy = createInventoryProxy({
      portal: this.portal.account,
      profile: portalProfile.parse({
        limits: { items: this.#options.itemsPerCall, calls_per_second: this.#options.callsPerSecond },
      }),
      outbox,
      authenticate: () => Promise.resolve(SESSION),
      allowedOrigins: [HOST_ORIGIN],
      publicUrl: PROXY_URL,
      fetch: this.portal.fetchBy(clock),
      clock,
      digest: (text) => this.clock.during(Promise.resolve(webDigest(text))),
      random: this.#options.random ?? (() => 1 / 3),
    });
    proxy.start();
    return { proxy, outbox, kill };
  }

  async #ask(method: string, path: string, body?: object): Promise<Receipt[]> {
    return read(await this.#fetch(method, path, body));
  }

  #fetch(method: string, path: string, body?: object): Promise<Response> {
    return this.#running.proxy.fetch(pageRequest(method, path, { body }));
  }
}

async function read(answer: Response): Promise<Receipt[]> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The proxy answered ${String(answer.status)}: ${text}`);
  return receipts.parse(JSON.parse(text)).receipts;
}

/** A clock whose timers no longer run once the process is killed. */
function mortal(clock: VirtualClock): { clock: Clock; kill: () => void } {
  const cancels = new Set<() => void>();
  let isDead = false;
  return {
    clock: {
      wall: () => clock.wall(),
      monotonic: () => clock.monotonic(),
      uptime: () => clock.uptime(),
      after(milliseconds, callback) {
        if (isDead) return () => undefined;
        const cancel = clock.after(milliseconds, () => {
          cancels.delete(cancel);
          callback();
        });
        cancels.add(cancel);
        return cancel;
      },
    },
    kill() {
      isDead = true;
      for (const cancel of cancels) cancel();
    },
  };
}

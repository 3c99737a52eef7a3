import { inventoryUpdate } from '../../src/contract/portal.js';
import type { Clock } from '../../src/proxy/runtime/clock.js';
import { Secret } from '../../src/proxy/runtime/secret.js';
import type { PortalAccount } from '../../src/proxy/portal/credentials.js';
import type { StoredItem } from '../../src/sandbox/portal-items.js';
import type { JournalEntry } from '../../src/sandbox/journal.js';
import { PortalTime } from './portal-time.js';
import { SentCalls } from './sent-calls.js';
import type { VirtualClock } from './virtual-clock.js';
import { createSandboxPortal, type SandboxPortal } from '../../src/sandbox/sandbox-portal.js';

/** What a call meets on its way to the portal. What the portal itself may do wrong, the sandbox does (`misbehave`). */
export type NetworkFault =
  | 'none'
  /** The connection is refused: the portal sees nothing. */
  | 'unreachable'
  /** The portal sees nothing, and the caller times out. */
  | 'request lost'
  /** The portal acts, and the caller times out before its answer comes. */
  | 'answer late'
  /** The portal acts at once, and thinks about its answer for nearly as long as the caller waits. */
  | 'answer slow'
  /** The portal acts, and the connection is reset. */
  | 'answer lost'
  /** The portal acts, and its answer breaks off after the status line. */
  | 'answer cut short'
  /** Something in front of the portal says "too many" and when to come again. */
  | 'too many'
  /** Something in front of the portal times out and says so (504), and the portal acts later. */
  | 'acts late'
  /** Something in front of the portal answers with a page of its own. */
  | 'a web page';

export const RETRY_AFTER_SECONDS = 90;

/** Until the portal acts on a call that it is late with. */
export const LATE_MS = 19_000;

/** After this a caller times out: the profile's default. */
export const TIMEOUT_MS = 10_000;

const SLOW_MS = 9_500;

const CLIENT_ID = 'guest-house';
const CLIENT_SECRET = 'portal-secret-that-is-not-one';
const BASE_URL = 'https://portal.test';

/** The sandbox portal behind a network that fails as the test says. Its journal is what the tests compare with. */
export class UnreliablePortal {
  networkFault: NetworkFault = 'none';

  /** Whatever call has this item in it makes the portal fail. */
  poison: string | undefined;

  /** Something in front of the portal answers whatever call has this item in it with a page of its own. */
  blocked: readonly string[] = [];

  /** What the portal says of each item that it has taken, in the words of its own. */
  says: ((id: string) => string) | undefined;

  /** How it writes their ids there. */
  writes: (id: string) => string = (id) => id;

  /** What the portal says of its limits (`RateLimit`) with each answer. */
  remaining: string | undefined;

  /** How far the portal's clock is ahead of ours, which it then says in each answer (`Date`), in milliseconds. */
  aheadMs: number | undefined;

  /** Says the true time in each answer instead, whatever somebody sets ours to; or what `time` was made of it. */
  tellsTrueTime = false;

  readonly time: PortalTime;

  /** All updates that were sent, whether or not they arrived, and what their senders know of them. */
  readonly sent: SentCalls;

  readonly account: PortalAccount = {
    baseUrl: BASE_URL,
    credentials: [{ clientId: CLIENT_ID, clientSecret: new Secret(CLIENT_SECRET) }],
  };

  readonly fetch: typeof fetch;

  readonly #clock: VirtualClock;
  readonly #sandbox: SandboxPortal;
  readonly #paths: string[] = [];

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    this.sent = new SentCalls(clock);
    this.time = new PortalTime(clock);
    this.#sandbox = createSandboxPortal({
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      now: () => clock.wall(),
    });
    this.fetch = this.fetchBy(clock);
  }

  /** All that was sent, whether or not it arrived. */
  get calls(): number {
    return this.#paths.length;
  }

  /** Updates that were sent, whether or not they arrived. */
  get updateCalls(): number {
    return this.#paths.filter((path) => path === '/v1/inventory').length;
  }

  /** @param clock of the process that calls: its calls end when it is killed */
  fetchBy(clock: Clock): typeof fetch {
    const meet = this.#meetBy(clock);
    const noted = this.sent.by(meet, () => this.networkFault === 'answer cut short');
    const process = this.sent.processes;
    return async (input, init) => {
      this.#clock.stir();
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      this.#paths.push(pathname);
      const answer = await (pathname === '/v1/inventory' ? noted : meet)(input, init);
      if (this.networkFault !== 'answer cut short') this.time.noteTold(process, answer);
      return answer;
    };
  }

  #meetBy(clock: Clock): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      if (this.poison !== undefined && (await request.clone().text()).includes(`"${this.poison}"`)) {
        return new Response(null, { status: 500 });
      }
      switch (this.networkFault) {
        case 'none':
          return this.#reach(request);
        case 'unreachable':
          throw fetchFailed('ECONNREFUSED');
        case 'request lost':
          return losePatience(clock);
        case 'answer late':
          await this.#reach(request);
          return losePatience(clock);
        case 'answer slow':
          return this.#reach(request).then((answer) => late(clock, answer));
        case 'answer lost':
          await this.#reach(request);
          throw fetchFailed('ECONNRESET');
        case 'answer cut short':
          return cutShort(await this.#reach(request));
        case 'too many':
          return new Response(null, { status: 429, headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
        case 'acts late':
          // Whoever has asked may be dead by then.
          this.#clock.after(LATE_MS, () => void this.#reach(request));
          return new Response(null, { status: 504 });
        case 'a web page':
          return webPage();
      }
    };
  }

  async #reach(request: Request): Promise<Response> {
    const text = await request.clone().text();
    if (this.blocked.some((id) => text.includes(`"${id}"`))) return webPage();
    const answer = await this.#clock.during(this.#sandbox.fetch(request));
    if (this.remaining !== undefined) answer.headers.set('RateLimit', this.remaining);
    const time = this.#time();
    if (time !== undefined) answer.headers.set('Date', new Date(time).toUTCString());
    const { says, writes } = this;
    if (says === undefined || !answer.ok || !request.url.endsWith('/v1/inventory')) return answer;
    const { inventory } = inventoryUpdate.parse(JSON.parse(text));
    const results = inventory.map(({ id }) => ({ id: writes(id), status: says(id) }));
    return Response.json({ results }, { headers: answer.headers });
  }

  #time(): number | undefined {
    if (this.tellsTrueTime) return this.time.now();
    return this.aheadMs === undefined ? undefined : this.#clock.wall() + this.aheadMs;
  }

  /** Replaces the sandbox's faults as a whole. */
  async misbehave(faults: { readonly down?: boolean; readonly refuse_items?: readonly string[] }): Promise<void> {
    await this.#control('PUT', 'faults', faults);
  }

  /** Replaces the sandbox's habits as a whole. */
  async turn(habits: object): Promise<void> {
    await this.#control('PUT', 'habits', habits);
  }

  /** Somebody changes a value at the portal itself. */
  async change(id: string, available: boolean): Promise<void> {
    await this.#control('POST', 'items', { id, available });
  }

  async expireTokens(): Promise<void> {
    await this.#control('POST', 'expire-tokens', {});
  }

  async journal(): Promise<JournalEntry[]> {
    return ((await this.#control('GET', 'journal')) as { entries: JournalEntry[] }).entries;
  }

  async updates(): Promise<JournalEntry[]> {
    return (await this.journal()).filter(({ kind }) => kind === 'update');
  }

  async items(): Promise<StoredItem[]> {
    return ((await this.#control('GET', 'items')) as { items: StoredItem[] }).items;
  }

  async #control(method: string, what: string, body?: unknown): Promise<unknown> {
    const answer = await this.#sandbox.fetch(
      new Request(`${BASE_URL}/sandbox/${what}`, {
        method,
        ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      }),
    );
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status} to ${what}`);
    return answer.json();
  }
}

/** As fetch fails on Node: the reason is the cause's code. */
function fetchFailed(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

function webPage(): Response {
  return new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } });
}

function losePatience(clock: Clock): Promise<never> {
  return new Promise((_, reject) => {
    clock.after(TIMEOUT_MS, () => {
      reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
  });
}

function late(clock: Clock, answer: Response): Promise<Response> {
  return new Promise((resolve) => {
    clock.after(SLOW_MS, () => {
      resolve(answer);
    });
  });
}

function cutShort(response: Response): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.error(fetchFailed('UND_ERR_SOCKET'));
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

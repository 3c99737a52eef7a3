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

/** What happens to a call on its way to the portal. Faults of the portal itself are made by the sandbox (`misbehave`). */
export type NetworkFault =
  | 'none'
  /** The connection is refused: the portal receives nothing. */
  | 'unreachable'
  /** The portal receives nothing, and the caller times out. */
  | 'request lost'
  /** The portal applies the call, and the caller times out before the response arrives. */
  | 'answer late'
  /** The portal applies the call at once, and takes nearly as long for its response as the caller waits. */
  | 'answer slow'
  /** The portal applies the call, and the connection is reset. */
  | 'answer lost'
  /** The portal applies the call, and its response is cut short after the status line. */
  | 'answer cut short'
  /** A gateway in front of the portal responds with 429 and names a wait (`Retry-After`). */
  | 'too many'
  /** A gateway in front of the portal times out and responds with 504, and the portal applies the call later. */
  | 'acts late'
  /** A gateway in front of the portal responds with a web page. */
  | 'a web page';

export const RETRY_AFTER_SECONDS = 90;

/** The time after which the portal applies a late call. */
export const LATE_MS = 19_000;

/** The time after which a caller times out: the default of the profile. */
export const TIMEOUT_MS = 10_000;

const SLOW_MS = 9_500;

const CLIENT_ID = 'guest-house';
const CLIENT_SECRET = 'portal-secret-that-is-not-one';
const BASE_URL = 'https://portal.test';

/** The sandbox portal behind a network that fails as the test says. The tests compare with the journal of the sandbox. */
export class UnreliablePortal {
  networkFault: NetworkFault = 'none';

  /** An item that makes the portal fail for every call that contains it. */
  poison: string | undefined;

  /** Items for which a gateway in front of the portal responds to every call with a web page. */
  blocked: readonly string[] = [];

  /** The status text that the portal gives each accepted item in its response. */
  says: ((id: string) => string) | undefined;

  /** The form in which the portal writes the ids there. */
  writes: (id: string) => string = (id) => id;

  /** The limits that the portal reports with each response (`RateLimit`). */
  remaining: string | undefined;

  /**
   * How far the portal's clock is ahead of ours, in milliseconds. If set, each response contains the portal's time
   * (`Date`).
   */
  aheadMs: number | undefined;

  /**
   * Whether each response contains the time of `time`: the true time, even if our clock was set, unless the test has set or
   * stopped it.
   */
  tellsTrueTime = false;

  readonly time: PortalTime;

  /** All update calls that were sent, whether or not they arrived, with what their senders know of them. */
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

  /** The number of calls that were sent, whether or not they arrived. */
  get calls(): number {
    return this.#paths.length;
  }

  /** The number of update calls that were sent, whether or not they arrived. */
  get updateCalls(): number {
    return this.#paths.filter((path) => path === '/v1/inventory').length;
  }

  /** @param clock of the calling process: its calls end when it is killed */
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
          // By the clock of the portal, because the calling process may have been killed by then.
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

  /** Replaces all variants of the sandbox. */
  async turn(habits: object): Promise<void> {
    await this.#control('PUT', 'habits', habits);
  }

  /** Changes a value at the portal itself. */
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

/** Fails as fetch does on Node: the reason is the code of the cause. */
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

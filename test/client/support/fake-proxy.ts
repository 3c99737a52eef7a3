import { type EditId, isClosingId } from '../../../src/domain/edit.js';
import { type ItemId, type Timestamp, toTimestamp } from '../../../src/domain/item.js';
import type { EditState } from '../../../src/domain/edit-state.js';
import {
  editBatch,
  type EditBatch,
  type CatalogItem,
  type ListedItem,
  type Listing,
  type Permission,
  PERSON_HEADER,
  personNamed,
  type Receipt,
  type Session,
} from '../../../src/contract/widget.js';
import type { HistoryEntry } from '../../../src/contract/history.js';
import { scheduleRequest, type FeedProblem, type Schedule } from '../../../src/contract/schedules.js';
import { isRetryable, type Problem, type ProblemCode, PROBLEMS } from '../../../src/contract/problem.js';
import { REQUESTED_WITH, WIDGET } from '../../../src/contract/fields.js';
import { loadAfterLoad } from '../../../src/client/queue/sender.js';
import { afterThisTest } from './clean-up.js';
import { LONG_AGO } from './items.js';

// Loaded in advance: with a fake clock, a test does not wait until the test server has served the chunk.
await loadAfterLoad();

export interface Person {
  readonly vendor: string;
  readonly subject: string;
  readonly permissions: readonly Permission[];
  readonly items?: readonly string[];
}

export const ANNA: Person = { vendor: 'harbour-tours', subject: 'anna', permissions: ['view', 'edit'] };
export const BEN: Person = { vendor: 'harbour-tours', subject: 'ben', permissions: ['view', 'edit'] };
export const VISITOR: Person = { vendor: 'harbour-tours', subject: 'visitor', permissions: ['view'] };

export type RouteName =
  | 'GET v1/session'
  | 'DELETE v1/session'
  | 'GET v1/inventory'
  | 'POST v1/inventory'
  | 'GET v1/receipts'
  | 'GET v1/events'
  | 'POST v1/edits/discard'
  | 'GET v1/history'
  | 'GET v1/change-sets/'
  | 'GET v1/schedules'
  | 'PUT v1/schedules/'
  | 'DELETE v1/schedules/'
  | 'POST inventory-session';

/** A request as the fake proxy received it. */
export interface Heard {
  readonly route: RouteName;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly credentials: RequestCredentials;
  readonly keepalive: boolean;
  readonly body: unknown;
  /** The edit, the schedule or the change set that the path names. */
  readonly edit?: string | undefined;
}

export type SentEdit = EditBatch['inventory'][number] & { readonly edit_id: EditId };

interface AcceptedEdit extends SentEdit {
  readonly receipt: Receipt;
}

/** Uses the real clock, even if a test has replaced it. */
const later = globalThis.setTimeout.bind(globalThis);

export const REQUEST_ID = 'request-4711';

/**
 * The far side of the network: a proxy that keeps the HTTP contract without a portal behind it, and the host's session URL.
 * An edit stays `received` until the test settles it, unless the portal is `swift`.
 */
export class FakeProxy {
  readonly url: string;
  /** On the host: responds to a POST with a token of the person who is signed in there. */
  readonly sessionUrl: string;
  /** The person who is signed in at the host, by the host's own cookies. */
  person: Person | undefined = ANNA;
  /** Whether every request to the proxy fails as a network error. The host still responds. */
  down = false;
  /** Why the proxy cannot read a calendar; `undefined` if it can. */
  feedProblem: FeedProblem | undefined;
  /**
   * The person whom the token names. Real tokens are JWTs; if this returns `undefined`, only the proxy knows whose a token
   * is.
   */
  namedInToken: (person: Person) => Person | undefined = () => undefined;
  /** If set, every call to the proxy is rejected with this code. */
  refusal: ProblemCode | undefined;
  /** Items that are outside of the session's scope. */
  readonly foreign = new Set<ItemId>();
  portal: 'slow' | 'swift' = 'slow';
  mostEdits = 500;
  /** The maximum number of edits in a request that a gateway in front of the proxy allows. */
  mostThrough = Infinity;
  pageSize = 1000;
  /** Responses that replace those of the proxy, such as ones that break the contract. */
  readonly answers = new Map<RouteName, () => Response>();
  readonly heard: Heard[] = [];
  readonly schedules = new Map<string, Schedule>();
  /** The newest entry first. */
  history: HistoryEntry[] = [];
  /** The number of entries on one page of the history. */
  historyPage = 100;

  readonly #gates = new Map<RouteName, Promise<void>>();
  readonly #lostAnswers = new Set<RouteName>();
  readonly #lateAnswers = new Map<RouteName, Promise<void>>();
  readonly #tokens = new Map<string, Person>();
  readonly #given = new Map<ItemId, ListedItem>();
  readonly #listed: CatalogItem[] = [];
  readonly #revisions = new Map<ItemId, number>();
  readonly #streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  #revision = 0;
  #edits: AcceptedEdit[] = [];
  #tokensMade = 0;
  #stamps = Date.now();

  constructor(url: string) {
    this.url = url;
    this.sessionUrl = `https://${crypto.randomUUID()}.host.test/inventory-session`;
  }

  serves(url: string): boolean {
    return url.startsWith(`${this.url}/`) || url === this.sessionUrl;
  }

  /** Adds an item with a state from before this page was opened. */
  knows(item: Pick<ListedItem, 'id' | 'available'> & Partial<ListedItem>): void {
    this.#given.set(item.id, { state: 'delivered', updated_at: LONG_AGO, ...item });
  }

  /** Adds an item of the operator's catalog that has no edit. */
  lists(item: CatalogItem): void {
    this.#listed.push(item);
  }

  /** @returns the requests to one route, the oldest first */
  heardOn(route: RouteName): Heard[] {
    return this.heard.filter((request) => request.route === route);
  }

  /** All edits of all requests, whether or not they were accepted. A repeated edit occurs more than once. */
  get sent(): SentEdit[] {
    return this.heardOn('POST v1/inventory').flatMap(({ body }) => (body as { inventory: SentEdit[] }).inventory);
  }

  /** The accepted edits in the order of their acceptance. */
  get accepted(): readonly AcceptedEdit[] {
    return this.#edits;
  }

  /** Holds requests to this route before they are processed. @returns a function that releases them */
  hold(route: RouteName): () => void {
    return holdIn(this.#gates, route);
  }

  /** Holds responses of this route after the request was processed. @returns a function that releases them */
  holdAnswers(route: RouteName): () => void {
    return holdIn(this.#lateAnswers, route);
  }

  /** From now on, requests to this route are processed, and their responses are lost. */
  loseAnswers(route: RouteName): void {
    this.#lostAnswers.add(route);
  }

  keepAnswers(route: RouteName): void {
    this.#lostAnswers.delete(route);
  }

  /** Sets the state of the newest edit of an item. */
  settle(id: ItemId, state: EditState, told: Partial<Receipt> = {}): void {
    const edit = this.#edits.filter((accepted) => accepted.id === id).at(-1);
    if (edit === undefined) throw new Error(`nobody sent an edit of ${id}`);
    this.#changes(id);
    this.#edits[this.#edits.indexOf(edit)] = { ...edit, receipt: { ...edit.receipt, state, ...told } };
  }

  /** Adds an edit that another person makes on another device. */
  takeFromElsewhere(id: ItemId, available: boolean, state: EditState = 'delivered', by?: string): void {
    this.#given.set(id, { id, available, state, updated_at: this.#stamp(), ...(by !== undefined && { by }) });
    this.#changes(id);
  }

  /** Delivers the edit of `takeFromElsewhere` to the portal. */
  deliverFromElsewhere(id: ItemId): void {
    const given = this.#given.get(id);
    if (given === undefined) throw new Error(`nobody changed ${id} somewhere else`);
    this.#given.set(id, { ...given, state: 'delivered' });
    this.#changes(id);
  }

  /** Discards the edit of `takeFromElsewhere`, before which the item had no edit. */
  withdrawElsewhere(id: ItemId): void {
    this.#given.delete(id);
    this.#changes(id);
  }

  /** Sends this text unchanged on every open event stream. */
  say(text: string): void {
    for (const stream of this.#streams) stream.enqueue(new TextEncoder().encode(text));
  }

  endStreams(): void {
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Loses all edits, as after a restore from an old backup. */
  loseEdits(): void {
    this.#edits = [];
  }

  /** Loses all revisions, as after a restore from an old backup. */
  forgetChanges(): void {
    this.#revision = 0;
    this.#revisions.clear();
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  async fetch(request: Request): Promise<Response> {
    if (this.down && request.url !== this.sessionUrl) throw new TypeError('Failed to fetch');
    const url = new URL(request.url);
    const path = request.url.startsWith(this.url) ? request.url.slice(this.url.length + 1) : url.pathname.slice(1);
    const [edit] = /(?<=^v1\/edits\/)[^/]+/.exec(path) ?? [];
    const [schedule = ''] = /(?<=^v1\/schedules\/)[^/]+/.exec(path) ?? [];
    const [set = ''] = /(?<=^v1\/change-sets\/)[^/?]+/.exec(path) ?? [];
    const address = path
      .replace(/\?.*/, '')
      .replace(`/${edit ?? ''}/`, '/')
      .replace(schedule, '')
      .replace(set, '');
    const route = `${request.method} ${address}` as RouteName;
    const text = await request.text();
    const heard: Heard = {
      route,
      query: url.searchParams,
      headers: request.headers,
      credentials: request.credentials,
      keepalive: request.keepalive,
      body: text === '' ? undefined : JSON.parse(text),
      edit: edit ?? (schedule || set),
    };
    this.heard.push(heard);
    const gate = this.#gates.get(route);
    // A request that the page aborts while it is held is not processed.
    if (gate !== undefined) await Promise.race([gate, untilAborted(request.signal)]);
    const made = this.answers.get(route)?.() ?? this.#answer(heard);
    if (route === 'GET v1/events') return abortable(made, request.signal);
    await this.#lateAnswers.get(route);
    if (this.#lostAnswers.has(route)) throw new TypeError('Failed to fetch');
    return made;
  }

  #answer(request: Heard): Response {
    if (request.route === 'POST inventory-session') return this.#giveToken();
    if (this.refusal !== undefined) return problemAnswer(this.refusal);
    const person = this.#whoAsks(request.headers);
    if (person === undefined) return problemAnswer('session_required');
    const named = request.headers.get(PERSON_HEADER) ?? undefined;
    if (named !== undefined && named !== personNamed(person)) return problemAnswer('session_changed');
    switch (request.route) {
      case 'GET v1/session':
        return answer(this.#session(person));
      case 'DELETE v1/session':
        this.#tokens.delete(bearerOf(request.headers) ?? '');
        return new Response(null, { status: 204 });
      case 'GET v1/inventory':
        return answer(this.#listing(request.query));
      case 'POST v1/inventory':
        return this.#accept(person, request);
      case 'POST v1/edits/discard':
        return this.#discard(request.edit);
      case 'GET v1/history':
        return this.#history(person, request.query);
      case 'GET v1/change-sets/':
        return this.#changeSet(request.edit);
      case 'GET v1/schedules':
        return answer({ schedules: [...this.schedules.values()] });
      case 'PUT v1/schedules/':
        return this.#schedule(person, request);
      case 'DELETE v1/schedules/':
        return this.#unschedule(request.edit ?? '');
      case 'GET v1/events':
        return this.#openStream();
      case 'GET v1/receipts':
        return answer({ receipts: this.#receipts((request.query.get('ids') ?? '').split(',')) });
    }
  }

  #giveToken(): Response {
    if (this.person === undefined) return new Response('signed out', { status: 401 });
    this.#tokensMade += 1;
    const named = this.namedInToken(this.person);
    const claims = named && `${encoded({ alg: 'none' })}.${encoded(claimsOf(named))}.`;
    const token = `${claims ?? ''}token-${String(this.#tokensMade)}`;
    this.#tokens.set(token, this.person);
    return answer({ token });
  }

  #whoAsks(headers: Headers): Person | undefined {
    const bearer = bearerOf(headers);
    return bearer === undefined ? this.person : this.#tokens.get(bearer);
  }

  #session({ vendor, subject, permissions, items }: Person): Session {
    return {
      vendor,
      subject,
      permissions: [...permissions],
      ...(items !== undefined && { items: [...items] }),
      limits: { max_edits: this.mostEdits, max_body_bytes: 256 * 1024 },
      server_time: toTimestamp(Date.now()),
      expires_at: toTimestamp(Date.now() + 600_000),
      version: '0.1.0',
    };
  }

  #listing(query: URLSearchParams): Listing {
    const items = new Map(this.#given);
    for (const { id, available, label, receipt, from, change_set } of this.#edits) {
      const { state, updated_at } = receipt;
      if (state === 'superseded' || state === 'discarded') continue;
      const known = items.get(id);
      if (known !== undefined && known.updated_at > updated_at) continue;
      const earlier = { ...known, by: undefined, reason: undefined, delayed: undefined, settled_at: undefined };
      const portal_available = known?.state === 'delivered' && state === 'received' ? known.available : undefined;
      const isClosing = change_set !== undefined && isClosingId(change_set) && (known?.available ?? from) === true;
      items.set(id, {
        ...earlier,
        ...(portal_available !== undefined && { portal_available }),
        ...receipt,
        closing: isClosing && !available ? change_set : undefined,
        available,
        label: label ?? known?.label,
      });
    }
    const from = Number(query.get('cursor') ?? '0');
    const to = from + this.pageSize;
    const since = query.get('since');
    const whole = [...items.values(), ...this.#listed.filter(({ id }) => !items.has(id))];
    const named = new Set(whole.map(({ id }) => id));
    // A list of changes also contains the items whose edits were all discarded.
    const withdrawn = [...this.#revisions.keys()].filter((id) => !named.has(id)).map((id) => ({ id }));
    const inventory =
      since === null
        ? whole
        : [...whole, ...withdrawn].filter(({ id }) => (this.#revisions.get(id) ?? 0) > Number(since));
    const next = to < inventory.length ? String(to) : undefined;
    return { inventory: inventory.slice(from, to), revision: this.#revision, ...(next !== undefined && { next }) };
  }

  #accept(person: Person, { headers, body }: Heard): Response {
    if (headers.get(REQUESTED_WITH) !== WIDGET) return problemAnswer('header_required');
    if (headers.get('Content-Type') !== 'application/json') return problemAnswer('json_required');
    if (!person.permissions.includes('edit')) return problemAnswer('permission_missing');
    if (!headers.has('Idempotency-Key')) return problemAnswer('idempotency_key_required');
    const batch = editBatch.safeParse(body);
    if (!batch.success) return problemAnswer('invalid_body');
    const edits = batch.data.inventory as SentEdit[];
    if (edits.length > this.mostThrough) return new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 });
    if (edits.length > this.mostEdits) return problemAnswer('too_many_edits');
    if (new Set(edits.map(({ id }) => id)).size < edits.length) return problemAnswer('duplicate_item');
    const foreign = edits.flatMap(({ id }, index) => (this.foreign.has(id) ? [index] : []));
    if (foreign.length > 0) return problemAnswer('item_unknown', foreign);
    for (const edit of edits) this.#store(edit);
    return answer({ receipts: this.#receipts(edits.map(({ edit_id }) => edit_id)) }, 202);
  }

  #store(edit: SentEdit): void {
    if (this.#edits.some(({ edit_id }) => edit_id === edit.edit_id)) return;
    const { id, edit_id } = edit;
    this.#changes(id);
    const state = this.portal === 'swift' ? 'delivered' : 'received';
    this.#edits.push({
      ...edit,
      receipt: { edit_id, id, seq: this.#edits.length + 1, state, updated_at: this.#stamp() },
    });
  }

  #changes(id: ItemId): void {
    this.#revision += 1;
    this.#revisions.set(id, this.#revision);
    // In a microtask, so that the change is stored when the event arrives.
    queueMicrotask(() => {
      this.say(`id: ${String(this.#revision)}\ndata: ${JSON.stringify({ id, seq: 1 })}\n\n`);
    });
  }

  #history({ permissions }: Person, query: URLSearchParams): Response {
    if (!permissions.includes('history')) return problemAnswer('permission_missing');
    const before = Number(query.get('cursor') ?? Infinity);
    const found = this.history.filter((entry) => {
      const { id, seq, subject, state, change_set } = entry;
      const filters = [
        [query.get('item'), id],
        [query.get('subject'), subject],
        [query.get('state'), state],
        [query.get('change_set'), change_set],
      ];
      const isHidden = query.get('collapse') === null ? entry.summary !== undefined : this.#isCollapsed(entry);
      return seq < before && !isHidden && filters.every(([wanted, value]) => wanted === null || wanted === value);
    });
    const page = found.slice(0, this.historyPage);
    const next = found.length > page.length ? String(page.at(-1)?.seq) : undefined;
    return answer({ history: page, ...(next !== undefined && { next }) });
  }

  /** An entry with a summary stands for its change set, so the other entries of that set are hidden. */
  #isCollapsed({ change_set, summary }: HistoryEntry): boolean {
    const isSummed = this.history.some((entry) => entry.change_set === change_set && entry.summary !== undefined);
    return change_set !== undefined && summary === undefined && isSummed;
  }

  #changeSet(id: string | undefined): Response {
    const found = this.history.filter(({ change_set, summary }) => change_set === id && summary === undefined);
    return found.length === 0 ? problemAnswer('change_set_unknown') : answer({ history: found });
  }

  /** The schedule closes its items at once, because a definition without a beginning does so. */
  #schedule(person: Person, { edit: id = '', body }: Heard): Response {
    if (!person.permissions.includes('schedule')) return problemAnswer('permission_missing');
    const wanted = scheduleRequest.safeParse(body);
    if (!wanted.success) return problemAnswer('invalid_body');
    const { items, feed: address, ...definition } = wanted.data;
    if (address !== undefined && this.feedProblem !== undefined)
      return problemAnswer('feed_unreadable', this.feedProblem);
    const back_at = `${definition.until ?? '2031-01-01T00:00'}:00.000Z` as Timestamp;
    const made: Schedule = {
      id,
      ...definition,
      ...(address !== undefined && { feed: { host: new URL(address).host, read_at: toTimestamp(Date.now()) } }),
      items: items.map((item) => ({ id: item, state: 'closed' })),
      state: 'closed',
      next_at: back_at,
      subject: person.subject,
      created_at: toTimestamp(Date.now()),
    };
    this.#unschedule(id);
    this.schedules.set(id, made);
    for (const item of items) {
      this.#given.set(item, { id: item, available: false, state: 'delivered', updated_at: this.#stamp(), back_at });
      this.#changes(item);
    }
    return answer(made, 201);
  }

  #unschedule(id: string): Response {
    for (const { id: item } of this.schedules.get(id)?.items ?? []) {
      const known = this.#given.get(item);
      if (known !== undefined) this.#given.set(item, { ...known, back_at: undefined });
      this.#changes(item);
    }
    return this.schedules.delete(id) ? new Response(null, { status: 204 }) : problemAnswer('schedule_unknown');
  }

  #openStream(): Response {
    let opened: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        opened = controller;
        this.#streams.add(controller);
        controller.enqueue(new TextEncoder().encode(': open\n\n'));
      },
      cancel: () => {
        if (opened !== undefined) this.#streams.delete(opened);
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }

  #discard(edit: string | undefined): Response {
    const known = this.#edits.find(({ edit_id }) => edit_id === edit);
    if (known === undefined) return problemAnswer('edit_unknown');
    if (!['refused', 'conflict'].includes(known.receipt.state)) return problemAnswer('edit_settled');
    this.settle(known.id, 'discarded');
    return answer({ receipts: this.#receipts([known.edit_id]) });
  }

  #receipts(ids: readonly string[]): Receipt[] {
    return this.#edits.filter(({ edit_id }) => ids.includes(edit_id)).map(({ receipt }) => receipt);
  }

  #stamp(): Timestamp {
    this.#stamps += 1;
    return toTimestamp(this.#stamps);
  }
}

function bearerOf(headers: Headers): string | undefined {
  return headers.get('Authorization')?.replace(/^Bearer /, '');
}

function claimsOf({ vendor, subject }: Person): object {
  return { vendor, sub: subject };
}

function encoded(part: object): string {
  return btoa(JSON.stringify(part)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Replaces the network for this address until the test ends. Each proxy has its own address, and so its own edits. */
export function fakeProxy(url = `https://${crypto.randomUUID()}.proxy.test/inventory`): FakeProxy {
  const proxy = new FakeProxy(url);
  const beyond = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return proxy.serves(request.url) ? proxy.fetch(request) : beyond(request);
  };
  afterThisTest(() => {
    globalThis.fetch = beyond;
  });
  return proxy;
}

/** @param about the indices of rejected edits, or why a calendar cannot be read */
export function problemAnswer(code: ProblemCode, about: readonly number[] | FeedProblem = []): Response {
  const { status, detail } = PROBLEMS[code];
  const body: Problem = {
    type: 'about:blank',
    title: 'Problem',
    status,
    code,
    detail,
    retryable: isRetryable(code),
    request_id: REQUEST_ID,
    ...(typeof about === 'string'
      ? { errors: [{ pointer: '/feed', message: about }] }
      : about.length > 0 && {
          errors: about.map((index) => ({ pointer: `/inventory/${String(index)}`, message: code })),
        }),
  };
  return answer(body, status, 'application/problem+json');
}

/**
 * Ends a response as the network does: an abort ends the stream for the page, and the proxy notices it later. It is written
 * by hand, because `pipeTo` of WebKitGTK does not react to its signal.
 */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => void reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}

function abortable(response: Response, signal: AbortSignal): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener('abort', () => {
        controller.error(signal.reason);
        later(() => void reader.cancel());
      });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

function holdIn(gates: Map<RouteName, Promise<void>>, route: RouteName): () => void {
  let open = (): void => undefined;
  gates.set(
    route,
    new Promise((resolve) => {
      open = resolve;
    }),
  );
  return () => {
    gates.delete(route);
    open();
  };
}

function answer(body: unknown, status = 200, type = 'application/json'): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } });
}

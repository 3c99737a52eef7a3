import { permissionMissing } from '../http/problem-response.js';
import type { Clock } from '../runtime/clock.js';
import type { SignOuts } from '../access/ended-sessions.js';
import type { Metrics } from '../runtime/metrics.js';
import { yieldToEventLoop } from '../http/paging.js';
import { hasPermission, canAccessItem } from '../access/permissions.js';
import type { ChangeFeed, RouteContext } from '../http/route-context.js';
import { MAX_TOKEN_LIFETIME_SECONDS, type ProxySession } from '../access/session.js';
import { FEED_PAGE } from './vendor-feeds.js';

/** Between two looks whether the person has signed out. */
const CHECK_INTERVAL_MS = 2_000;
/** A comment that keeps gateways from closing an idle stream. */
const HEARTBEAT_MS = 15_000;
/** As long as an embed token: of a session that the host vouches for longer it is asked again. */
const MAX_STREAM_MS = MAX_TOKEN_LIFETIME_SECONDS * 1000;

/**
 * `GET /v1/events`: server-sent events (HTML standard, section 9.2), read by the page with fetch because EventSource cannot
 * send a token. Hints only, `{id, seq}`: an item changed, and no `seq` where no edit of it counts any more. What it changed
 * to is read from receipts and `since=`. The event id is the revision to go on from; one that we do not know gets
 * `event: reset`. The stream ends with the session, after a quarter of an hour at most, with the keys
 * that proved it, and at the next look when its person has signed out: the page opens another one.
 */
export async function openChangeStream(
  request: Request,
  session: ProxySession,
  context: RouteContext,
): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  const newest = await context.outbox.revision(session.vendor);
  const last = request.headers.get('Last-Event-ID');
  const known = last !== null && /^\d{1,15}$/.test(last) && Number(last) <= newest;
  const hints = new ChangeStream(session, context, known ? Number(last) : newest);
  hints.closeOn([
    request.signal,
    context.stopSignal,
    ...(session.revokedSignal === undefined ? [] : [session.revokedSignal]),
  ]);
  let hasLeft = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(
        encode(last !== null && !known ? `event: reset\nid: ${String(newest)}\ndata: {}\n\n` : ': open\n\n'),
      );
    },
    async pull(controller) {
      try {
        const text = await hints.next();
        // A stream that was cancelled takes nothing more, not even its end.
        if (hasLeft) return;
        if (text === undefined) controller.close();
        else controller.enqueue(encode(text));
      } catch (error) {
        context.log('error', 'event stream failed', { error: String(error) });
        // A stream that has failed is not cancelled, and not every server aborts its request.
        hints.end();
        // As with the session: what is thrown here a server may print, and tell the page. That opens another one.
        controller.close();
      }
    },
    cancel() {
      hasLeft = true;
      hints.end();
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      // Every gateway must pass each hint on at once: compression waits for more, and so does nginx.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

/** What a stream says next; asked only as fast as the page reads. */
class ChangeStream {
  readonly #session: ProxySession;
  readonly #signOuts: SignOuts;
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #endsAt: number;
  readonly #feed: ChangeFeed;
  readonly #releaseSlot: () => void;
  #signals: readonly AbortSignal[] = [];
  #revision: number;
  #sentAt: number;
  #ended = false;
  #changed = false;
  /** The last look saw a full page: its changes may all be foreign to the session, and one of its own behind them. */
  #hasMore = false;
  #wake: (() => void) | undefined;

  constructor(session: ProxySession, context: RouteContext, revision: number) {
    const { signOuts, clock, metrics } = context;
    this.#session = session;
    this.#signOuts = signOuts;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#revision = revision;
    this.#sentAt = clock.monotonic();
    this.#endsAt = clock.monotonic() + Math.min(Math.max(session.expiresAt - clock.wall(), 0), MAX_STREAM_MS);
    this.#releaseSlot = context.streamSemaphore.acquire(session);
    this.#feed = context.feeds.subscribe(session.vendor, () => {
      this.#changed = true;
      this.#wake?.();
    });
    metrics.streamOpened();
  }

  /** Some of the signals outlive every stream: nothing of a stream may stay with them. */
  closeOn(signals: readonly AbortSignal[]): void {
    this.#signals = signals;
    for (const signal of signals) signal.addEventListener('abort', this.end);
    if (signals.some((signal) => signal.aborted)) this.end();
  }

  readonly end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#changed = true;
    this.#feed.close();
    this.#releaseSlot();
    for (const signal of this.#signals) signal.removeEventListener('abort', this.end);
    this.#metrics.streamClosed();
    this.#wake?.();
  };

  async next(): Promise<string | undefined> {
    for (;;) {
      const left = this.#endsAt - this.#clock.monotonic();
      if (this.#ended || left <= 0 || this.#signOuts.hasEnded(this.#session)) {
        this.end();
        return undefined;
      }
      this.#changed = false;
      const text = (await this.#readEvents()) ?? this.#heartbeat();
      if (text !== undefined) return text;
      if (this.#hasMore) await yieldToEventLoop();
      else if (!this.#changed) await this.#wait(Math.min(CHECK_INTERVAL_MS, left));
    }
  }

  async #readEvents(): Promise<string | undefined> {
    const changed = await this.#feed.read(this.#revision);
    this.#revision = changed.at(-1)?.revision ?? this.#revision;
    this.#hasMore = changed.length === FEED_PAGE;
    const seen = changed.filter((item) => canAccessItem(this.#session, item.id));
    if (seen.length === 0) return undefined;
    this.#sentAt = this.#clock.monotonic();
    return seen
      .map(({ id, seq, revision }) => `id: ${String(revision)}\ndata: ${JSON.stringify({ id, seq })}\n\n`)
      .join('');
  }

  #heartbeat(): string | undefined {
    if (this.#clock.monotonic() - this.#sentAt < HEARTBEAT_MS) return undefined;
    this.#sentAt = this.#clock.monotonic();
    return ': still here\n\n';
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(milliseconds, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

const encoder = new TextEncoder();

function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

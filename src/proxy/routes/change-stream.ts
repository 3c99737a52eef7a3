import { permissionMissing } from '../http/problem-response.js';
import type { Clock } from '../runtime/clock.js';
import type { SignOuts } from '../access/ended-sessions.js';
import type { Metrics } from '../runtime/metrics.js';
import { yieldToEventLoop } from '../http/paging.js';
import { hasPermission, canAccessItem } from '../access/permissions.js';
import type { ChangeFeed, RouteContext } from '../http/route-context.js';
import { MAX_TOKEN_LIFETIME_SECONDS, type ProxySession } from '../access/session.js';
import { FEED_PAGE } from './vendor-feeds.js';

/** Interval of the check whether the person has signed out. */
const CHECK_INTERVAL_MS = 2_000;
/** Interval of comments that keep gateways from closing an idle stream. */
const HEARTBEAT_MS = 15_000;
/**
 * As long as an embed token. It limits sessions of the host's own `authenticate`, which may last longer: the page
 * reconnects and is authenticated again.
 */
const MAX_STREAM_MS = MAX_TOKEN_LIFETIME_SECONDS * 1000;

/**
 * `GET /v1/events`: server-sent events (HTML standard, section 9.2), which the page reads with fetch because EventSource
 * cannot send a token. An event is only a hint, `{id, seq}`: this item changed; `seq` is missing if none of its edits is in
 * force. The page reads the new value from receipts and `since=`. The event id is the revision to resume from; an unknown
 * one gets `event: reset`. The stream ends with the session, after 15 minutes at most, when the keys that verified the
 * session are replaced, and within two seconds of a sign-out. The page then reconnects.
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
        // Enqueueing or closing after a cancellation throws.
        if (hasLeft) return;
        if (text === undefined) controller.close();
        else controller.enqueue(encode(text));
      } catch (error) {
        context.log('error', 'event stream failed', { error: String(error) });
        // After an error the stream is not cancelled, and not every server aborts the request.
        hints.end();
        // The stream is closed, not errored: a server may print an error to the page. The page reconnects after the close.
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
      // Events must not be buffered on the way: compression would hold them back, and so does nginx by default.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  });
}

/** Produces the events of one stream, only as fast as the page reads them. */
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
  /**
   * The last page was full. All its changes may be outside of the session's scope, with one inside the scope after them.
   */
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

  /** Some signals outlive every stream, so the listeners are removed when the stream ends. */
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

import type { ProxySession } from '../access/session.js';
import type { KeyedSemaphore, ConcurrencyQueue } from './concurrency-limit.js';
import { yieldToEventLoop } from './paging.js';

/** A response up to this size fits into the socket's buffer, so it releases its place before the client has read it. */
const SHORT_BYTES = 32 * 1024;

/** nginx's status for a connection that the client has closed. Only the log and the metrics show it. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Answers a request that only reads. The semaphore limits how many reads one person and all people together may have open,
 * and the queue how many of them the outbox works on at once. A long response holds its place in the semaphore until the
 * client has read it. A client that has disconnected causes no work.
 *
 * @throws {ApiError} if the semaphore has no free place
 */
export async function boundRead(
  { readSemaphore, readQueue }: { readonly readSemaphore: KeyedSemaphore; readonly readQueue: ConcurrencyQueue },
  session: ProxySession,
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  const release = once(readSemaphore.acquire(session));
  try {
    const response = await readQueue.run(async () => {
      // Edits and other requests that wait run before each read.
      await yieldToEventLoop();
      return request.signal.aborted ? new Response(null, { status: CLIENT_CLOSED_REQUEST }) : answer();
    });
    if (Number(response.headers.get('Content-Length')) > SHORT_BYTES) return releaseWhenRead(response, release);
    release();
    return response;
  } catch (error) {
    release();
    throw error;
  }
}

function releaseWhenRead(response: Response, release: () => void): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    release();
    return response;
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        release();
        controller.close();
      },
      cancel(reason) {
        release();
        return reader.cancel(reason);
      },
    },
    // No chunk is read before the client asks for it.
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

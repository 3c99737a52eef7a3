import type { ProxySession } from '../access/session.js';
import type { KeyedSemaphore, ConcurrencyQueue } from './concurrency-limit.js';
import { yieldToEventLoop } from './paging.js';

/** A shorter answer is taken by the socket at once, and needs no place until it was read. */
const SHORT_BYTES = 32 * 1024;

/** Of nginx: the client closed the connection. Only the log and the metrics see it. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Answers a request that only reads, one of so many of a person and of all; a few of them run at once. A long answer keeps its place until the client
 * has read it. The work of a client that has left is dropped.
 *
 * @throws {ApiError} where there is no place
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
      // Before each read, edits and other requests that wait have their turn.
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
    // Nothing is read ahead of the client.
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

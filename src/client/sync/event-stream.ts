export interface Hint {
  readonly id: string | undefined;
  readonly type: string | undefined;
}

export interface HintReader {
  readonly signal: AbortSignal;
  /** Milliseconds without a byte after which the stream is closed; twice as long after the first byte. */
  readonly silence: number;
  readonly onBytes: () => void;
  readonly onEvent: (hint: Hint) => void;
}

/** Far more than the hundred characters that an event of the proxy has. */
const MAX_EVENT_LENGTH = 100_000;

/**
 * Reads server-sent events (HTML standard, section 9.2) until the stream ends, breaks or stays silent for too long. It never
 * rejects: the caller opens the next stream in every case, and a fault of the connection shows in the other calls.
 */
export async function readHints(
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  { signal, silence, onBytes, onEvent }: HintReader,
): Promise<void> {
  const call = new AbortController();
  const end = (): void => {
    call.abort();
  };
  signal.addEventListener('abort', end, { signal: call.signal });
  let timer = setTimeout(end, silence);
  try {
    const reader = (await open(call.signal)).getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(end, silence * 2);
      onBytes();
      const events = (text + decoder.decode(read.value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) parseEvent(event, onEvent);
      if (text.length > MAX_EVENT_LENGTH) return;
    }
  } catch {
    return;
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** Ignores comments, which only keep the connection alive. */
function parseEvent(event: string, onEvent: (hint: Hint) => void): void {
  const field = (name: string): string | undefined => new RegExp(`(?:^|\n)${name}: ?(.*)`).exec(event)?.[1];
  if (field('data') !== undefined) onEvent({ id: field('id'), type: field('event') });
}

export interface Hint {
  readonly id: string | undefined;
  readonly type: string | undefined;
}

export interface HintReader {
  readonly signal: AbortSignal;
  /** Milliseconds without a byte, until the first one, after which the stream is given up; twice that long from then on. */
  readonly silence: number;
  readonly onBytes: () => void;
  readonly onEvent: (hint: Hint) => void;
}

/** An event of ours has a hundred characters. */
const MOST_EVENT = 100_000;

/**
 * Reads server-sent events (HTML standard, section 9.2) until the stream ends, breaks or says nothing for too long, and
 * never rejects: whatever ended it, it is opened again, and what is wrong with the connection shows in every other call.
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
      for (const event of events) tellOf(event, onEvent);
      if (text.length > MOST_EVENT) return;
    }
  } catch {
    return;
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** A comment is no event: it only says that somebody is there. */
function tellOf(event: string, onEvent: (hint: Hint) => void): void {
  const field = (name: string): string | undefined => new RegExp(`(?:^|\n)${name}: ?(.*)`).exec(event)?.[1];
  if (field('data') !== undefined) onEvent({ id: field('id'), type: field('event') });
}

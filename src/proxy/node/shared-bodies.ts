import { FIELDS, type Scanned } from '../written-batch.js';

/** As many batches as are on their way at once, mostly; of the rest, copies are sent. */
const PLACES = 32;
/** A thousand edits as the page writes them, and where each of their fields is. */
const PLACE_BYTES = 192 * 1024;

/** Where a batch lies, in place of its bytes and spans. */
export interface SharedScanned extends Omit<Scanned, 'bytes' | 'spans'> {
  readonly place: number;
  readonly bodyBytes: number;
}

/** None of it takes memory before it is written to. */
export function newSharedMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(PLACES * PLACE_BYTES);
}

/**
 * Bodies that another thread reads where they lie. A message has its bytes copied twice, into memory that is new each time on
 * both sides and has to be collected there.
 */
export class SharedBodies {
  readonly #bytes: Uint8Array;
  readonly #spans: Int32Array;
  /** The one that was used last is in the processor's cache. */
  readonly #free = Array.from({ length: PLACES }, (_, place) => place);

  constructor(memory: SharedArrayBuffer) {
    this.#bytes = new Uint8Array(memory);
    this.#spans = new Int32Array(memory);
  }

  /** @returns `undefined` where there is no place, or none that is large enough */
  put({ bytes, spans, ...rest }: Scanned): SharedScanned | undefined {
    const used = rest.count * FIELDS;
    if (used * Int32Array.BYTES_PER_ELEMENT + bytes.length > PLACE_BYTES) return undefined;
    const place = this.#free.pop();
    if (place === undefined) return undefined;
    const from = place * PLACE_BYTES;
    this.#spans.set(spans.subarray(0, used), from / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes.set(bytes, from + used * Int32Array.BYTES_PER_ELEMENT);
    return { ...rest, place, bodyBytes: bytes.length };
  }

  /** Once nobody reads there any more. */
  release({ place }: SharedScanned): void {
    this.#free.push(place);
  }
}

/** What lies there, on the other thread. It is to be read only before the batch has its answer. */
export function sharedScanned(memory: SharedArrayBuffer, { place, bodyBytes, ...rest }: SharedScanned): Scanned {
  const from = place * PLACE_BYTES;
  const used = rest.count * FIELDS;
  return {
    ...rest,
    bytes: new Uint8Array(memory, from + used * Int32Array.BYTES_PER_ELEMENT, bodyBytes),
    spans: new Int32Array(memory, from, used),
  };
}

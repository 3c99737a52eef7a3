/**
 * Requests as a page sends them, each with new edits, items and a new key. Numbers of a fixed
 * width are written over a prepared text, so that the load generator itself takes little time.
 */
export interface RequestTemplate {
  /** The next request, which is valid until the next call. */
  next(): Buffer;
}

export interface TemplateOptions {
  readonly host: string;
  readonly origin: string;
  readonly token: string;
  readonly items: number;
  /** A unique number of the template in a run. */
  readonly number: number;
}

const DIGITS = 8;
const BLANK = '0'.repeat(DIGITS);

export function requestTemplate({ host, origin, token, items, number }: TemplateOptions): RequestTemplate {
  const mine = String(number).padStart(6, '0');
  const now = new Date().toISOString();
  const edits = Array.from({ length: items }, (_, at) => ({
    id: `tour-${mine}-${BLANK}`,
    available: at % 2 === 0,
    updated_at: now,
    // The ids have the length of those of a page, and are not ordered.
    edit_id: `${BLANK}${mine.padStart(24, '0')}`,
  }));
  const body = JSON.stringify({ inventory: edits, sent_at: now });
  const head = [
    'POST /v1/inventory HTTP/1.1',
    `Host: ${host}`,
    `Origin: ${origin}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'X-Requested-With: inventory-widget',
    `Idempotency-Key: ${mine}-${BLANK}`,
    `Content-Length: ${String(body.length)}`,
  ].join('\r\n');
  const bytes = Buffer.from(`${head}\r\n\r\n${body}`, 'latin1');
  const keyAt = bytes.indexOf(`Idempotency-Key: ${mine}-`) + `Idempotency-Key: ${mine}-`.length;
  const idsAt = edits.reduce<number[]>((ats) => [...ats, nextOf(bytes, `"id":"tour-${mine}-`, ats.at(-1))], []);
  const editsAt = edits.reduce<number[]>((ats) => [...ats, nextOf(bytes, '"edit_id":"', ats.at(-1))], []);
  let requests = 0;
  let made = 0;
  return {
    next() {
      writeHex(bytes, keyAt, (requests += 1));
      for (let at = 0; at < items; at += 1) {
        made += 1;
        writeHex(bytes, idsAt[at] ?? 0, made);
        // With an odd factor, no two numbers collide, and consecutive numbers are far apart.
        writeHex(bytes, editsAt[at] ?? 0, Math.imul(made, 2_654_435_761) >>> 0);
      }
      return bytes;
    },
  };
}

function nextOf(bytes: Buffer, text: string, after = 0): number {
  return bytes.indexOf(text, after) + text.length;
}

function writeHex(bytes: Buffer, at: number, number: number): void {
  let rest = number;
  for (let digit = DIGITS - 1; digit >= 0; digit -= 1) {
    const low = rest & 15;
    bytes[at + digit] = low < 10 ? 48 + low : 87 + low;
    rest >>>= 4;
  }
}

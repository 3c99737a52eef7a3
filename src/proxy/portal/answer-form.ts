import { endsInside } from './foreign-json.js';
import type { AnswerKind } from './outcome.js';

/** A whole answer of the portal: nothing here has been believed yet. */
export interface PortalAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** When it was complete, on our wall clock. */
  readonly at: number;
}

const ASKED_CODING = /^(?:|br|deflate|identity|(?:x-)?gzip)$/i;

/**
 * Where the end of the connection is the end of the body, nothing else tells a whole answer from one that broke off (RFC 9112
 * section 8), and a refusal may have stood in the rest. A compressed one that did may unpack to nothing.
 */
export function isCut({ headers, text }: PortalAnswer): boolean {
  if (headers.has('Content-Length') || headers.has('Transfer-Encoding')) return false;
  return text === '' ? headers.has('Content-Encoding') : endsInside(text);
}

/**
 * Why nobody can read what came, be it a no. What fetch was asked to unpack is unpacked by now; JSON has no zero in it, which
 * is half of what UTF-16 makes of it (RFC 8259 section 8.1).
 */
export function strangeLetters({ headers, text }: PortalAnswer): string | undefined {
  const codings = (headers.get('Content-Encoding') ?? '').split(',').map((coding) => coding.trim());
  if (codings.some((coding) => !ASKED_CODING.test(coding))) return 'a Content-Encoding that was not asked for';
  return text.includes('\0') ? 'no UTF-8' : undefined;
}

/** Its type, where it is not the one that is due: `, text/html`. */
export function strangeType({ type }: AnswerKind): string {
  return type === undefined || isJson(type) ? '' : `, ${type}`;
}

/** For the operator: whoever shows it takes our secrets out. */
export function kindOf({ status, headers }: PortalAnswer): AnswerKind {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim();
  return { status, ...(type !== undefined && { type }) };
}

/**
 * Whether a success is the portal's own. JSON that is broken or nested too deep begins as JSON, and is a yes; so is whatever a
 * portal calls JSON by mistake, unless there is a tag in it, and so is nothing at all.
 */
export function isOurs({ headers, text }: PortalAnswer, body: unknown): boolean {
  const type = headers.get('Content-Type');
  if (type !== null && !isJson(type)) return false;
  if (body !== undefined || /^\s*(?:[[{]|$)/.test(text)) return true;
  return type !== null && !text.includes('<');
}

/** Also by its older name, which browsers take for it, too (WHATWG MIME Sniffing, "JSON MIME type"). */
function isJson(type: string): boolean {
  return /^(?:application\/(?:[\w.+-]+\+)?|text\/)json\b/i.test(type);
}

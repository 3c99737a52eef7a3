import { endsInside, parseForeignJson } from './foreign-json.js';
import { resultsAt } from './item-results.js';
import { pointAt } from './json-pointer.js';
import type { AnswerKind, DelayReason, ItemDelay, UpdateOutcome } from './outcome.js';
import { waitAsked } from './portal-wait.js';
import type { PortalProfile, StatusClass } from './profile.js';

/** A whole answer of the portal: nothing here has been believed yet. */
export interface PortalAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** When it was complete, on our wall clock. */
  readonly at: number;
}

const MOST_CODE_LENGTH = 100;
const REFUSED = new Set([400, 403, 404, 409, 413, 415, 422]);
const ASKED_CODING = /^(?:|br|deflate|identity|(?:x-)?gzip)$/i;
const TRY_AGAIN = new Set([408, 425, 429]);

/** The token is not taken: the caller's to try once more with another. */
export interface Unauthorized {
  readonly kind: 'unauthorized';
  readonly afterMs?: number | undefined;
}

/**
 * What a complete answer to an inventory update means, by the profile.
 *
 * @param ids of the update: what is no 2xx and counts as delivered may be about one of them, so that several are split
 */
export function readUpdateAnswer(
  answer: PortalAnswer,
  profile: PortalProfile,
  ids: readonly string[],
): UpdateOutcome | Unauthorized {
  const meant = classify(answer.status, profile);
  const status = meant === 'delivered' && answer.status > 299 && ids.length > 1 ? 'refused' : meant;
  const outcome = withKind(meaningOf(status, answer, profile, ids), answer);
  const afterMs = waitAsked({ ...answer, isBusy: status === 'retry' });
  return afterMs === undefined ? outcome : { ...outcome, afterMs };
}

function withKind(outcome: UpdateOutcome | Unauthorized, answer: PortalAnswer): UpdateOutcome | Unauthorized {
  const isRead = outcome.kind === 'delivered' || outcome.kind === 'unauthorized';
  return isRead ? outcome : { ...outcome, came: kindOf(answer) };
}

function meaningOf(
  status: StatusClass,
  answer: PortalAnswer,
  profile: PortalProfile,
  ids: readonly string[],
): UpdateOutcome | Unauthorized {
  const said = errorMessage(answer, profile);
  switch (status) {
    case 'credentials':
      return { kind: 'unauthorized' };
    case 'held':
      return { kind: 'held', reason: 'portal_unreadable', ...said };
    case 'refused':
      return { kind: 'refused', code: errorCode(answer, profile), ...said };
    case 'retry':
      return { kind: mayStillAct(answer.status) ? 'unknown' : 'retry', reason: reasonOf(answer.status), ...said };
    case 'delivered':
      return readSuccess(answer, profile, ids);
  }
}

export function classify(status: number, profile: PortalProfile): StatusClass {
  const set = profile.statuses[String(status)];
  if (set !== undefined) return set;
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 401) return 'credentials';
  if (REFUSED.has(status)) return 'refused';
  // 3xx, and whatever else no inventory update should answer, is a setting that is wrong.
  return status >= 500 || TRY_AGAIN.has(status) ? 'retry' : 'held';
}

/**
 * Whether a call that is to be tried again may have been acted on all the same, or may be yet: what gives up first (408,
 * 504, or a 500 of whatever stands between) does not call back what it has passed on, and the older value could land after
 * a newer one. So the newest is said once more: nobody can know how that call ended.
 * Not so where the answer means that nobody has looked at it: 503 (RFC 9110 section 15.6.4), 429 (RFC 6585 section 4) and
 * the other 4xx. They are said often and for long, and cost no more calls than before.
 */
function mayStillAct(status: number): boolean {
  return status < 400 || status === 408 || (status >= 500 && status !== 503);
}

function reasonOf(status: number): DelayReason {
  return status === 429 ? 'portal_busy' : 'portal_error';
}

/**
 * A success that is no JSON comes from somebody else, a login page, a proxy in between; unless the operator calls its status
 * delivered, whatever comes with it.
 */
function readSuccess(answer: PortalAnswer, profile: PortalProfile, ids: readonly string[]): UpdateOutcome {
  if (isCut(answer)) return { kind: 'unknown', reason: 'portal_unreachable', failure: 'the answer ends in the middle' };
  // Nobody's page is empty, whatever its framework calls it: Flask and Django have text/html for a 204.
  if (answer.status !== 207 && answer.text.trim() === '') return { kind: 'delivered' };
  const body = parseForeignJson(answer.text);
  if (profile.statuses[String(answer.status)] !== 'delivered') {
    const strange = body === undefined ? strangeLetters(answer) : undefined;
    if (strange !== undefined || !isOurs(answer, body)) return unreadable(strange ?? 'no JSON');
  }
  const { list, id, status, taken } = profile.results;
  const results = resultsAt(pointAt(body, list), id);
  if (results === undefined)
    return answer.status === 207 ? unreadable('no results at results.list') : { kind: 'delivered' };
  const refused = new Map<string, string>();
  const later = new Map<string, ItemDelay>();
  const named = new Set<string>();
  const numbers = numbersAmong(ids);
  let lacks: string | undefined;
  for (const { name, result } of results) {
    const item = idOf(name, numbers);
    const said = pointAt(result, status);
    // A status code may be a text, as in SCIM (RFC 7644 section 3.7.3).
    const isNo = said !== undefined && !taken.some((word) => word === said || (isCode(said) && word === Number(said)));
    if (item === undefined) {
      lacks = 'a result without an id of the call at results.id';
      // It may be about any of the call.
      if (isNo) return unreadable(lacks);
      continue;
    }
    if (said === undefined) {
      lacks ??= 'a result without a status at results.status';
      continue;
    }
    named.add(item);
    if (!isNo) continue;
    // As of a whole call: "too many" and "not now" are no refusal.
    const code = isCode(said) ? Number(said) : undefined;
    if (code === undefined || classify(code, profile) !== 'retry') refused.set(item, String(said));
    else later.set(item, { reason: reasonOf(code), uncertain: mayStillAct(code) });
  }
  // Any that is not understood may be a no.
  if (answer.status === 207 && lacks !== undefined) return unreadable(lacks);
  return {
    kind: 'delivered',
    ...(refused.size > 0 && { refused }),
    ...(later.size > 0 && { later }),
    ...(answer.status === 207 && named.size > 0 && { named }),
  };
}

/**
 * Where the end of the connection is the end of the body, nothing else tells a whole answer from one that broke off (RFC 9112
 * section 8), and a refusal may have stood in the rest. A compressed one that did may unpack to nothing.
 */
function isCut({ headers, text }: PortalAnswer): boolean {
  if (headers.has('Content-Length') || headers.has('Transfer-Encoding')) return false;
  return text === '' ? headers.has('Content-Encoding') : endsInside(text);
}

function isCode(said: unknown): boolean {
  return /^[1-5]\d\d$/.test(String(said));
}

/** The id that an answer names: a text as it stands, or a number, since some portals keep their ids as numbers. */
function idOf(named: unknown, numbers: ReadonlyMap<number, string | undefined>): string | undefined {
  return typeof named === 'number' ? numbers.get(named) : typeof named === 'string' ? named : undefined;
}

/** Ids that are whole numbers, in decimal digits; `undefined` where two are one number, and none that JSON rounds to another. */
function numbersAmong(ids: readonly string[]): ReadonlyMap<number, string | undefined> {
  const numbers = new Map<number, string | undefined>();
  for (const id of ids) {
    const number = /^-?\d+$/.test(id) ? Number(id) : NaN;
    if (Number.isSafeInteger(number)) numbers.set(number, numbers.has(number) ? undefined : id);
  }
  return numbers;
}

/** @param failure what of a success cannot be read: in words of ours, and by the settings of the profile that say where to look */
function unreadable(failure: string): UpdateOutcome {
  return { kind: 'held', reason: 'portal_unreadable', failure };
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
function isOurs({ headers, text }: PortalAnswer, body: unknown): boolean {
  const type = headers.get('Content-Type');
  if (type !== null && !isJson(type)) return false;
  if (body !== undefined || /^\s*(?:[[{]|$)/.test(text)) return true;
  return type !== null && !text.includes('<');
}

/** Also by its older name, which browsers take for it, too (WHATWG MIME Sniffing, "JSON MIME type"). */
function isJson(type: string): boolean {
  return /^(?:application\/(?:[\w.+-]+\+)?|text\/)json\b/i.test(type);
}

/**
 * Tells one refusal from another. For the operator's log and for counting equal ones; it never reaches a page. As the portal
 * wrote it: whoever shows it takes our secrets out first, and then has it {@link bounded}.
 */
export function errorCode(answer: PortalAnswer, profile: PortalProfile): string {
  const body = parseForeignJson(answer.text);
  for (const { code } of profile.errors) {
    const found = pointAt(body, code);
    if (typeof found === 'string' || typeof found === 'number') return `${String(answer.status)} ${String(found)}`;
  }
  return String(answer.status);
}

/** What the portal says in its own words, in one line. Whoever writes it down takes our secrets out first, and its end off. */
function errorMessage(answer: PortalAnswer, profile: PortalProfile): { readonly said?: string } {
  if (answer.status < 400) return {};
  const body = parseForeignJson(answer.text);
  for (const { message } of profile.errors) {
    const found = pointAt(body, message);
    // A blank for each, so that nothing grows together that was written apart.
    if (typeof found === 'string' && found !== '') return { said: found.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ') };
  }
  return {};
}

/** A code that may be shown. Secrets have to be out of it: of one that is cut in the middle the start would be left. */
export function bounded(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, MOST_CODE_LENGTH);
}

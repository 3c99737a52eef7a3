import type { OpenEdit } from '../outbox/outbox.js';
import {
  classify,
  parseStatus,
  isTruncated,
  isFromPortal,
  summarize,
  mayHaveBeenApplied,
  resolvePointer,
  type PortalResponse,
  delayReason,
  unexpectedEncoding,
} from './answer.js';
import { parseUntrustedJson } from '../runtime/untrusted-json.js';
import type { ItemDelay, UpdateOutcome } from './outcome.js';
import type { PortalProfile, StatusClass } from './profile.js';
import { requestedDelay } from './retry-after.js';

const MAX_CODE_LENGTH = 100;

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
export function readUpdateResponse(
  answer: PortalResponse,
  profile: PortalProfile,
  ids: readonly string[],
): UpdateOutcome | Unauthorized {
  const meant = classify(answer.status, profile);
  if (meant !== 'delivered' && meant !== 'accepted') return readFailure(meant, answer, profile);
  if (answer.status > 299 && ids.length > 1) return readFailure('refused', answer, profile);
  const read = readSuccess(answer, profile, ids);
  if (read.kind !== 'no') return complete(meant === 'accepted' ? asAccepted(read, profile) : read, answer);
  // Whoever answers 200 to everything says in the body what it would have been.
  const code = [read.code, findErrorCode(answer, profile)].map(parseStatus).find((found = 0) => found >= 400);
  const failed = code === undefined ? 'refused' : classify(code, profile);
  return readFailure(failed === 'delivered' || failed === 'accepted' ? 'refused' : failed, answer, profile, {
    code,
    word: read.code,
  });
}

/** Where the portal's own list is read, its value confirms the edit, and no time does. */
function asAccepted(outcome: UpdateOutcome, { confirmation, listing }: PortalProfile): UpdateOutcome {
  if (outcome.kind !== 'delivered') return outcome;
  return { ...outcome, accepted: { confirmedAfterMs: listing === undefined ? confirmation.after_ms : undefined } };
}

interface BodyStatus {
  readonly code?: number | undefined;
  readonly word?: string;
}

/** @param said in the body of an answer that is a success by its status */
function readFailure(
  status: Failure,
  answer: PortalResponse,
  profile: PortalProfile,
  said: BodyStatus = {},
): UpdateOutcome | Unauthorized {
  return complete(toFailure(status, answer, profile, said), answer, status === 'retry');
}

function toFailure(
  status: Failure,
  answer: PortalResponse,
  profile: PortalProfile,
  { code = answer.status, word }: BodyStatus,
): UpdateOutcome | Unauthorized {
  if (status === 'credentials') return { kind: 'unauthorized' };
  const said = errorMessage(answer, profile);
  switch (status) {
    case 'held':
      return { kind: 'held', reason: 'portal_unreadable', ...said };
    case 'refused':
      return { kind: 'refused', code: errorCode(answer, profile, word), ...said };
    case 'retry':
      return { kind: mayHaveBeenApplied(code) ? 'unknown' : 'retry', reason: delayReason(code), ...said };
  }
}

type Failure = Exclude<StatusClass, 'delivered' | 'accepted'>;

function complete(
  outcome: UpdateOutcome | Unauthorized,
  answer: PortalResponse,
  isBusy = false,
): UpdateOutcome | Unauthorized {
  const isRead = outcome.kind === 'delivered' || outcome.kind === 'unauthorized';
  const came = isRead ? {} : { came: summarize(answer) };
  const afterMs = requestedDelay({ ...answer, isBusy });
  return { ...outcome, ...came, ...(afterMs !== undefined && { afterMs }) };
}

/**
 * Tells one refusal from another. For the operator's log and for counting equal ones; it never reaches a page. As the portal
 * wrote it: whoever shows it takes our secrets out first, and then has it {@link limitCode}.
 *
 * @param otherwise what stands for a code where none is found
 */
export function errorCode(answer: PortalResponse, profile: PortalProfile, otherwise?: string): string {
  const word = findErrorCode(answer, profile) ?? otherwise;
  return word === undefined ? String(answer.status) : `${String(answer.status)} ${word}`;
}

function findErrorCode(answer: PortalResponse, profile: PortalProfile): string | undefined {
  const body = parseUntrustedJson(answer.text);
  for (const { code } of profile.errors) {
    const found = resolvePointer(body, code);
    if (typeof found === 'string' || typeof found === 'number') return String(found);
  }
  return undefined;
}

/** What the portal says in its own words, in one line. Whoever writes it down takes our secrets out first, and its end off. */
function errorMessage(answer: PortalResponse, profile: PortalProfile): { readonly said?: string } {
  const body = parseUntrustedJson(answer.text);
  for (const { message } of profile.errors) {
    const found = resolvePointer(body, message);
    // A blank for each, so that nothing grows together that was written apart.
    if (typeof found === 'string' && found !== '') return { said: found.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ') };
  }
  return {};
}

/** A code that may be shown. Secrets have to be out of it: of one that is cut in the middle the start would be left. */
export function limitCode(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_CODE_LENGTH);
}

/** A success by its status that says in its body that the call was not taken, and names no items for it. */
export interface NotAccepted {
  readonly kind: 'no';
  readonly code: string;
}

/**
 * A success that is no JSON comes from somebody else, a login page, a proxy in between; unless the operator calls its status
 * delivered, whatever comes with it.
 */
export function readSuccess(
  answer: PortalResponse,
  profile: PortalProfile,
  ids: readonly string[],
): UpdateOutcome | NotAccepted {
  if (isTruncated(answer))
    return { kind: 'unknown', reason: 'portal_unreachable', failure: 'the answer ends in the middle' };
  const isBelieved = ['delivered', 'accepted'].includes(profile.statuses[String(answer.status)] ?? '');
  const mustSay = profile.success.status !== undefined && !isBelieved;
  // Nobody's page is empty, whatever its framework calls it: Flask and Django have text/html for a 204.
  if (answer.status !== 207 && answer.text.trim() === '' && !mustSay) return { kind: 'delivered' };
  const body = parseUntrustedJson(answer.text);
  if (!isBelieved) {
    const strange = body === undefined ? unexpectedEncoding(answer) : undefined;
    if (strange !== undefined || !isFromPortal(answer, body)) return unreadable(strange ?? 'no JSON');
  }
  const word = mustSay ? findSuccessCode(body, profile.success) : TAKEN;
  if (word === undefined) return unreadable('no word at success.status');
  const results = listResults(resolvePointer(body, profile.results.list), profile.results.id);
  if (word === TAKEN || word === ACCEPTED) {
    const read = readTaken(results, profile, ids, answer.status === 207);
    return word === ACCEPTED ? asAccepted(read, profile) : read;
  }
  // Where it names those that were not taken, the others are not known: they come again without them.
  const each = results === undefined ? undefined : readResults(results, profile, ids, true);
  return each?.kind === 'delivered' && (each.refused ?? each.later) !== undefined ? each : { kind: 'no', code: word };
}

/** @param isForEach whether it has to answer for every item of the call */
function readTaken(
  results: ReturnType<typeof listResults>,
  profile: PortalProfile,
  ids: readonly string[],
  isForEach: boolean,
): UpdateOutcome {
  if (results !== undefined) return readResults(results, profile, ids, isForEach);
  return isForEach ? unreadable('no results at results.list') : { kind: 'delivered' };
}

const TAKEN = Symbol('taken');
const ACCEPTED = Symbol('accepted');

/** @returns {@link YES}, the word for no, or `undefined` where nothing stands there, unless `null` means taken */
function findSuccessCode(
  body: unknown,
  { status = '', taken, accepted }: PortalProfile['success'],
): typeof TAKEN | typeof ACCEPTED | string | undefined {
  const said = resolvePointer(body, status) ?? null;
  if (isTaken(said, accepted)) return ACCEPTED;
  if (isTaken(said, taken)) return TAKEN;
  if (said === null) return undefined;
  return typeof said === 'object' ? JSON.stringify(said) : String(said);
}

type TakenValues = PortalProfile['results']['taken'];

function isTaken(said: unknown, taken: TakenValues): boolean {
  return taken.some((word) => word === said || word === parseStatus(said));
}

/** @param isForEach whether it answers for every item of the call */
function readResults(
  results: NonNullable<ReturnType<typeof listResults>>,
  profile: PortalProfile,
  ids: readonly string[],
  isForEach: boolean,
): UpdateOutcome {
  const { status, taken } = profile.results;
  const refused = new Map<string, string>();
  const later = new Map<string, ItemDelay>();
  const named = new Set<string>();
  const numbers = numericIds(ids);
  let lacks: string | undefined;
  for (const { name, result } of results) {
    const item = resolveItemId(name, numbers);
    const said = resolvePointer(result, status);
    const isNo = said !== undefined && !isTaken(said, taken);
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
    const code = parseStatus(said);
    if (code === undefined || classify(code, profile) !== 'retry') refused.set(item, String(said));
    else later.set(item, { reason: delayReason(code), uncertain: mayHaveBeenApplied(code) });
  }
  // Any that is not understood may be a no.
  if (isForEach && lacks !== undefined) return unreadable(lacks);
  return {
    kind: 'delivered',
    ...(refused.size > 0 && { refused }),
    ...(later.size > 0 && { later }),
    ...(isForEach && named.size > 0 && { named }),
  };
}

/** The id that an answer names: a text as it stands, or a number, since some portals keep their ids as numbers. */
function resolveItemId(named: unknown, numbers: ReadonlyMap<number, string | undefined>): string | undefined {
  return typeof named === 'number' ? numbers.get(named) : typeof named === 'string' ? named : undefined;
}

/** Ids that are whole numbers, in decimal digits; `undefined` where two are one number, and none that JSON rounds to another. */
function numericIds(ids: readonly string[]): ReadonlyMap<number, string | undefined> {
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

/** Of those that an answer for each item leaves out: it has answered, so nothing of them can arrive any longer. */
const UNNAMED: ItemDelay = { reason: 'portal_unreadable', uncertain: 'answered' };

interface ItemResult {
  /** Of its item, as the answer has it. */
  readonly name: unknown;
  readonly result: unknown;
}

/** An answer has a list of them, or the only one, or each below the id of its item. */
export function listResults(found: unknown, id: string): readonly ItemResult[] | undefined {
  if (Array.isArray(found)) return found.map((result: unknown) => ({ name: resolvePointer(result, id), result }));
  if (typeof found !== 'object' || found === null) return undefined;
  const name = resolvePointer(found, id);
  if (typeof name === 'string' || typeof name === 'number') return [{ name, result: found }];
  return Object.entries(found as Record<string, unknown>).map(([key, result]) => ({ name: key, result }));
}

type Success = Extract<UpdateOutcome, { kind: 'delivered' }>;

/**
 * What a success that answers for each item means for the edits of its call.
 *
 * One that names every item as not taken is a refusal: nothing passed, so it proves neither the credential nor that we
 * understand the portal. It may be a yes in words that the profile does not know. Where some of them are to come again, the
 * whole call is. One that refuses what was not sent means some item of the call, by an id that the portal writes in another way.
 */
export function applyItemResults(edits: readonly OpenEdit[], outcome: UpdateOutcome): UpdateOutcome {
  if (outcome.kind !== 'delivered') return outcome;
  const { afterMs, accepted, refused = new Map<string, string>() } = outcome;
  const wait = afterMs === undefined ? {} : { afterMs };
  const sent = new Set<string>(edits.map(({ id }) => id));
  const later = new Map([...findUnnamed(edits, outcome), ...(outcome.later ?? [])]);
  if ([...refused.keys(), ...later.keys()].some((id) => !sent.has(id))) {
    return { kind: 'held', reason: 'portal_unreadable', failure: 'at results.id an id that was not sent', ...wait };
  }
  if (edits.some(({ id }) => !refused.has(id) && !later.has(id))) {
    return {
      kind: 'delivered',
      ...(refused.size > 0 && { refused }),
      ...(later.size > 0 && { later }),
      ...(accepted && { accepted }),
      ...wait,
    };
  }
  const [delay] = [...later.values()].sort((a, b) => Number(b.uncertain !== false) - Number(a.uncertain !== false));
  if (delay !== undefined) {
    return { kind: delay.uncertain === false ? 'retry' : 'unknown', reason: delay.reason, ...wait };
  }
  const [code] = refused.values();
  return code === undefined ? outcome : { kind: 'refused', code, each: refused, ...wait };
}

/** Where it names none of them, it writes their ids in another way. */
function findUnnamed(edits: readonly OpenEdit[], { named }: Success): [id: string, delay: ItemDelay][] {
  if (named === undefined || !edits.some(({ id }) => named.has(id))) return [];
  return edits.flatMap(({ id }) => (named.has(id) ? [] : [[id, UNNAMED]]));
}

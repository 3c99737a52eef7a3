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

/** The portal rejected the token. The caller retries once with a new one. */
export interface Unauthorized {
  readonly kind: 'unauthorized';
  readonly afterMs?: number | undefined;
}

/**
 * Reads a complete response to an inventory update by the profile.
 *
 * @param ids of the items in the update. A status that is no 2xx but counts as delivered may be about one of them, so a
 * batch is split
 */
export function readUpdateResponse(
  answer: PortalResponse,
  profile: PortalProfile,
  ids: readonly string[],
): UpdateOutcome | Unauthorized {
  const statusClass = classify(answer.status, profile);
  if (statusClass !== 'delivered' && statusClass !== 'accepted') return readFailure(statusClass, answer, profile);
  if (answer.status > 299 && ids.length > 1) return readFailure('refused', answer, profile);
  const read = readSuccess(answer, profile, ids);
  if (read.kind !== 'rejected') return complete(statusClass === 'accepted' ? asAccepted(read, profile) : read, answer);
  // Some portals answer every call with 200 and put the real status into the body.
  const status = [read.code, findErrorCode(answer, profile)].map(parseStatus).find((found = 0) => found >= 400);
  const failure = status === undefined ? 'refused' : classify(status, profile);
  return readFailure(failure === 'delivered' || failure === 'accepted' ? 'refused' : failure, answer, profile, {
    status,
    code: read.code,
  });
}

/** If the portal's list is read, the list confirms the edit, and no time limit does. */
function asAccepted(outcome: UpdateOutcome, { confirmation, listing }: PortalProfile): UpdateOutcome {
  if (outcome.kind !== 'delivered') return outcome;
  return { ...outcome, accepted: { confirmedAfterMs: listing === undefined ? confirmation.after_ms : undefined } };
}

interface BodyStatus {
  readonly status?: number | undefined;
  readonly code?: string;
}

/** @param bodyStatus the status in the body of a response that is a success by its status line */
function readFailure(
  failure: Failure,
  answer: PortalResponse,
  profile: PortalProfile,
  bodyStatus: BodyStatus = {},
): UpdateOutcome | Unauthorized {
  return complete(toFailure(failure, answer, profile, bodyStatus), answer, failure === 'retry');
}

function toFailure(
  failure: Failure,
  answer: PortalResponse,
  profile: PortalProfile,
  { status = answer.status, code }: BodyStatus,
): UpdateOutcome | Unauthorized {
  if (failure === 'credentials') return { kind: 'unauthorized' };
  const message = errorMessage(answer, profile);
  switch (failure) {
    case 'held':
      return { kind: 'held', reason: 'portal_unreadable', ...message };
    case 'refused':
      return { kind: 'refused', code: errorCode(answer, profile, code), ...message };
    case 'retry':
      return { kind: mayHaveBeenApplied(status) ? 'unknown' : 'retry', reason: delayReason(status), ...message };
  }
}

type Failure = Exclude<StatusClass, 'delivered' | 'accepted'>;

function complete(
  outcome: UpdateOutcome | Unauthorized,
  answer: PortalResponse,
  isBusy = false,
): UpdateOutcome | Unauthorized {
  const isReadable = outcome.kind === 'delivered' || outcome.kind === 'unauthorized';
  const response = isReadable ? {} : { response: summarize(answer) };
  const afterMs = requestedDelay({ ...answer, isBusy });
  return { ...outcome, ...response, ...(afterMs !== undefined && { afterMs }) };
}

/**
 * A code that tells one rejection from another, for the operator's log and for counting equal rejections. It never
 * reaches a page. It is the portal's text: the caller removes secrets before it calls {@link limitCode}.
 *
 * @param otherwise the code if the response has none
 */
export function errorCode(answer: PortalResponse, profile: PortalProfile, otherwise?: string): string {
  const code = findErrorCode(answer, profile) ?? otherwise;
  return code === undefined ? String(answer.status) : `${String(answer.status)} ${code}`;
}

function findErrorCode(answer: PortalResponse, profile: PortalProfile): string | undefined {
  const body = parseUntrustedJson(answer.text);
  for (const { code } of profile.errors) {
    const found = resolvePointer(body, code);
    if (typeof found === 'string' || typeof found === 'number') return String(found);
  }
  return undefined;
}

/** The portal's error message in one line. The caller removes secrets and shortens it. */
function errorMessage(answer: PortalResponse, profile: PortalProfile): { readonly portalMessage?: string } {
  const body = parseUntrustedJson(answer.text);
  for (const { message } of profile.errors) {
    const found = resolvePointer(body, message);
    // Each control character becomes a blank, so that words stay apart.
    if (typeof found === 'string' && found !== '')
      return { portalMessage: found.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ') };
  }
  return {};
}

/**
 * Makes a code printable and short. Secrets have to be removed before: the beginning of a secret that is cut off would
 * remain.
 */
export function limitCode(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_CODE_LENGTH);
}

/** A response with a success status whose body says that the call was not accepted, and names no items. */
export interface NotAccepted {
  readonly kind: 'rejected';
  readonly code: string;
}

/**
 * Reads a response with a success status. One that is not JSON comes from a login page or a forward proxy and is not
 * believed, unless the profile maps its status to delivered.
 */
export function readSuccess(
  answer: PortalResponse,
  profile: PortalProfile,
  ids: readonly string[],
): UpdateOutcome | NotAccepted {
  if (isTruncated(answer))
    return { kind: 'unknown', reason: 'portal_unreachable', failure: 'the answer ends in the middle' };
  const isMapped = ['delivered', 'accepted'].includes(profile.statuses[String(answer.status)] ?? '');
  const needsCode = profile.success.status !== undefined && !isMapped;
  // An empty body is no web page, whatever its type: Flask and Django send text/html with a 204.
  if (answer.status !== 207 && answer.text.trim() === '' && !needsCode) return { kind: 'delivered' };
  const body = parseUntrustedJson(answer.text);
  if (!isMapped) {
    const encodingFault = body === undefined ? unexpectedEncoding(answer) : undefined;
    if (encodingFault !== undefined || !isFromPortal(answer, body)) return unreadable(encodingFault ?? 'no JSON');
  }
  const code = needsCode ? findSuccessCode(body, profile.success) : SUCCEEDED;
  if (code === undefined) return unreadable('no word at success.status');
  const results = listResults(resolvePointer(body, profile.results.list), profile.results.id);
  if (code === SUCCEEDED || code === ACCEPTED) {
    const read = readListedResults(results, profile, ids, answer.status === 207);
    return code === ACCEPTED ? asAccepted(read, profile) : read;
  }
  // If it names the rejected items, the result of the others is unknown: they are retried without those.
  const itemResults = results === undefined ? undefined : readResults(results, profile, ids, true);
  return itemResults?.kind === 'delivered' && (itemResults.refused ?? itemResults.delayed) !== undefined
    ? itemResults
    : { kind: 'rejected', code };
}

/** @param isForEach whether the response must have a result for every item of the call */
function readListedResults(
  results: ReturnType<typeof listResults>,
  profile: PortalProfile,
  ids: readonly string[],
  isForEach: boolean,
): UpdateOutcome {
  if (results !== undefined) return readResults(results, profile, ids, isForEach);
  return isForEach ? unreadable('no results at results.list') : { kind: 'delivered' };
}

const SUCCEEDED = Symbol('taken');
const ACCEPTED = Symbol('accepted');

/**
 * @returns {@link SUCCEEDED}, {@link ACCEPTED}, the portal's code for a rejection, or `undefined` if there is no value,
 * unless `null` means taken
 */
function findSuccessCode(
  body: unknown,
  { status = '', taken, accepted }: PortalProfile['success'],
): typeof SUCCEEDED | typeof ACCEPTED | string | undefined {
  const value = resolvePointer(body, status) ?? null;
  if (isSuccessCode(value, accepted)) return ACCEPTED;
  if (isSuccessCode(value, taken)) return SUCCEEDED;
  if (value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type TakenValues = PortalProfile['results']['taken'];

function isSuccessCode(value: unknown, taken: TakenValues): boolean {
  return taken.some((known) => known === value || known === parseStatus(value));
}

/** @param isForEach whether the response has a result for every item of the call */
function readResults(
  results: NonNullable<ReturnType<typeof listResults>>,
  profile: PortalProfile,
  ids: readonly string[],
  isForEach: boolean,
): UpdateOutcome {
  const { status, taken } = profile.results;
  const refused = new Map<string, string>();
  const delayed = new Map<string, ItemDelay>();
  const answeredIds = new Set<string>();
  const numbers = numericIds(ids);
  let fault: string | undefined;
  for (const { name, result } of results) {
    const item = resolveItemId(name, numbers);
    const value = resolvePointer(result, status);
    const isRejected = value !== undefined && !isSuccessCode(value, taken);
    if (item === undefined) {
      fault = 'a result without an id of the call at results.id';
      // The rejection may be about any item of the call.
      if (isRejected) return unreadable(fault);
      continue;
    }
    if (value === undefined) {
      fault ??= 'a result without a status at results.status';
      continue;
    }
    answeredIds.add(item);
    if (!isRejected) continue;
    // As for a whole call, a status such as 429 or 503 is no rejection.
    const code = parseStatus(value);
    if (code === undefined || classify(code, profile) !== 'retry') refused.set(item, String(value));
    else delayed.set(item, { reason: delayReason(code), uncertain: mayHaveBeenApplied(code) });
  }
  // A result that cannot be read may be a rejection.
  if (isForEach && fault !== undefined) return unreadable(fault);
  return {
    kind: 'delivered',
    ...(refused.size > 0 && { refused }),
    ...(delayed.size > 0 && { delayed }),
    ...(isForEach && answeredIds.size > 0 && { answeredIds }),
  };
}

/** The id in a result: a string, or a number, since some portals store ids as numbers. */
function resolveItemId(id: unknown, numbers: ReadonlyMap<number, string | undefined>): string | undefined {
  return typeof id === 'number' ? numbers.get(id) : typeof id === 'string' ? id : undefined;
}

/**
 * Maps numbers to the ids that are whole numbers in decimal digits. `undefined` if two ids are the same number. Ids
 * that are too large for a JSON number are left out.
 */
function numericIds(ids: readonly string[]): ReadonlyMap<number, string | undefined> {
  const numbers = new Map<number, string | undefined>();
  for (const id of ids) {
    const number = /^-?\d+$/.test(id) ? Number(id) : NaN;
    if (Number.isSafeInteger(number)) numbers.set(number, numbers.has(number) ? undefined : id);
  }
  return numbers;
}

/** @param failure our description of what cannot be read, naming the setting of the profile */
function unreadable(failure: string): UpdateOutcome {
  return { kind: 'held', reason: 'portal_unreadable', failure };
}

/** The delay of items that have no result. The portal has responded, so their call cannot arrive any more. */
const UNANSWERED: ItemDelay = { reason: 'portal_unreadable', uncertain: 'answered' };

interface ItemResult {
  /** The item's id as the response has it. */
  readonly name: unknown;
  readonly result: unknown;
}

/** Reads the results, which may be an array, a single result, or an object with a result for each id. */
export function listResults(found: unknown, id: string): readonly ItemResult[] | undefined {
  if (Array.isArray(found)) return found.map((result: unknown) => ({ name: resolvePointer(result, id), result }));
  if (typeof found !== 'object' || found === null) return undefined;
  const name = resolvePointer(found, id);
  if (typeof name === 'string' || typeof name === 'number') return [{ name, result: found }];
  return Object.entries(found as Record<string, unknown>).map(([key, result]) => ({ name: key, result }));
}

type Success = Extract<UpdateOutcome, { kind: 'delivered' }>;

/**
 * Applies the results of single items to the edits of the call.
 *
 * If every item was rejected, the outcome is a rejection and not a success: it verifies neither the credential nor the
 * profile, which may lack the portal's word for a success. If some items have to be retried and none was accepted, the
 * whole call is retried. A result for an id that was not sent is about some item of the call, whose id the portal
 * writes in another way.
 */
export function applyItemResults(edits: readonly OpenEdit[], outcome: UpdateOutcome): UpdateOutcome {
  if (outcome.kind !== 'delivered') return outcome;
  const { afterMs, accepted, refused = new Map<string, string>() } = outcome;
  const wait = afterMs === undefined ? {} : { afterMs };
  const sent = new Set<string>(edits.map(({ id }) => id));
  const delayed = new Map([...findUnanswered(edits, outcome), ...(outcome.delayed ?? [])]);
  if ([...refused.keys(), ...delayed.keys()].some((id) => !sent.has(id))) {
    return { kind: 'held', reason: 'portal_unreadable', failure: 'at results.id an id that was not sent', ...wait };
  }
  if (edits.some(({ id }) => !refused.has(id) && !delayed.has(id))) {
    return {
      kind: 'delivered',
      ...(refused.size > 0 && { refused }),
      ...(delayed.size > 0 && { delayed }),
      ...(accepted && { accepted }),
      ...wait,
    };
  }
  const [delay] = [...delayed.values()].sort((a, b) => Number(b.uncertain !== false) - Number(a.uncertain !== false));
  if (delay !== undefined) {
    return { kind: delay.uncertain === false ? 'retry' : 'unknown', reason: delay.reason, ...wait };
  }
  const [code] = refused.values();
  return code === undefined ? outcome : { kind: 'refused', code, codesByItem: refused, ...wait };
}

/** If the response names none of the ids, the portal writes them in another way. */
function findUnanswered(edits: readonly OpenEdit[], { answeredIds }: Success): [id: string, delay: ItemDelay][] {
  if (answeredIds === undefined || !edits.some(({ id }) => answeredIds.has(id))) return [];
  return edits.flatMap(({ id }) => (answeredIds.has(id) ? [] : [[id, UNANSWERED]]));
}

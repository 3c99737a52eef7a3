import { isCut, isOurs, strangeLetters, type PortalAnswer } from './answer-form.js';
import { parseForeignJson } from './foreign-json.js';
import { resultsAt } from './item-results.js';
import { pointAt } from './json-pointer.js';
import type { ItemDelay, UpdateOutcome } from './outcome.js';
import type { PortalProfile } from './profile.js';
import { classify, codeOf, mayStillAct, reasonOf } from './status-class.js';

/** A success by its status that says in its body that the call was not taken, and names no items for it. */
export interface SaidNo {
  readonly kind: 'no';
  readonly word: string;
}

/**
 * A success that is no JSON comes from somebody else, a login page, a proxy in between; unless the operator calls its status
 * delivered, whatever comes with it.
 */
export function readSuccess(
  answer: PortalAnswer,
  profile: PortalProfile,
  ids: readonly string[],
): UpdateOutcome | SaidNo {
  if (isCut(answer)) return { kind: 'unknown', reason: 'portal_unreachable', failure: 'the answer ends in the middle' };
  const isBelieved = profile.statuses[String(answer.status)] === 'delivered';
  const mustSay = profile.success.status !== undefined && !isBelieved;
  // Nobody's page is empty, whatever its framework calls it: Flask and Django have text/html for a 204.
  if (answer.status !== 207 && answer.text.trim() === '' && !mustSay) return { kind: 'delivered' };
  const body = parseForeignJson(answer.text);
  if (!isBelieved) {
    const strange = body === undefined ? strangeLetters(answer) : undefined;
    if (strange !== undefined || !isOurs(answer, body)) return unreadable(strange ?? 'no JSON');
  }
  const word = mustSay ? wordFor(body, profile.success) : YES;
  if (word === undefined) return unreadable('no word at success.status');
  const results = resultsAt(pointAt(body, profile.results.list), profile.results.id);
  if (word === YES) {
    if (results !== undefined) return readResults(results, profile, ids, answer.status === 207);
    return answer.status === 207 ? unreadable('no results at results.list') : { kind: 'delivered' };
  }
  // Where it names those that were not taken, the others are not known: they come again without them.
  const each = results === undefined ? undefined : readResults(results, profile, ids, true);
  return each?.kind === 'delivered' && (each.refused ?? each.later) !== undefined ? each : { kind: 'no', word };
}

const YES = Symbol('taken');

/** @returns {@link YES}, the word for no, or `undefined` where nothing stands there, unless `null` means taken */
function wordFor(body: unknown, { status = '', taken }: PortalProfile['success']): typeof YES | string | undefined {
  const said = pointAt(body, status) ?? null;
  if (isTaken(said, taken)) return YES;
  if (said === null) return undefined;
  return typeof said === 'object' ? JSON.stringify(said) : String(said);
}

type Words = PortalProfile['results']['taken'];

function isTaken(said: unknown, taken: Words): boolean {
  return taken.some((word) => word === said || word === codeOf(said));
}

/** @param isForEach whether it answers for every item of the call */
function readResults(
  results: NonNullable<ReturnType<typeof resultsAt>>,
  profile: PortalProfile,
  ids: readonly string[],
  isForEach: boolean,
): UpdateOutcome {
  const { status, taken } = profile.results;
  const refused = new Map<string, string>();
  const later = new Map<string, ItemDelay>();
  const named = new Set<string>();
  const numbers = numbersAmong(ids);
  let lacks: string | undefined;
  for (const { name, result } of results) {
    const item = idOf(name, numbers);
    const said = pointAt(result, status);
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
    const code = codeOf(said);
    if (code === undefined || classify(code, profile) !== 'retry') refused.set(item, String(said));
    else later.set(item, { reason: reasonOf(code), uncertain: mayStillAct(code) });
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

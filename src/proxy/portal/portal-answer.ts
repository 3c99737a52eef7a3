import { kindOf, type PortalAnswer } from './answer-form.js';
import { parseForeignJson } from './foreign-json.js';
import { pointAt } from './json-pointer.js';
import type { UpdateOutcome } from './outcome.js';
import { waitAsked } from './retry-after.js';
import type { PortalProfile, StatusClass } from './profile.js';
import { readSuccess } from './read-success.js';
import { classify, codeOf, mayStillAct, reasonOf } from './status-class.js';

const MOST_CODE_LENGTH = 100;

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
  if (meant !== 'delivered') return readFailure(meant, answer, profile);
  if (answer.status > 299 && ids.length > 1) return readFailure('refused', answer, profile);
  const read = readSuccess(answer, profile, ids);
  if (read.kind !== 'no') return complete(read, answer);
  // Whoever answers 200 to everything says in the body what it would have been.
  const code = [read.word, wordOf(answer, profile)].map(codeOf).find((found = 0) => found >= 400);
  const failed = code === undefined ? 'refused' : classify(code, profile);
  return readFailure(failed === 'delivered' ? 'refused' : failed, answer, profile, { code, word: read.word });
}

interface SaidInBody {
  readonly code?: number | undefined;
  readonly word?: string;
}

/** @param said in the body of an answer that is a success by its status */
function readFailure(
  status: Failure,
  answer: PortalAnswer,
  profile: PortalProfile,
  said: SaidInBody = {},
): UpdateOutcome | Unauthorized {
  return complete(failureOf(status, answer, profile, said), answer, status === 'retry');
}

function failureOf(
  status: Failure,
  answer: PortalAnswer,
  profile: PortalProfile,
  { code = answer.status, word }: SaidInBody,
): UpdateOutcome | Unauthorized {
  if (status === 'credentials') return { kind: 'unauthorized' };
  const said = errorMessage(answer, profile);
  switch (status) {
    case 'held':
      return { kind: 'held', reason: 'portal_unreadable', ...said };
    case 'refused':
      return { kind: 'refused', code: errorCode(answer, profile, word), ...said };
    case 'retry':
      return { kind: mayStillAct(code) ? 'unknown' : 'retry', reason: reasonOf(code), ...said };
  }
}

type Failure = Exclude<StatusClass, 'delivered'>;

function complete(
  outcome: UpdateOutcome | Unauthorized,
  answer: PortalAnswer,
  isBusy = false,
): UpdateOutcome | Unauthorized {
  const isRead = outcome.kind === 'delivered' || outcome.kind === 'unauthorized';
  const came = isRead ? {} : { came: kindOf(answer) };
  const afterMs = waitAsked({ ...answer, isBusy });
  return { ...outcome, ...came, ...(afterMs !== undefined && { afterMs }) };
}

/**
 * Tells one refusal from another. For the operator's log and for counting equal ones; it never reaches a page. As the portal
 * wrote it: whoever shows it takes our secrets out first, and then has it {@link bounded}.
 *
 * @param otherwise what stands for a code where none is found
 */
export function errorCode(answer: PortalAnswer, profile: PortalProfile, otherwise?: string): string {
  const word = wordOf(answer, profile) ?? otherwise;
  return word === undefined ? String(answer.status) : `${String(answer.status)} ${word}`;
}

function wordOf(answer: PortalAnswer, profile: PortalProfile): string | undefined {
  const body = parseForeignJson(answer.text);
  for (const { code } of profile.errors) {
    const found = pointAt(body, code);
    if (typeof found === 'string' || typeof found === 'number') return String(found);
  }
  return undefined;
}

/** What the portal says in its own words, in one line. Whoever writes it down takes our secrets out first, and its end off. */
function errorMessage(answer: PortalAnswer, profile: PortalProfile): { readonly said?: string } {
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

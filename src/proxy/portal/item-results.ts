import { pointAt } from './json-pointer.js';
import type { OpenEdit } from '../outbox/outbox.js';
import type { ItemDelay, UpdateOutcome } from './outcome.js';

/** Of those that an answer for each item leaves out: it has answered, so nothing of them can arrive any longer. */
const UNNAMED: ItemDelay = { reason: 'portal_unreadable', uncertain: 'answered' };

interface ItemResult {
  /** Of its item, as the answer has it. */
  readonly name: unknown;
  readonly result: unknown;
}

/** An answer has a list of them, or the only one, or each below the id of its item. */
export function resultsAt(found: unknown, id: string): readonly ItemResult[] | undefined {
  if (Array.isArray(found)) return found.map((result: unknown) => ({ name: pointAt(result, id), result }));
  if (typeof found !== 'object' || found === null) return undefined;
  const name = pointAt(found, id);
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
export function forEachEdit(edits: readonly OpenEdit[], outcome: UpdateOutcome): UpdateOutcome {
  if (outcome.kind !== 'delivered') return outcome;
  const { afterMs, refused = new Map<string, string>() } = outcome;
  const wait = afterMs === undefined ? {} : { afterMs };
  const sent = new Set<string>(edits.map(({ id }) => id));
  const later = new Map([...unnamedAmong(edits, outcome), ...(outcome.later ?? [])]);
  if ([...refused.keys(), ...later.keys()].some((id) => !sent.has(id))) {
    return { kind: 'held', reason: 'portal_unreadable', failure: 'at results.id an id that was not sent', ...wait };
  }
  if (edits.some(({ id }) => !refused.has(id) && !later.has(id))) {
    return { kind: 'delivered', ...(refused.size > 0 && { refused }), ...(later.size > 0 && { later }), ...wait };
  }
  const [delay] = [...later.values()].sort((a, b) => Number(b.uncertain !== false) - Number(a.uncertain !== false));
  if (delay !== undefined) {
    return { kind: delay.uncertain === false ? 'retry' : 'unknown', reason: delay.reason, ...wait };
  }
  const [code] = refused.values();
  return code === undefined ? outcome : { kind: 'refused', code, each: refused, ...wait };
}

/** Where it names none of them, it writes their ids in another way. */
function unnamedAmong(edits: readonly OpenEdit[], { named }: Success): [id: string, delay: ItemDelay][] {
  if (named === undefined || !edits.some(({ id }) => named.has(id))) return [];
  return edits.flatMap(({ id }) => (named.has(id) ? [] : [[id, UNNAMED]]));
}

import { userInfo } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { isEditId } from '../../../domain/edit.js';
import {
  operatorAnswer,
  type operatorDecision,
  type WaitingEditRow,
  waitingEdits,
} from '../../../contract/operator.js';
import { openOperatorClient, type OperatorClient } from './operator-client.js';
import { readDatabase } from '../config/proxy-config.js';
import { EnvReader, type Environment } from '../config/env-reader.js';

export type EditsRequest =
  | {
      readonly verb: 'list';
      readonly json: boolean;
      /** Aborted once the output has no reader, as after `head`. */
      readonly unheard: AbortSignal;
    }
  | {
      readonly verb: Verdict;
      readonly editIds: readonly string[];
      /** Whose edits: asked for where two vendors have one of the same id. */
      readonly vendor?: string | undefined;
    };

type Verdict = 'retry' | 'discard';

/**
 * `vendor-inventory edits list|retry|discard`: the operator's view of what waits.
 * @returns whether everything that was asked for was done
 * @throws {import('./operator-client.js').ProxyNotThere} {@link import('../../outbox/outbox.js').StorageFailed}
 */
export async function edits(
  environment: Environment,
  asked: EditsRequest,
  say: (line: string) => void,
): Promise<boolean> {
  const reader = new EnvReader(environment);
  const database = readDatabase(reader);
  reader.finish();
  const desk = await openOperatorClient(database);
  try {
    if (asked.verb === 'list') {
      await list(desk, asked, say);
      return true;
    }
    let well = true;
    for (const editId of asked.editIds) well = (await decide(desk, asked, editId, say)) && well;
    return well;
  } finally {
    await desk.close();
  }
}

async function list(
  desk: OperatorClient,
  { json, unheard }: Extract<EditsRequest, { verb: 'list' }>,
  say: (line: string) => void,
): Promise<void> {
  let after: number | undefined = 0;
  let count = 0;
  do {
    const page: z.infer<typeof waitingEdits> = await desk.ask(waitingEdits, 'GET', `/edits?after=${String(after)}`);
    for (const edit of page.edits) say(json ? JSON.stringify(edit) : lineOf(edit));
    count += page.edits.length;
    after = page.next;
    // That a pipe has closed is heard in a turn of its own, and a page read in this process may leave none.
    await nextTurn();
    if (unheard.aborted) return;
  } while (after !== undefined);
  if (!json)
    say(
      count === 0
        ? 'Nothing waits.'
        : `${String(count)} in all. Those that are refused or in conflict wait for a person.`,
    );
}

async function decide(
  desk: OperatorClient,
  { verb: verdict, vendor }: Extract<EditsRequest, { verb: Verdict }>,
  editId: string,
  say: (line: string) => void,
): Promise<boolean> {
  if (!isEditId(editId)) {
    say(`${editId}: no edit id`);
    return false;
  }
  const decision: z.infer<typeof operatorDecision> = {
    verdict,
    edit_id: editId,
    vendor,
    by: `operator ${operatorName()}`,
  };
  const answer = await desk.ask(operatorAnswer, 'POST', '/edits', decision);
  switch (answer.outcome) {
    case 'decided':
      say(verdict === 'retry' ? `${editId}: sent again as ${answer.edit_id ?? ''}` : `${editId}: discarded`);
      return true;
    case 'edit_settled':
      say(`${editId}: ${whySettled(verdict, answer.state)}`);
      return false;
    case 'edit_ambiguous':
      say(
        `${editId}: several vendors have an edit of this id; say whose with --vendor NAME: ${namesOf(answer.vendors)}`,
      );
      return false;
    case 'item_unknown':
      say(
        `${editId}: its id is another vendor's where both leave by one credential and path; it can only be discarded`,
      );
      return false;
    case 'edit_unknown':
      say(`${editId}: no such edit`);
      return false;
  }
}

function whySettled(verdict: Verdict, state = ''): string {
  if (state !== 'received') return `nothing left to decide, it is ${state}`;
  return verdict === 'discard'
    ? 'it was tried, so it may be at the portal; it cannot be discarded. It is sent until the portal has answered'
    : 'it still waits, and is sent without a retry';
}

function namesOf(vendors: readonly string[] = []): string {
  return vendors.map((vendor) => JSON.stringify(vendor)).join(', ');
}

/** A container may run under a user id that no name goes with. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${String(process.getuid?.() ?? 'unknown')}`;
  }
}

function lineOf(edit: WaitingEditRow): string {
  const { seq, edit_id, vendor, id, available, state, reason, attempts, accepted_at } = edit;
  const since = new Date(accepted_at).toISOString();
  const wish = available ? 'available' : 'not available';
  return [
    String(seq),
    edit_id,
    vendor,
    JSON.stringify(id),
    wish,
    state,
    reason ?? '-',
    attempts === 1 ? '1 attempt' : `${String(attempts)} attempts`,
    since,
  ].join('  ');
}

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
      /** Aborts when the output accepts no more, as after `head`. */
      readonly outputClosed: AbortSignal;
    }
  | {
      readonly verb: Verdict;
      readonly editIds: readonly string[];
      /** The vendor of these edits. Required if two vendors have an edit with the same id. */
      readonly vendor?: string | undefined;
    };

type Verdict = 'retry' | 'discard';

/**
 * `vendor-inventory edits list|retry|discard`: the operator's view of edits that wait.
 *
 * @returns whether everything that was requested succeeded
 * @throws {import('./operator-client.js').ProxyUnreachable} {@link import('../../outbox/outbox.js').StorageFailed}
 */
export async function edits(
  environment: Environment,
  request: EditsRequest,
  print: (line: string) => void,
): Promise<boolean> {
  const reader = new EnvReader(environment);
  const database = readDatabase(reader);
  reader.finish();
  const client = await openOperatorClient(database);
  try {
    if (request.verb === 'list') {
      await list(client, request, print);
      return true;
    }
    let isDone = true;
    for (const editId of request.editIds) isDone = (await decide(client, request, editId, print)) && isDone;
    return isDone;
  } finally {
    await client.close();
  }
}

async function list(
  client: OperatorClient,
  { json, outputClosed }: Extract<EditsRequest, { verb: 'list' }>,
  print: (line: string) => void,
): Promise<void> {
  let after: number | undefined = 0;
  let count = 0;
  do {
    const page: z.infer<typeof waitingEdits> = await client.ask(waitingEdits, 'GET', `/edits?after=${String(after)}`);
    for (const edit of page.edits) print(json ? JSON.stringify(edit) : lineOf(edit));
    count += page.edits.length;
    after = page.next;
    // The error of a closed pipe arrives in a later turn of the event loop; reading a page within this process may not
    // yield by itself.
    await nextTurn();
    if (outputClosed.aborted) return;
  } while (after !== undefined);
  if (!json)
    print(
      count === 0
        ? 'Nothing waits.'
        : `${String(count)} in all. Those that are refused or in conflict wait for a person.`,
    );
}

async function decide(
  client: OperatorClient,
  { verb: verdict, vendor }: Extract<EditsRequest, { verb: Verdict }>,
  editId: string,
  print: (line: string) => void,
): Promise<boolean> {
  if (!isEditId(editId)) {
    print(`${editId}: no edit id`);
    return false;
  }
  const decision: z.infer<typeof operatorDecision> = {
    verdict,
    edit_id: editId,
    vendor,
    by: `operator ${operatorName()}`,
  };
  const answer = await client.ask(operatorAnswer, 'POST', '/edits', decision);
  switch (answer.outcome) {
    case 'decided':
      print(verdict === 'retry' ? `${editId}: sent again as ${answer.edit_id ?? ''}` : `${editId}: discarded`);
      return true;
    case 'edit_settled':
      print(`${editId}: ${whySettled(verdict, answer.state)}`);
      return false;
    case 'edit_ambiguous':
      print(
        `${editId}: several vendors have an edit of this id; say whose with --vendor NAME: ${namesOf(answer.vendors)}`,
      );
      return false;
    case 'item_unknown':
      print(
        `${editId}: its id is another vendor's where both leave by one credential and path; it can only be discarded`,
      );
      return false;
    case 'edit_unknown':
      print(`${editId}: no such edit`);
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

/** A container may run under a user id without a name. */
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
  const value = available ? 'available' : 'not available';
  return [
    String(seq),
    edit_id,
    vendor,
    JSON.stringify(id),
    value,
    state,
    reason ?? '-',
    attempts === 1 ? '1 attempt' : `${String(attempts)} attempts`,
    since,
  ].join('  ');
}

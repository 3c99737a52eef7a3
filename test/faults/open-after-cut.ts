import type { EditId } from '../../src/domain/edit.js';
import { StorageFailed } from '../../src/proxy/outbox/outbox.js';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { AcknowledgedEdit } from './answers-in-trace.js';
import { viewerOf } from '../support/viewer.js';

export interface AfterCut {
  /** The error message if the outbox did not open. */
  readonly refusal?: string;
  /** Acknowledged edits that are missing or in the wrong order, and counts that do not add up. */
  readonly lost: readonly string[];
}

/** Opens the files after a power cut with the outbox of the proxy, and searches for the acknowledged edits. */
export async function openAfterCut(path: string, acknowledged: readonly AcknowledgedEdit[]): Promise<AfterCut> {
  let outbox: ReturnType<typeof openSqliteOutbox>;
  try {
    outbox = openSqliteOutbox(path);
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    return { refusal: error.message, lost: [] };
  }
  try {
    const receipts = await outbox.receipts(
      viewerOf('boat-tours'),
      acknowledged.map(({ edit_id }) => edit_id as EditId),
    );
    const places = new Map(receipts.map(({ edit_id, id, seq }): [string, string] => [edit_id, `${id} ${String(seq)}`]));
    const lost = acknowledged
      .filter(({ edit_id, id, seq }) => places.get(edit_id) !== `${id} ${String(seq)}`)
      .map(({ edit_id }) => edit_id);
    const { accepted, received, delivered, parked, superseded, discarded, pruned } = await outbox.count();
    const sum = received + delivered + parked + superseded + discarded + pruned;
    return {
      lost:
        accepted === sum ? lost : [...lost, `the counts: ${String(accepted)} accepted, ${String(sum)} in all states`],
    };
  } finally {
    await outbox.close();
  }
}

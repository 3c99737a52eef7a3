import { answersInTrace } from './answers-in-trace.js';
import { SyncedRows } from './synced-rows.js';
import type { SystemCall } from './trace.js';

/**
 * Finds responses that acknowledge edits before their rows are synced, over several runs of a proxy on one database.
 */
export class EarlyAnswers {
  answers = 0;
  edits = 0;
  /** A sentence for each early response. */
  readonly early: string[] = [];
  readonly #rows: SyncedRows;

  /** @param path the path of a database that did not exist before the first run */
  constructor(path: string) {
    this.#rows = new SyncedRows(path);
  }

  /** Reads the trace of the next run. @returns the position of its last correct response, or -1 */
  read(calls: readonly SystemCall[]): number {
    this.#rows.read(calls);
    const answers = answersInTrace(calls);
    for (const { position, edits } of answers) {
      this.answers += 1;
      this.edits += edits.length;
      const unsynced = edits.filter(({ edit_id }) => (this.#rows.at.get(edit_id) ?? Infinity) >= position);
      if (edits.length > 0 && unsynced.length === 0) continue;
      const ids = unsynced.map(({ edit_id }) => edit_id).join(', ');
      this.early.push(`a 202 for ${ids} was sent before the sync of its row (line ${String(position)})`);
    }
    return answers.at(-1)?.position ?? -1;
  }
}

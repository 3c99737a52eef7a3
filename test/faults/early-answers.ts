import { answersInTrace } from './answers-in-trace.js';
import { SyncedRows } from './synced-rows.js';
import type { SystemCall } from './trace.js';

/** Finds the answers that say "received" before the disk has the rows, over the lives of a proxy on one database. */
export class EarlyAnswers {
  answers = 0;
  edits = 0;
  /** A sentence each. */
  readonly early: string[] = [];
  readonly #rows: SyncedRows;

  /** @param path of a database that did not exist before the first life */
  constructor(path: string) {
    this.#rows = new SyncedRows(path);
  }

  /** The next life. @returns where its last good answer left, -1 where there was none */
  read(calls: readonly SystemCall[]): number {
    this.#rows.read(calls);
    const answers = answersInTrace(calls);
    for (const { position, edits } of answers) {
      this.answers += 1;
      this.edits += edits.length;
      const naked = edits.filter(({ edit_id }) => (this.#rows.at.get(edit_id) ?? Infinity) >= position);
      if (edits.length > 0 && naked.length === 0) continue;
      const ids = naked.map(({ edit_id }) => edit_id).join(', ');
      this.early.push(`a 202 for ${ids} left before the sync of its row (line ${String(position)})`);
    }
    return answers.at(-1)?.position ?? -1;
  }
}

import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { postEdits } from './load-generator.js';
import type { Stage } from './kill-points.js';
import { receiptsBy } from './verdict.js';

const OLD_ITEMS = ['old-1', 'old-2', 'old-3'];
const ARCHIVIST = 'archivist';
const MONTH_MS = 30 * 24 * 60 * 60_000;

/**
 * Lets a proxy deliver two rounds of edits of separate items, and then makes them a month old in its file,
 * while it is down, so that the retention job prunes them without a clock change.
 */
export async function agePrunable({ proxy, evidence }: Stage): Promise<void> {
  await proxy.start();
  for (const available of [true, false]) {
    const at = new Date().toISOString();
    const inventory = OLD_ITEMS.map((id) => ({ edit_id: crypto.randomUUID(), id, available, updated_at: at }));
    const ids = inventory.map(({ edit_id }) => edit_id);
    await postEdits(proxy, ARCHIVIST, crypto.randomUUID(), { inventory, sent_at: at });
    while ((await receiptsBy(proxy, ids)).some(({ state }) => state === 'received')) await wait(10);
  }
  await proxy.kill();

  const database = new Database(evidence.path('inventory.sqlite'));
  database.prepare('UPDATE idempotency SET accepted_at = accepted_at - ? WHERE subject = ?').run(MONTH_MS, ARCHIVIST);
  database.prepare('UPDATE attempt SET closed_at = closed_at - ? WHERE closed_at IS NOT NULL').run(MONTH_MS);
  database
    .prepare(
      `UPDATE edit SET settled_at = settled_at - ? WHERE settled_at IS NOT NULL
       AND item IN (SELECT key FROM item WHERE id LIKE 'old-%')`,
    )
    .run(MONTH_MS);
  database.close();
}

/** Checks rows and counts in the file of a proxy that has stopped. @returns sentences about what is wrong */
export function auditOldRows(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const one = (sql: string): unknown => database.prepare(sql).pluck().get();
  const wrong: readonly [sentence: string, isWrong: boolean][] = [
    ['the file is damaged', one('PRAGMA integrity_check') !== 'ok'],
    ['a row refers to one that does not exist', one('SELECT count(*) FROM pragma_foreign_key_check') !== 0],
    [
      'the counts of the vendors do not add up',
      one(
        `SELECT sum(last_number) = sum(received + delivered + parked + superseded + discarded + pruned) FROM vendor`,
      ) !== 1,
    ],
    [
      'the counts of the vendors and the edits differ',
      one('SELECT sum(last_number - pruned) = (SELECT count(*) FROM edit) FROM vendor') !== 1,
    ],
    [
      'the counts of the vendors and the states of the edits differ',
      one(`SELECT count(*) FROM vendor WHERE
        received <> (SELECT count(*) FROM edit WHERE edit.vendor = vendor.name AND state = 'received')
        OR delivered <> (SELECT count(*) FROM edit WHERE edit.vendor = vendor.name AND state = 'delivered')
        OR parked <> (SELECT count(*) FROM edit WHERE edit.vendor = vendor.name AND state IN ('refused', 'conflict'))
        OR superseded <> (SELECT count(*) FROM edit WHERE edit.vendor = vendor.name AND state = 'superseded')
        OR discarded <> (SELECT count(*) FROM edit WHERE edit.vendor = vendor.name AND state = 'discarded')`) !== 0,
    ],
    [
      'an item has lost its newest edit',
      one(`SELECT count(*) FROM item WHERE newest_visible IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM edit WHERE edit.vendor = item.vendor AND edit.number = item.newest_visible)`) !== 0,
    ],
    ['an edit has an open attempt', one('SELECT count(*) FROM edit WHERE open_attempt IS NOT NULL') !== 0],
    ['an edit is not settled', one(`SELECT count(*) FROM edit WHERE state = 'received'`) !== 0],
    ['nothing was pruned', one('SELECT sum(pruned) FROM vendor') === 0],
  ];
  database.close();
  return wrong.flatMap(([sentence, isWrong]) => (isWrong ? [`after the stop, ${sentence}`] : []));
}

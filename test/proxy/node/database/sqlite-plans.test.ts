import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import Database from 'better-sqlite3';
import { OutboxFile } from '../../../support/outbox-file.js';

interface Step {
  readonly detail: string;
}

/** Tables that grow with what is accepted: no statement may walk through one of them. */
const GROWING = /\bSCAN (?:edit|item|e|newer|older|plain|attempt|idempotency)\b/;

it('no statement of the SQLite outbox walks through all edits, items, calls or keys', async () => {
  const prepare = mock.method(Database.prototype, 'prepare');
  const file = new OutboxFile();
  file.open();
  const statements = new Set(prepare.mock.calls.map((call) => String(call.arguments[0])));
  prepare.mock.restore();
  await file.remove();
  const copy = new OutboxFile();
  await copy.open().close();
  const database = new Database(copy.path);

  const plans = [...statements]
    .filter((sql) => /\b(?:edit|item|attempt|idempotency)\b/.test(sql))
    .map((sql) => ({ sql, plan: planOf(database, sql) }));

  database.close();
  await copy.remove();
  assert.ok(plans.length > 40, 'the statements were seen');
  const slow = plans.filter(({ plan }) => plan.some(({ detail }) => isWalk(detail)));
  assert.deepEqual(slow, []);
});

/** A walk along an index that ends at the first rows wanted is none: the head of the line, the oldest calls. */
function isWalk(detail: string): boolean {
  return GROWING.test(detail) && !/USING (?:COVERING )?INDEX edit_(?:line|pausing|open|received)\b/.test(detail);
}

function planOf(database: Database.Database, sql: string): Step[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name ?? '', 1]);
  const places = Array.from(sql.matchAll(/\?/g), () => 1);
  const explain = database.prepare<unknown[], Step>(`EXPLAIN QUERY PLAN ${sql}`);
  return names.length > 0 ? explain.all(Object.fromEntries(names)) : explain.all(...places);
}

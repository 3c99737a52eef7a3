import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import Database from 'better-sqlite3';
import { openMemoryOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { OutboxAgreement, SENT_AGAIN, type Step } from '../../../support/outbox-agreement.js';
import { OutboxFile } from '../../../support/outbox-file.js';

interface PlanStep {
  readonly detail: string;
}

/** A scan of a table that grows with the accepted edits, which no statement may make. */
const GROWING = /\bSCAN (?:edit|item|e|next|newest|last|found|owner|attempt|idempotency)\b/;

/** Steps in which each kind of statement runs. */
const STEPS: readonly Step[] = [
  ...SENT_AGAIN,
  { do: 'give', vendor: 'vendor-a', from: 'vendor-b' },
  { do: 'settings' },
  { do: 'pass', seconds: 25 },
  { do: 'send', most: 9, endings: ['refused'], split: true },
  { do: 'reopen' },
  { do: 'release' },
];

it('no statement of the SQLite outbox scans all edits, items, attempts or keys', async () => {
  const prepare = mock.method(Database.prototype, 'prepare');
  const outbox = openMemoryOutbox();
  const life = new OutboxAgreement(outbox, openMemoryOutbox());
  for (const step of STEPS) await life.take(step);
  await outbox.capDelays(0, 0);
  await outbox.retryHeld(0, { credentials: [], baseUrl: '' });
  await outbox.waitingBytes();
  const statements = new Set(prepare.mock.calls.map((call) => String(call.arguments[0])));
  prepare.mock.restore();
  const copy = new OutboxFile();
  await copy.open().close();
  const database = new Database(copy.path);

  const plans = [...statements]
    .filter((sql) => /\b(?:edit|item|attempt|idempotency)\b/.test(sql))
    .map((sql) => ({ sql, plan: planOf(database, sql) }));

  database.close();
  await copy.remove();
  assert.ok(plans.length > 40, 'the statements were recorded');
  const slow = plans.filter(({ plan }) => plan.some(({ detail }) => isScan(detail)));
  assert.deepEqual(slow, []);
});

/** A scan of an index that ends at the first matching rows does not count: the head of the queue, the oldest calls. */
function isScan(detail: string): boolean {
  return (
    GROWING.test(detail) &&
    !/USING (?:COVERING )?INDEX (?:edit_(?:queue|pausing|due|open|received)|item_resend)\b/.test(detail)
  );
}

function planOf(database: Database.Database, sql: string): PlanStep[] {
  const values = [...sql.matchAll(/\?(\d+)/g)].map(([, place]) => [place ?? '', '[]']);
  const explain = database.prepare<unknown[], PlanStep>(`EXPLAIN QUERY PLAN ${sql}`);
  return values.length > 0 ? explain.all(Object.fromEntries(values)) : explain.all();
}

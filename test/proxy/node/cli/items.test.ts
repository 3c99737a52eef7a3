import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { ItemId } from '../../../../src/domain/item.js';
import { openMemoryOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { serveOperator } from '../../../../src/proxy/node/server/operator-socket.js';
import type { Outbox } from '../../../../src/proxy/outbox/outbox.js';
import { createOperatorHandler } from '../../../../src/proxy/routes/operator-routes.js';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import { noLog } from '../../../../src/proxy/runtime/log.js';
import { batch, edit } from '../../../support/outbox-batches.js';
import { runCommand } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

/** The operator socket of a proxy, and a function that runs the command. */
async function operate(t: TestContext) {
  const outbox = openMemoryOutbox();
  const database = join(scratchFolder(), 'inventory.sqlite');
  const handler = createOperatorHandler({
    outbox,
    clock: systemClock,
    timestampSettings: () => Promise.resolve({ portalOffset: 0, timestampUnit: 1 }),
    wake: () => undefined,
    acceptsMore: () => Promise.resolve(true),
    isIsolated: () => false,
  });
  t.after(await serveOperator(handler, `${database}.sock`, noLog));
  const run = (...args: readonly string[]) => runCommand(['items', ...args], { DATABASE_URL: `file:${database}` });
  return { outbox, run };
}

function use(outbox: Outbox, vendor: string, id: string) {
  return outbox.accept(batch([edit(id)], { vendor, lane: '' }));
}

describe('vendor-inventory items release', { concurrency: 3 }, () => {
  it('releases an id from the vendor that used it first', async (t) => {
    const { outbox, run } = await operate(t);
    await use(outbox, 'pottery', 'kayak');
    assert.equal((await use(outbox, 'boat-tours', 'kayak')).kind, 'item_unknown');

    const { code, printed } = await run('release', '--vendor', 'pottery', 'kayak');

    assert.equal(code, 0, printed);
    assert.match(printed, /^kayak: released/);
    assert.equal((await use(outbox, 'boat-tours', 'kayak')).kind, 'accepted');
    const [waiting] = await outbox.waiting({ limit: 1 });
    assert.deepEqual([waiting?.id, waiting?.vendor, waiting?.state], ['kayak' as ItemId, 'pottery', 'refused']);
  });

  it('fails for an id that the vendor does not have', async (t) => {
    const { run } = await operate(t);

    const { code, printed } = await run('release', '--vendor', 'pottery', 'kayak');

    assert.deepEqual([code, printed], [1, 'kayak: this vendor has no such id\n']);
  });

  it('exits with 64 without --vendor', async (t) => {
    const { run } = await operate(t);

    const { code, printed } = await run('release', 'kayak');

    assert.deepEqual([code, printed], [64, 'items takes: release --vendor NAME ID...\n']);
  });
});

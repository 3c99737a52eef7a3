import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { MemoryOutbox } from '../../../src/proxy/outbox-memory.js';
import { createOperatorHandler } from '../../../src/proxy/operator-handler.js';
import { systemClock } from '../../../src/proxy/clock.js';
import { silent } from '../../../src/proxy/log.js';
import { serveOperator } from '../../../src/proxy/node/operator-socket.js';
import { accept, edit } from '../../support/outbox-batches.js';
import { Command } from '../../support/run-command.js';
import { scratchFolder } from '../../support/scratch-folder.js';

interface Operated {
  readonly outbox: MemoryOutbox;
  readonly socket: string;
  run(...words: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }>;
}

/** An operator's socket beside a database, as a running proxy serves it. */
async function operate(t: TestContext): Promise<Operated> {
  const database = join(scratchFolder(), 'inventory.sqlite');
  const outbox = new MemoryOutbox();
  const handler = createOperatorHandler({
    outbox,
    clock: systemClock,
    stamping: () => ({ portalOffset: 0, stampUnit: 1 }),
    wake: () => undefined,
  });
  t.after(await serveOperator(handler, `${database}.sock`, silent));
  return {
    outbox,
    socket: `${database}.sock`,
    async run(...words) {
      const command = new Command(t, ['edits', ...words], { environment: { DATABASE_URL: `file:${database}` } });
      const code = await command.exitCode();
      return { code, said: command.stdout + command.stderr };
    },
  };
}

describe('vendor-inventory edits', { concurrency: 4 }, () => {
  it('lists what waits, over all vendors, to the end', async (t) => {
    const { outbox, run } = await operate(t);
    await accept(outbox, ...Array.from({ length: 250 }, (_, at) => edit(`boat-${at}`)));

    const { code, said } = await run('list', '--json');

    assert.equal(code, 0);
    const ids = said
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [250, 'boat-0', 'boat-249']);
  });

  it('says that nothing waits', async (t) => {
    const { run } = await operate(t);

    const { code, said } = await run('list');

    assert.deepEqual([code, said], [0, 'Nothing waits.\n']);
  });

  it('discards under the name of the operator', async (t) => {
    const { outbox, run } = await operate(t);
    const [receipt] = await accept(outbox, edit('kayak'));

    const { code } = await run('discard', receipt?.edit_id ?? '');

    assert.equal(code, 0);
    const [entry] = await outbox.history('boat-tours', { limit: 1 });
    assert.equal(entry?.state, 'discarded');
    assert.match(entry.decided_by ?? '', /^operator ./);
  });

  it('says which edit it knows nothing of, or has nothing to decide about, and ends with 1', async (t) => {
    const { outbox, run } = await operate(t);
    const [receipt] = await accept(outbox, edit('kayak'));

    const { code, said } = await run('retry', 'nobody', receipt?.edit_id ?? '');

    assert.equal(code, 1);
    assert.match(said, /^nobody: no such edit\n.*: nothing left to decide, it is received\n$/);
  });

  it('opens its socket to its owner alone', async (t) => {
    const { socket } = await operate(t);

    const { mode } = statSync(socket);

    assert.equal(mode & 0o777, 0o600);
  });

  it('says in one line that no proxy is there', async (t) => {
    const command = new Command(t, ['edits', 'list'], {
      environment: { DATABASE_URL: 'file:/nowhere/inventory.sqlite' },
    });

    assert.equal(await command.exitCode(), 1);
    assert.equal(command.stderr.split('\n').length, 2);
    assert.match(command.stderr, /^no proxy answers at \/nowhere\/inventory\.sqlite\.sock/);
  });

  for (const words of [[], ['retry'], ['list', 'x'], ['burn', 'x'], ['list', '--all']]) {
    it(`ends with 64 where it is told: ${words.join(' ') || 'nothing'}`, async (t) => {
      const command = new Command(t, ['edits', ...words]);

      assert.equal(await command.exitCode(), 64);
      assert.notEqual(command.stderr, '');
    });
  }
});

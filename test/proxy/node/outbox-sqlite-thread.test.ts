import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { ItemId } from '../../../src/domain/item.js';
import { problem } from '../../../src/contract/problem.js';
import { receipts } from '../../../src/contract/widget.js';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { openSqliteOutboxOnThread } from '../../../src/proxy/node/outbox-sqlite-thread.js';
import {
  LeaseLost,
  StorageFailed,
  type AcceptedEdit,
  type AcceptWritten,
  type Outbox,
} from '../../../src/proxy/outbox/outbox.js';
import { LONG_INVENTORY as INVENTORY } from '../../support/long-inventory.js';
import { OutboxAgreement, steps } from '../../support/outbox-agreement.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { askerOf } from '../../support/asker.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { written } from '../../support/written.js';
import { describeEndedSessions } from '../ended-sessions-contract.js';
import { batch, edit } from '../outbox-contract.js';

const THREAD = new URL('../../../src/proxy/node/outbox-sqlite-thread.ts', import.meta.url).href;
const T0 = Date.parse('2026-06-01T08:00:00.000Z');

function newFile(): string {
  return join(scratchFolder(), 'inventory.sqlite');
}

describeEndedSessions('SQLite on a thread', async (clock) => {
  const outbox = await openSqliteOutboxOnThread(newFile());
  return { sessions: outbox.endedSessions(clock), close: () => outbox.close() };
});

async function opened(t: TestContext, path = newFile()): Promise<Outbox> {
  const outbox = await openSqliteOutboxOnThread(path);
  t.after(() => outbox.close());
  return outbox;
}

describe('a store on a thread of its own', () => {
  it('tells the same as the one in memory, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const outbox = await openSqliteOutboxOnThread(newFile());
        try {
          const agreement = new OutboxAgreement(outbox, 1);
          for (const step of taken) await agreement.take(step);
        } finally {
          await outbox.close();
        }
      }),
      { numRuns: 12 },
    );
  });

  it('says why a file cannot be used as one in this thread does, and leaves it to whoever has it', async (t) => {
    const path = newFile();
    const first = openSqliteOutbox(path);
    t.after(() => first.close());

    await assert.rejects(openSqliteOutboxOnThread(path), (error) => {
      assert.ok(error instanceof StorageFailed);
      assert.match(error.message, /inventory\.sqlite is in use by another process; one proxy per file$/);
      return true;
    });

    assert.equal((await first.accept(batch([edit('boat', true)]))).kind, 'accepted');
  });

  it('keeps the classes of errors that are told apart', async (t) => {
    const outbox = await opened(t);
    await outbox.accept(batch([edit('boat', true)]));
    const lease = await outbox.leaseLane({ now: T0, leaseMs: 1, unsureMs: 1 });
    assert.ok(lease);
    const later = await outbox.leaseLane({ now: T0 + 2, leaseMs: 1, unsureMs: 1 });
    assert.ok(later);

    await assert.rejects(outbox.settle(lease, [], T0 + 2), (error) => {
      assert.ok(error instanceof LeaseLost);
      assert.equal(error.lane, lease.lane);
      return true;
    });
  });

  it('ends once, and refuses whoever comes after that', async () => {
    const outbox = await openSqliteOutboxOnThread(newFile());
    await Promise.all([outbox.close(), outbox.close()]);
    await outbox.close();

    await assert.rejects(outbox.accept(batch([edit('boat', true)])), StorageFailed);
    await assert.rejects(outbox.count(), StorageFailed);
  });

  it('writes all that was accepted before its end', async (t) => {
    const path = newFile();
    const outbox = await openSqliteOutboxOnThread(path);
    const accepted = Promise.all(['boat', 'tent', 'lamp'].map((id) => outbox.accept(batch([edit(id, true)]))));
    await outbox.close();

    assert.deepEqual(
      (await accepted).map(({ kind }) => kind),
      ['accepted', 'accepted', 'accepted'],
    );
    assert.equal((await (await opened(t, path)).count()).received, 3);
  });

  it('asks the functions that come with a call, and tells what they throw', async (t) => {
    const outbox = await opened(t);
    const asked: string[] = [];
    await outbox.accept(batch([edit('boat', true)]));
    await outbox.accept(batch([edit('boat', true)], { vendor: 'vendor-b', lane: 'other' }));
    await outbox.count();
    const broken = outbox.moveLanes(() => {
      throw new Error('no lane is known');
    }, T0);
    await assert.rejects(broken, /no lane is known/);

    let areIn = false;
    await outbox.moveLanes(
      (vendor) => {
        asked.push(vendor);
        return `lane of ${vendor}`;
      },
      T0,
      () => {
        areIn = true;
      },
    );

    assert.deepEqual([...new Set(asked)].sort(), ['vendor-a', 'vendor-b']);
    assert.equal(areIn, true);
    const lease = await outbox.leaseLane({ now: T0, leaseMs: 1000, unsureMs: 1 });
    assert.match(lease?.lane ?? '', /^lane of vendor-[ab]$/);
  });

  it('ends the process where it ends by an error, so that whoever supervises it starts it again', () => {
    const breaks = `import { isMainThread, parentPort } from 'node:worker_threads';
      if (!isMainThread) parentPort.once('message', () => { throw new Error('the thread is broken'); });`;
    const folder = scratchFolder();
    const file = join(folder, 'opens.mjs');
    writeFileSync(
      file,
      `import { openSqliteOutboxOnThread } from ${JSON.stringify(THREAD)};
      const outbox = await openSqliteOutboxOnThread(${JSON.stringify(join(folder, 'inventory.sqlite'))});
      await outbox.count();
      setInterval(() => undefined, 1000);`,
    );
    const words = ['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(breaks)}`, file];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });

    assert.notEqual(status, 0);
    assert.match(stderr, /the thread is broken/);
  });

  it('is done without where the process may start no thread', () => {
    const folder = scratchFolder();
    const path = join(folder, 'inventory.sqlite');
    // What Node throws by `--permission`, and at a limit on tasks. What loads the sources has threads of its own.
    for (const code of ['ERR_ACCESS_DENIED', 'ERR_WORKER_INIT_FAILED']) {
      const without = `import { syncBuiltinESMExports } from 'node:module';
        import threads from 'node:worker_threads';
        const { Worker } = threads;
        threads.Worker = class extends Worker {
          constructor(file, ...rest) {
            if (String(file).includes('storage-thread')) throw Object.assign(new Error('no thread'), { code: '${code}' });
            super(file, ...rest);
          }
        };
        syncBuiltinESMExports();`;
      const file = join(folder, 'opens.mjs');
      writeFileSync(
        file,
        `const { openSqliteOutboxOnThread } = await import(${JSON.stringify(THREAD)});
        const outbox = await openSqliteOutboxOnThread(${JSON.stringify(path)});
        console.log((await outbox.count()).received);
        await outbox.close();`,
      );
      const words = ['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(without)}`, file];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });

      assert.deepEqual([status, stdout, stderr], [0, '0\n', '']);
    }
  });
});

const MANY = INVENTORY.length;

async function post(
  stand: OpenProxy,
  inventory: readonly object[],
  headers?: Record<string, string>,
): Promise<Response> {
  const token = await stand.clock.during(embedToken());
  const answer = stand.ask('POST', '/v1/inventory', { token, body: { inventory }, ...(headers && { headers }) });
  return stand.clock.during(answer);
}

describe('long batches on their way to the thread', () => {
  it('are taken as they are, however many come at once, however long, and one after the other', async (t) => {
    const outbox = await opened(t);
    const take = outbox.acceptWritten as AcceptWritten;
    const label = 'x'.repeat(190);
    const sizes = [60, 1200, ...Array.from({ length: 80 }, (_, at) => 40 + at)];
    const wanted = new Map<string, boolean>();
    for (const round of [1, 2]) {
      const answers = await Promise.all(
        sizes.map((size, nth) => {
          const ids = Array.from({ length: size }, (_, at) => `${String(round)}-${String(nth)}-${String(at)}`);
          const edits = ids.map((id, at) => ({ ...edit(id, at % 3 === 0), ...(size === 1200 && { label }) }));
          for (const { id, available } of edits) wanted.set(id, available);
          const { edits: _, digest: __, ...wish } = batch(edits as AcceptedEdit[]);
          return take(written(edits as AcceptedEdit[]), wish);
        }),
      );
      assert.deepEqual(new Set(answers.map(({ kind }) => kind)), new Set(['accepted']));
    }

    const items = await outbox.list(askerOf('vendor-a'), { limit: 2 * wanted.size });
    assert.deepEqual(new Map(items.map(({ id, available }) => [id as string, available])), wanted);
  });

  it('are told to whoever listens once for each vendor, where they are taken together', async (t) => {
    const outbox = await opened(t);
    const heard: string[] = [];
    outbox.subscribe((vendor) => heard.push(vendor));

    const vendors = ['vendor-a', 'vendor-b', 'vendor-a', 'vendor-b', 'vendor-a'];
    await Promise.all(
      vendors.map((vendor) => outbox.accept(batch([edit(`boat-${vendor}`, true)], { vendor, lane: vendor }))),
    );

    assert.deepEqual(heard, ['vendor-a', 'vendor-b']);
  });
});

describe('a long batch before a store on a thread of its own', () => {
  async function standOn(t: TestContext): Promise<OpenProxy> {
    return openProxy(t, { outbox: await openSqliteOutboxOnThread(newFile()), writeLimits: { edits: 10 * MANY } });
  }

  it('is answered as one in this thread would be, and so is the same one again', async (t) => {
    const [there, here] = [await standOn(t), openProxy(t)];
    const key = { 'Idempotency-Key': 'the-same' };
    const [first, again, usual] = [
      await post(there, INVENTORY, key),
      await post(there, INVENTORY, key),
      await post(here, INVENTORY, key),
    ];

    const [told, toldAgain, expected] = await Promise.all(
      [first, again, usual].map(async (answer) => receipts.parse(await answer.json()).receipts),
    );
    assert.deepEqual([first.status, again.status], [202, 202]);
    assert.deepEqual(toldAgain, told);
    const withoutTime = (list: typeof told = []): unknown[] => list.map((one) => ({ ...one, updated_at: '' }));
    assert.deepEqual(withoutTime(told), withoutTime(expected));
    assert.equal((await there.outbox.count()).received, MANY);
  });

  it('is refused whole where it names an item twice, or comes with the key of another one', async (t) => {
    const stand = await standOn(t);
    const twice = await post(stand, [...INVENTORY, { ...INVENTORY[7], edit_id: 'another' }]);
    const key = { 'Idempotency-Key': 'the-same' };
    await post(stand, INVENTORY, key);
    const other = await post(
      stand,
      INVENTORY.map((one) => ({ ...one, edit_id: `${one.edit_id}-b` })),
      key,
    );

    const refused = problem.parse(await twice.json());
    assert.deepEqual([twice.status, refused.code], [422, 'duplicate_item']);
    assert.equal(problem.parse(await other.json()).code, 'idempotency_key_reused');
    assert.equal((await stand.outbox.count()).received, MANY);
  });

  it('is delivered as it was asked, whatever was accepted before', async (t) => {
    const stand = await standOn(t);
    await post(stand, [{ ...INVENTORY[1], available: true, edit_id: 'the-first' }]);
    await post(stand, INVENTORY);
    stand.proxy.start();
    // Their clock knows nothing of the thread.
    while ((await stand.outbox.count()).received > 0) await stand.clock.pass(1_000);

    const items = new Map((await stand.portal.items()).map((item) => [item.id, item.by_arrival.available]));
    assert.deepEqual(items, new Map(INVENTORY.map(({ id, available }) => [id as ItemId, available])));
  });
});

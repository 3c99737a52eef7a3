import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import type { EditId } from '../../../../src/domain/edit.js';
import type { ItemId } from '../../../../src/domain/item.js';
import type { Outbox } from '../../../../src/proxy/outbox/outbox.js';
import { createOperatorHandler } from '../../../../src/proxy/routes/operator-routes.js';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import { noLog, type Log, type LogFields } from '../../../../src/proxy/runtime/log.js';
import { serveOperator } from '../../../../src/proxy/node/server/operator-socket.js';
import { openMemoryOutbox, openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { openPostgresOutbox } from '../../../../src/proxy/node/database/postgres/outbox-postgres.js';
import { accept, batch, edit } from '../../../support/outbox-batches.js';
import { PostgresServer } from '../../../support/postgres-server.js';
import { Command, type EndedCommand, runCommand } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { leaseLane } from '../../../support/lease-lane.js';

const server = await PostgresServer.start();
after(() => server.stop());

/** As in a container that runs with a user id that is not in its /etc/passwd. */
const WITHOUT_USER_NAME = `data:text/javascript,${encodeURIComponent(
  `import os from 'node:os';
   import { syncBuiltinESMExports } from 'node:module';
   os.userInfo = () => { throw new Error('uv_os_get_passwd returned ENOENT'); };
   syncBuiltinESMExports();`,
)}`;

interface Operated {
  readonly outbox: Outbox;
  run(...args: readonly string[]): Promise<EndedCommand>;
}

function runner(url: string): Operated['run'] {
  return (...args) => runCommand(['edits', ...args], { DATABASE_URL: url });
}

/** An operator's socket beside a database, as a running proxy serves it. */
async function operateFile(
  t: TestContext,
  outbox: Outbox = openMemoryOutbox(),
  mayAccept = true,
): Promise<Operated & { readonly socket: string }> {
  const database = join(scratchFolder(), 'inventory.sqlite');
  t.after(await serveOperator(operatorOf(outbox, mayAccept), `${database}.sock`, noLog));
  return { outbox, socket: `${database}.sock`, run: runner(`file:${database}`) };
}

function operatorOf(outbox: Outbox, mayAccept = true): (request: Request) => Promise<Response> {
  return createOperatorHandler({
    outbox,
    clock: systemClock,
    timestampSettings: () => Promise.resolve({ portalOffset: 0, timestampUnit: 1 }),
    wake: () => undefined,
    acceptsMore: () => Promise.resolve(mayAccept),
    isIsolated: () => false,
  });
}

/** The behaviour of the command that does not depend on the database. */
function describeEdits(store: string, operate: (t: TestContext) => Promise<Operated>): void {
  describe(`vendor-inventory edits with ${store}`, { concurrency: 4 }, () => {
    it('lists all waiting edits of all vendors', async (t) => {
      const { outbox, run } = await operate(t);
      await accept(outbox, ...Array.from({ length: 250 }, (_, at) => edit(`boat-${at}`)));

      const { code, printed } = await run('list', '--json');

      assert.equal(code, 0);
      const ids = printed
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id);
      assert.deepEqual([ids.length, ids[0], ids.at(-1)], [250, 'boat-0', 'boat-249']);
    });

    it('prints that no edit waits', async (t) => {
      const { run } = await operate(t);

      const { code, printed } = await run('list');

      assert.deepEqual([code, printed], [0, 'Nothing waits.\n']);
    });

    it('discards an edit, and the history names the operator', async (t) => {
      const { outbox, run } = await operate(t);
      const [receipt] = await accept(outbox, edit('kayak'));

      const { code } = await run('discard', receipt?.edit_id ?? '');

      assert.equal(code, 0);
      const [entry] = await outbox.history('boat-tours', { limit: 1 });
      assert.equal(entry?.state, 'discarded');
      assert.match(entry.decided_by ?? '', /^operator ./);
    });

    it('accepts edit ids that begin with a hyphen after --', async (t) => {
      const { outbox, run } = await operate(t);
      const [one, other] = ['-h' as EditId, '--help' as EditId];
      await accept(outbox, edit('kayak', { edit_id: one }), edit('canoe', { edit_id: other }));

      const { code, printed } = await run('discard', '--', one, other);

      assert.deepEqual([code, printed], [0, '-h: discarded\n--help: discarded\n']);
    });

    it('names an unknown edit and one that needs no decision, and exits with 1', async (t) => {
      const { outbox, run } = await operate(t);
      const [receipt] = await accept(outbox, edit('kayak'));

      const { code, printed } = await run('retry', 'nobody', receipt?.edit_id ?? '');

      assert.equal(code, 1);
      assert.match(printed, /^nobody: no such edit\n.*: it still waits, and is sent without a retry\n$/);
    });

    it('does not discard an edit that was tried, and says why', async (t) => {
      const { outbox, run } = await operate(t);
      const [receipt] = await accept(outbox, edit('kayak'));
      const now = Date.now() + 60_000;
      const lease = await leaseLane(outbox, { leaseMs: 60_000, uncertainMs: 0, now });
      assert.ok(lease);
      const [open] = await outbox.beginAttempt(lease, await outbox.due(lease, now, 1), now);
      assert.ok(open);
      await outbox.recordOutcomes(lease, [{ edit: open, kind: 'waiting', dueAt: now, uncertain: true }], now);

      const { code, printed } = await run('discard', receipt?.edit_id ?? '');

      assert.equal(code, 1);
      assert.match(printed, /: it was tried, so it may be at the portal; it cannot be discarded\./);
      assert.match((await run('list')).printed, / {2}1 attempt {2}/);
      assert.equal((await outbox.count()).received, 1);
    });

    it('decides about an edit id of two vendors only with --vendor', async (t) => {
      const { outbox, run } = await operate(t);
      const request = edit('kayak');
      await accept(outbox, request);
      await outbox.accept(batch([{ ...request, id: 'vase' as ItemId }], { vendor: 'pottery' }));

      const unnamed = await run('discard', request.edit_id);
      const named = await run('discard', '--vendor', 'pottery', request.edit_id);

      assert.deepEqual([unnamed.code, named.code], [1, 0]);
      assert.match(
        unnamed.printed,
        /several vendors .* --vendor NAME: "(?:boat-tours|pottery)", "(?:boat-tours|pottery)"\n$/,
      );
      const states = [await outbox.history('boat-tours', { limit: 1 }), await outbox.history('pottery', { limit: 1 })];
      assert.deepEqual(
        states.map(([entry]) => entry?.state),
        ['received', 'discarded'],
      );
    });
  });
}

describeEdits('a file', (t) => operateFile(t));

describe('vendor-inventory edits on a PostgreSQL database', () => {
  async function operate(t: TestContext): Promise<Operated> {
    const url = await server.newDatabase();
    const outbox = await openPostgresOutbox(url);
    t.after(() => outbox.close());
    return { outbox, run: runner(url) };
  }

  describeEdits('PostgreSQL', operate);

  it('notifies the running proxies of a decision', async (t) => {
    const { outbox, run } = await operate(t);
    const [receipt] = await accept(outbox, edit('kayak'));
    const heard = new Promise((resolve) => {
      outbox.subscribe((vendor, elsewhere) => elsewhere === true && resolve(vendor));
    });

    const { code } = await run('discard', receipt?.edit_id ?? '');

    assert.equal(code, 0);
    assert.equal(await heard, 'boat-tours');
  });

  it('retries a refused edit with a later timestamp', async (t) => {
    const { outbox, run } = await operate(t);
    const now = Date.now() + 60_000;
    const [receipt] = await accept(outbox, edit('kayak'));
    const lease = await leaseLane(outbox, { leaseMs: 60_000, uncertainMs: 0, now });
    assert.ok(lease);
    const [open] = await outbox.beginAttempt(lease, await outbox.due(lease, now, 1), now);
    assert.ok(open);
    await outbox.recordOutcomes(lease, [{ edit: open, kind: 'refused', reason: 'portal_refused' }], now);

    const { code, printed } = await run('retry', receipt?.edit_id ?? '');

    assert.equal(code, 0, printed);
    const again = /sent again as (\S+)\n$/.exec(printed)?.[1];
    const [latest] = await outbox.history('boat-tours', { limit: 1 });
    assert.equal(latest?.edit_id, again);
    assert.equal(latest?.state, 'received');
    assert.ok(Date.parse(latest.updated_at) >= Date.parse(open.updated_at) + 1000);
  });

  it('prints the error of the database, and that the decision may have been made nevertheless', async (t) => {
    const url = await server.newDatabase();
    const outbox = await openPostgresOutbox(url);
    t.after(() => outbox.close());
    const [receipt] = await accept(outbox, edit('kayak'));
    await server.queryIn(
      url,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
       CREATE TRIGGER fail BEFORE UPDATE ON vendor_inventory.edit EXECUTE FUNCTION fail()`,
    );

    const { code, printed } = await runner(url)('discard', receipt?.edit_id ?? '');

    assert.deepEqual([code, printed], [1, 'PostgreSQL: no room; it may be done all the same: look with edits list\n']);
  });

  it('leaves no connection open, so that the process exits', async (t) => {
    const url = await server.newDatabase();
    await (await openPostgresOutbox(url)).close();
    const command = new Command(t, ['edits', 'list'], { environment: { DATABASE_URL: url } });

    assert.equal(await command.exitCode(), 0);
    assert.equal(command.stdout, 'Nothing waits.\n');
  });

  it('creates no tables', async () => {
    const url = await server.newDatabase();

    const { code, printed } = await runner(url)('list');

    assert.deepEqual([code, printed], [1, 'no proxy has made its tables in schema vendor_inventory yet\n']);
  });

  it('rejects tables of another version', async () => {
    const url = await server.newDatabase();
    await (await openPostgresOutbox(url)).close();
    await server.queryIn(url, 'DELETE FROM vendor_inventory.migration');

    const { code, printed } = await runner(url)('list');

    assert.equal(code, 1);
    assert.match(printed, /^the tables in schema vendor_inventory are those of another version/);
  });

  it('prints one line if the database cannot be reached', async () => {
    const { code, printed } = await runner('postgres://nobody@127.0.0.1:1/nothing')('list');

    assert.equal(code, 1);
    assert.match(printed, /^PostgreSQL: .*ECONNREFUSED.*\n$/);
  });
});

describe('vendor-inventory edits', { concurrency: 4 }, () => {
  it('has a socket that only its owner may use', async (t) => {
    const { socket } = await operateFile(t);

    const { mode } = statSync(socket);

    assert.equal(mode & 0o777, 0o600);
  });

  it('fails if the path of its socket is too long, and does not use the socket of another proxy', async (t) => {
    const folder = join(scratchFolder(), 'x'.repeat(100));
    mkdirSync(folder);
    const outbox = openMemoryOutbox();
    await accept(outbox, edit('kayak'));
    const logged: [string, LogFields | undefined][] = [];
    const log: Log = (_, message, fields) => logged.push([message, fields]);
    t.after(await serveOperator(operatorOf(outbox), `${join(folder, 'ours.sqlite')}.sock`, log));

    const { code, printed: answer } = await runner(`file:${join(folder, 'theirs.sqlite')}`)('list');

    assert.equal(code, 1);
    assert.match(answer, /^no proxy can answer at .*\.sock: its path has more than \d+ bytes; name the file .*\n$/);
    assert.deepEqual([logged.length, logged[0]?.[0]], [1, 'the operator socket cannot be opened']);
    assert.match(String(logged[0]?.[1]?.error), /^its path has more than/);
  });

  it('is logged as unavailable if there is a folder at the path of the socket', async () => {
    const path = join(scratchFolder(), 'inventory.sqlite.sock');
    mkdirSync(path);
    const logged: string[] = [];

    const close = await serveOperator(operatorOf(openMemoryOutbox()), path, (_, message) => logged.push(message));
    close();

    assert.deepEqual(logged, ['the operator socket cannot be opened']);
    assert.ok(statSync(path).isDirectory());
  });

  it('prints one line if no proxy runs', async () => {
    const { code, stderr } = await runner('file:/nowhere/inventory.sqlite')('list');

    assert.equal(code, 1);
    assert.equal(stderr.split('\n').length, 2);
    assert.match(stderr, /^no proxy answers at \/nowhere\/inventory\.sqlite\.sock/);
  });

  it('prints the folder of the socket if DATABASE_URL has a relative path', async () => {
    const { printed } = await runner('file:nowhere.sqlite')('list');

    assert.ok(printed.startsWith(`no proxy answers at ${resolve('nowhere.sqlite')}.sock; `), printed);
  });

  it('prints one line if the storage fails or the response is unknown', async (t) => {
    const failing = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    await failing.close();
    const { run } = await operateFile(t, failing);
    const other = join(scratchFolder(), 'inventory.sqlite');
    t.after(await serveOperator(() => Promise.resolve(new Response('<h1>')), `${other}.sock`, noLog));

    const answers = [await run('list'), await run('discard', 'x'), await runner(`file:${other}`)('list')];

    assert.deepEqual(
      answers.map(({ code }) => code),
      [1, 1, 1],
    );
    const [list, discard, unknown] = answers.map(({ printed }) => printed);
    for (const printed of [list, discard]) {
      assert.match(printed ?? '', /^the proxy answers with status 503: The proxy cannot store edits now\..*\n$/);
    }
    assert.match(
      unknown ?? '',
      /^the proxy answers with status 200: it may be of another version than this command\n$/,
    );
  });

  it('rejects a retry while too many edits wait, and accepts a discard', async (t) => {
    const { outbox, run } = await operateFile(t, openMemoryOutbox(), false);
    const [receipt] = await accept(outbox, edit('kayak'));
    const now = Date.now() + 60_000;
    const lease = await leaseLane(outbox, { leaseMs: 60_000, uncertainMs: 0, now });
    assert.ok(lease);
    const open = await outbox.beginAttempt(lease, await outbox.due(lease, now, 1), now);
    await outbox.recordOutcomes(
      lease,
      open.map((one) => ({ edit: one, kind: 'refused', reason: 'item_refused' })),
      now,
    );

    const again = await run('retry', receipt?.edit_id ?? '');
    const discarded = await run('discard', receipt?.edit_id ?? '');

    assert.equal(again.code, 1);
    assert.match(
      again.printed,
      /^the proxy answers with status 503: Too much waits already, or the disk is nearly full\./,
    );
    assert.equal(discarded.code, 0);
    assert.equal((await outbox.count()).accepted, 1);
  });

  it('decides about every edit if the reader of its output has closed the pipe', async (t) => {
    const { outbox, socket } = await operateFile(t);
    const known = await accept(outbox, edit('kayak'), edit('canoe'));
    const ids = known.map(({ edit_id }) => edit_id);
    const environment = { DATABASE_URL: `file:${socket.replace(/\.sock$/, '')}` };
    const command = new Command(t, ['edits', 'discard', ...ids], { environment });

    command.stopReading();
    const code = await command.exitCode();

    assert.deepEqual([code, command.stderr], [0, '']);
    assert.equal((await outbox.count()).discarded, 2);
  });

  it('requests no further page if the reader of its output has closed the pipe', async (t) => {
    const outbox = openMemoryOutbox();
    await accept(outbox, ...Array.from({ length: 900 }, (_, at) => edit(`boat-${at}`)));
    const database = join(scratchFolder(), 'inventory.sqlite');
    const operator = operatorOf(outbox);
    const asked: string[] = [];
    const counted = (request: Request): Promise<Response> => {
      asked.push(new URL(request.url).search);
      return operator(request);
    };
    t.after(await serveOperator(counted, `${database}.sock`, noLog));
    const command = new Command(t, ['edits', 'list'], { environment: { DATABASE_URL: `file:${database}` } });

    command.stopReading();
    const code = await command.exitCode();

    assert.deepEqual([code, command.stderr], [0, '']);
    assert.deepEqual(asked, ['?after=0']);
  });

  it('decides about every edit if its output cannot be written, prints one line and exits with 1', async (t) => {
    const { outbox, socket } = await operateFile(t);
    const known = await accept(outbox, edit('kayak'), edit('canoe'));
    const ids = known.map(({ edit_id }) => edit_id);
    const environment = { DATABASE_URL: `file:${socket.replace(/\.sock$/, '')}` };
    const full = openSync('/dev/full', 'w');
    t.after(() => {
      closeSync(full);
    });

    const command = new Command(t, ['edits', 'discard', ...ids], { environment, stdout: full });
    const code = await command.exitCode();

    assert.equal(code, 1);
    assert.match(command.stderr, /^not all of the output could be written: ENOSPC.*\n$/);
    assert.equal((await outbox.count()).discarded, 2);
  });

  it('uses the number of a user without a name', async (t) => {
    const { outbox, socket } = await operateFile(t);
    const [receipt] = await accept(outbox, edit('kayak'));
    const command = new Command(t, ['edits', 'discard', receipt?.edit_id ?? ''], {
      environment: { DATABASE_URL: `file:${socket.replace(/\.sock$/, '')}` },
      node: ['--import', WITHOUT_USER_NAME],
    });

    assert.equal(await command.exitCode(), 0, command.stderr);
    const [entry] = await outbox.history('boat-tours', { limit: 1 });
    assert.equal(entry?.decided_by, `operator uid ${process.getuid?.()}`);
  });

  for (const args of [
    [],
    ['retry'],
    ['list', 'x'],
    ['burn', 'x'],
    ['list', '--all'],
    ['list', '--vendor', 'pottery'],
    ['discard', 'x', '--json'],
  ]) {
    it(`exits with 64 for the arguments: ${args.join(' ') || 'nothing'}`, async () => {
      const { code, stderr } = await runCommand(['edits', ...args]);

      assert.equal(code, 64);
      assert.notEqual(stderr, '');
    });
  }
});

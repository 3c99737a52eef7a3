import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { diskRoomOf } from '../../../../src/proxy/node/database/disk-space.js';
import { openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { openProxy } from '../../../support/open-proxy.js';
import { embedToken } from '../../../support/page-request.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

describe('the room on the disk of a file', () => {
  it('is that of the disk on which it lies', async () => {
    const file = join(scratchFolder(), 'inventory.sqlite');
    writeFileSync(file, '');

    assert.equal(await diskRoomOf(file)(), true);
  });

  it('is not that of the disk of a link to it', async () => {
    const link = join(scratchFolder(), 'inventory.sqlite');
    // A file on a disk that never has room.
    symlinkSync('/proc/version', link);

    assert.equal(await diskRoomOf(link)(), false);
  });
});

describe('a proxy whose file is taken from it while it runs', () => {
  const ways: readonly [what: string, take: (file: string) => void, says: RegExp][] = [
    ['is deleted with its log', (file) => [file, `${file}-wal`].forEach((name) => rmSync(name)), /\.sqlite is gone,/],
    ['has lost its log', (file) => rmSync(`${file}-wal`), /\.sqlite-wal is gone, or another file,/],
    ['gives way to a backup', (file) => putBack(file), /\.sqlite is gone, or another file,/],
    ['has the log of another', (file) => putBack(`${file}-wal`), /\.sqlite-wal is gone, or another file,/],
  ];
  for (const [what, take, says] of ways) {
    it(`takes nothing more in where it ${what}, which a restart would lose, and says why`, async (t) => {
      const { file, post, fixture } = await openOverFile(t);
      take(file);
      fixture.clock.jump(1000);

      await expectProblem(await post('sauna'), 'storage_unavailable');

      assert.equal((await fixture.outbox.count()).accepted, 1);
      const said = fixture.log.map(({ error }) => error).join();
      assert.match(said, says);
      assert.match(said, /let it deliver/);
    });
  }

  it('calls it the storage where it may not look, and goes on once it may', async (t) => {
    const { file, post, fixture } = await openOverFile(t);
    const away = `${dirname(file)}-away`;
    renameSync(dirname(file), away);
    // Where a folder was.
    writeFileSync(dirname(file), '');
    fixture.clock.jump(1000);

    await expectProblem(await post('sauna'), 'storage_unavailable');

    assert.match(
      fixture.log.map(({ error }) => error).join(),
      /cannot be reached any more \(ENOTDIR\); .+ Check the owner/,
    );
    rmSync(dirname(file));
    renameSync(away, dirname(file));
    assert.equal((await post('sauna')).status, 202);
  });
});

async function openOverFile(t: TestContext) {
  const folder = join(scratchFolder(), 'data');
  mkdirSync(folder);
  const file = join(folder, 'inventory.sqlite');
  const fixture = openProxy(t, { outbox: openSqliteOutbox(file), hasDiskSpace: diskRoomOf(file) });
  const token = await embedToken();
  const post = (id: string): Promise<Response> => {
    const body = { inventory: [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };
    return fixture.ask('POST', '/v1/inventory', { token, body });
  };
  assert.equal((await post('kayak')).status, 202);
  return { file, post, fixture };
}

/** The same bytes under the same name, in another file. */
function putBack(file: string): void {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}

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

describe('the check of free disk space', () => {
  it('is made on the disk of the file', async () => {
    const file = join(scratchFolder(), 'inventory.sqlite');
    writeFileSync(file, '');

    assert.equal(await diskRoomOf(file)(), true);
  });

  it('is made on the disk of the target of a symbolic link', async () => {
    const link = join(scratchFolder(), 'inventory.sqlite');
    // A file on a file system without free space.
    symlinkSync('/proc/version', link);

    assert.equal(await diskRoomOf(link)(), false);
  });
});

describe('a proxy whose database file is replaced while it runs', () => {
  const ways: readonly [what: string, take: (file: string) => void, says: RegExp][] = [
    ['is deleted with its log', (file) => [file, `${file}-wal`].forEach((name) => rmSync(name)), /\.sqlite is gone,/],
    ['has lost its log', (file) => rmSync(`${file}-wal`), /\.sqlite-wal is gone, or another file,/],
    ['is replaced by a backup', (file) => putBack(file), /\.sqlite is gone, or another file,/],
    ['has the log of another', (file) => putBack(`${file}-wal`), /\.sqlite-wal is gone, or another file,/],
  ];
  for (const [what, take, says] of ways) {
    it(`accepts no edit if the file ${what}, and logs why`, async (t) => {
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

  it('fails while the folder cannot be read, and accepts edits again after that', async (t) => {
    const { file, post, fixture } = await openOverFile(t);
    const away = `${dirname(file)}-away`;
    renameSync(dirname(file), away);
    // A file takes the place of the folder.
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

/** Replaces a file by a copy with the same name and content. */
function putBack(file: string): void {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}

import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasDiskRoom } from '../../../src/proxy/node/disk-room.js';
import { openSqliteOutbox } from '../../../src/proxy/node/outbox-sqlite.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';

describe('the room on the disk of a file', () => {
  it('is that of the disk on which it lies', async () => {
    const file = join(scratchFolder(), 'inventory.sqlite');
    writeFileSync(file, '');

    assert.equal(await hasDiskRoom(file), true);
  });

  it('is not that of the disk of a link to it', async () => {
    const link = join(scratchFolder(), 'inventory.sqlite');
    // A file on a disk that never has room.
    symlinkSync('/proc/version', link);

    assert.equal(await hasDiskRoom(link), false);
  });
});

describe('a proxy whose file is gone while it runs', () => {
  it('takes nothing more in, which a restart would lose, and says why', async (t) => {
    const file = join(scratchFolder(), 'inventory.sqlite');
    const stand = openProxy(t, { outbox: openSqliteOutbox(file), hasRoom: () => hasDiskRoom(file) });
    const token = await embedToken();
    const post = (id: string): Promise<Response> => {
      const body = { inventory: [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };
      return stand.ask('POST', '/v1/inventory', { token, body });
    };
    assert.equal((await post('kayak')).status, 202);
    for (const name of [file, `${file}-wal`]) rmSync(name);
    stand.clock.jump(1000);

    await expectProblem(await post('sauna'), 'storage_unavailable');

    assert.equal((await stand.outbox.count()).accepted, 1);
    assert.match(stand.log.map(({ error }) => error).join(), /inventory\.sqlite is gone .+; let it deliver/);
  });
});

import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hasDiskRoom } from '../../../src/proxy/node/disk-room.js';
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, descriptorOf, lastNumberOf, pathOf, readTrace } from './trace.js';
import { writtenTrace } from './written-trace.js';

describe('the trace of system calls', () => {
  it('has name, file, content, offset and result of a call', () => {
    const [call] = readTrace(writtenTrace('7 pwrite64(22</data/a.sqlite-wal>, «a > b», 5, 4152) = 5'));

    assert.ok(call);
    assert.equal(call.name, 'pwrite64');
    assert.deepEqual(descriptorOf(call), { path: '/data/a.sqlite-wal', isDeleted: false });
    assert.equal(bytesOf(call).toString(), 'a > b');
    assert.equal(lastNumberOf(call), 4152);
    assert.equal(call.result, 5);
  });

  it('joins the two halves of a call that another thread interrupted', () => {
    const calls = readTrace(
      writtenTrace(
        '7 fsync(22</data/a.sqlite-wal> <unfinished ...>',
        '8 write(1</dev/null>, «log», 3) = 3',
        '7 <... fsync resumed>) = 0',
        '8 read(9<socket:[1]>,  <unfinished ...>',
        '8 <... read resumed>«hello», 65536) = 5',
      ),
    );

    assert.deepEqual(
      calls.map(({ name, began, ended }) => [name, began, ended]),
      [
        ['fsync', 1, 3],
        ['write', 2, 2],
        ['read', 4, 5],
      ],
    );
    assert.equal(bytesOf(calls[2]!).toString(), 'hello');
  });

  it('distinguishes a failed call, an injected fault, and a call that a kill interrupted', () => {
    const calls = readTrace(
      writtenTrace(
        '7 pwrite64(22</data/a.sqlite>, «x», 1, 0) = -1 ENOSPC (No space left on device) (INJECTED)',
        '7 unlink(«/data/a») = -1 ENOENT (No such file or directory)',
        '8 write(19<anon_inode:[eventfd]>, «z», 1) = -1 (errno 18446744073709551596)',
        '7 fsync(22</data/a.sqlite> <unfinished ...>',
        '8 write(9<socket:[1]>, «y», 1) = ? <unavailable>',
        '7 +++ killed by SIGKILL +++',
      ),
    );

    assert.deepEqual(
      calls.map(({ result, error, isInjected }) => [result, error, isInjected]),
      [
        [-1, 'ENOSPC', true],
        [-1, 'ENOENT', false],
        [-1, 'errno 18446744073709551596', false],
        [undefined, undefined, false],
        [undefined, undefined, false],
      ],
    );
    assert.equal(pathOf(calls[1]!), '/data/a');
    assert.equal(calls[3]?.ended, Infinity);
  });

  it('ignores a call whose entry is missing', () => {
    const calls = readTrace(
      writtenTrace(
        '7 fsync(3</data/a.sqlite>) = 0',
        '8 <... ??? resumed>)                = ?',
        '8 +++ killed by SIGKILL +++',
        '9 ???()                              = ?',
        '9 +++ killed by SIGKILL +++',
        '10 ???( <unfinished ...>',
        '10 +++ killed by SIGKILL +++',
      ),
    );

    assert.deepEqual(
      calls.map(({ name }) => name),
      ['fsync'],
    );
  });

  it('rejects a truncated string, and a line that is no call', () => {
    const [call] = readTrace(Buffer.from('7 write(3<\\x61>, "\\x61\\x62"..., 900) = 900\n'));

    assert.ok(call);
    assert.throws(() => bytesOf(call), /longer -s/);
    assert.throws(() => readTrace(Buffer.from('7 what is this\n')), /line 1 is no call/);
  });
});

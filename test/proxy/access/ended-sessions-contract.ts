import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RevocationList } from '../../../src/proxy/access/ended-sessions.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;

export interface OpenedEndings {
  readonly sessions: RevocationList;
  close(): Promise<void>;
}

/** What every memory of sign-outs has to keep. */
export function describeEndedSessions(name: string, open: (clock: VirtualClock) => Promise<OpenedEndings>): void {
  const test = (title: string, body: (sessions: RevocationList, clock: VirtualClock) => Promise<void>): void => {
    it(title, async () => {
      const clock = new VirtualClock();
      const opened = await open(clock);
      try {
        await body(opened.sessions, clock);
      } finally {
        await opened.close();
      }
    });
  };

  describe(`${name}: revoked tokens`, () => {
    test('are matched by their exact id', async (sessions, clock) => {
      await sessions.add('token-1', clock.wall() + 60 * SECOND);

      assert.deepEqual(
        ['token-1', 'token-2', 'TOKEN-1', ''].map((id) => sessions.has(id)),
        [true, false, false, false],
      );
    });

    test('are revoked as soon as the call is made, before it is stored', async (sessions, clock) => {
      const said = sessions.add('token-1', clock.wall() + 60 * SECOND);
      const atOnce = sessions.has('token-1');

      await said;

      assert.equal(atOnce, true);
    });

    test('may be added repeatedly', async (sessions, clock) => {
      const until = clock.wall() + 60 * SECOND;

      await Promise.all([sessions.add('token-1', until), sessions.add('token-1', until)]);
      await sessions.add('token-1', until);

      assert.equal(sessions.has('token-1'), true);
    });

    test('may have any characters in their ids', async (sessions, clock) => {
      const ids = ['a', 'a ', 'a\0', '\0', "'", '\ud83d', '\u00e4', 'x'.repeat(200)];

      for (const id of ids) await sessions.add(id, clock.wall() + 60 * SECOND);

      assert.deepEqual(
        ids.map((id) => sessions.has(id)),
        ids.map(() => true),
      );
      assert.equal(sessions.has('x'.repeat(199)), false);
    });

    test('stay revoked if the wall clock is set forward and back while another token is added', async (sessions, clock) => {
      await sessions.add('token-1', clock.wall() + 60 * SECOND);

      clock.setWallBy(3600 * SECOND);
      await sessions.add('token-2', clock.wall() + 60 * SECOND);
      clock.setWallBy(-3600 * SECOND);

      assert.equal(sessions.has('token-1'), true);
    });

    test('stay revoked if the wall clock was ahead when the proxy started', async (sessions, clock) => {
      clock.setWallBy(-3600 * SECOND);
      await sessions.add('token-1', clock.wall() + 60 * SECOND);
      await sessions.add('token-2', clock.wall() + 60 * SECOND);

      assert.deepEqual([sessions.has('token-1'), sessions.has('token-2')], [true, true]);
    });

    test('are kept until their expiry, and deleted after it', async (sessions, clock) => {
      await sessions.add('token-1', clock.wall() + 60 * SECOND);
      clock.jump(59 * SECOND);
      await sessions.add('token-2', clock.wall() + 60 * SECOND);
      const inTime = sessions.has('token-1');

      clock.jump(2 * SECOND);
      await sessions.add('token-3', clock.wall() + 60 * SECOND);

      assert.deepEqual([inTime, sessions.has('token-1'), sessions.has('token-2')], [true, false, true]);
    });
  });
}

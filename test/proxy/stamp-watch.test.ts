import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { portalProfile } from '../../src/proxy/profile.js';
import { openProxy } from '../support/open-proxy.js';
import { embedToken } from '../support/page-request.js';

const HOUR = 60 * 60_000;

/** A proxy whose clock was an hour fast when the kayak was stamped, and has been set right since. */
async function afterAFastClock(t: TestContext, toleranceMs?: number) {
  const stamps = toleranceMs === undefined ? {} : { tolerance_ms: toleranceMs };
  const opened = openProxy(t, { profile: portalProfile.parse({ stamps }) });
  const edit = async (id: string, available: boolean) => {
    const inventory = [{ id, available, updated_at: '2026-11-21T08:30:00.000Z' }];
    const answer = await opened.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
    assert.equal(answer.status, 202);
  };
  const token = await embedToken();
  opened.clock.setWallBy(HOUR / 12);
  const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
  await opened.ask('POST', '/v1/inventory', { token, body: { inventory } });
  opened.clock.setWallBy(-HOUR / 12);
  const warnings = () => opened.log.filter(({ event }) => event === 'a stamp is ahead of the portal');
  return { edit, warnings };
}

describe('a stamp that has to be ahead of the portal’s clock', () => {
  it('by more than the profile tolerates is told to the operator, once for each item', async (t) => {
    const { edit, warnings } = await afterAFastClock(t, 60_000);

    await edit('kayak', false);
    await edit('kayak', true);
    await edit('sauna', true);

    const [warning, ...more] = warnings();
    assert.deepEqual([warning?.vendor, warning?.item, warning?.items], ['boat-tours', 'kayak', 1]);
    assert.equal(warning?.milliseconds, HOUR / 12 + 1);
    assert.deepEqual(more, []);
  });

  it('by less is nobody’s trouble', async (t) => {
    const { edit, warnings } = await afterAFastClock(t, HOUR / 12 + 1);

    await edit('kayak', false);

    assert.deepEqual(warnings(), []);
  });
});

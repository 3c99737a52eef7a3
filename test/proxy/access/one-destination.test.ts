import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isItemId } from '../../../src/domain/item.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { goodClaims, signed } from '../../support/forged-tokens.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { UnreliablePortal } from '../../support/unreliable-portal.js';

/** T8 of the threats: the proxy is made to call somebody else, or to bring its token there. */

/** The same texts each time: what fails once fails again. */
const SEED = 20_261_121;

const ADDRESSES = [
  'https://evil.example.com/',
  '//evil.example.com',
  '\\\\evil.example.com\\x',
  '@evil.example.com',
  ':80#@evil.example.com/',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  '../../../admin',
  '..%2f..%2fadmin',
  '?x=1#y',
  '%0d%0aHost: evil.example.com',
  '{vendor}',
  '$&$1$`',
];

const anyText = fc
  .array(fc.oneof(fc.constantFrom(...ADDRESSES), fc.string({ unit: 'binary', maxLength: 12 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => [...parts.join('')].slice(0, 200).join(''));

const headerText = fc.oneof(fc.constantFrom(...ADDRESSES), fc.stringMatching(/^[\x21-\x2b\x2d-\x7e]{1,60}$/));

const HEADERS = [
  'X-Forwarded-Host',
  'X-Forwarded-For',
  'Forwarded',
  'X-Original-URL',
  'Referer',
  'Host',
  'Location',
  'Via',
];

interface Call {
  readonly url: string;
  readonly redirect: RequestRedirect | undefined;
  readonly headers: string;
}

function record(portal: UnreliablePortal): { readonly calls: Call[]; readonly fetch: typeof fetch } {
  const calls: Call[] = [];
  return {
    calls,
    fetch: (input, init) => {
      const { url, headers } = new Request(input, init);
      calls.push({ url, redirect: init?.redirect, headers: [...headers.keys()].sort().join(' ') });
      return portal.fetch(input, init);
    },
  };
}

describe('the calls of the proxy', () => {
  it('go to two addresses of the portal only, for ten thousand ids and any headers of a page', async (t) => {
    const clock = new VirtualClock(Date.now());
    const portal = new UnreliablePortal(clock);
    const { calls, fetch } = record(portal);
    const { ask, proxy, outbox } = openProxy(t, { clock, portal: portal.account, fetch });
    const ids = [...new Set(fc.sample(anyText.filter(isItemId), { numRuns: 14_000, seed: SEED }))].slice(0, 10_000);
    const values = fc.sample(headerText, { numRuns: 8 * 20, seed: SEED });
    const token = await embedToken({ permissions: ['edit', 'bulk'] });
    proxy.start();

    for (let at = 0; at < ids.length; at += 500) {
      const inventory = ids
        .slice(at, at + 500)
        .map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }));
      const headers = Object.fromEntries(HEADERS.map((name, index) => [name, values[(at / 500) * 8 + index]]));
      const answer = await ask('POST', '/v1/inventory', { token, body: { inventory }, headers });
      assert.equal(answer.status, 202, await answer.text());
    }
    await clock.pass(120_000);

    assert.equal(ids.length, 10_000);
    assert.equal((await outbox.count()).delivered, 10_000);
    const json = 'accept content-type';
    assert.deepEqual(
      new Set(calls.map(({ url, redirect, headers }) => `${url} ${String(redirect)} ${headers}`)),
      new Set([
        `https://portal.test/v1/oauth/token manual ${json}`,
        `https://portal.test/v1/inventory manual accept authorization content-type`,
      ]),
    );
  });

  it('keep the name of a vendor in one segment of the path, whatever it is', async (t) => {
    const clock = new VirtualClock(Date.now());
    const portal = new UnreliablePortal(clock);
    const { calls, fetch } = record(portal);
    const profile = portalProfile.parse({
      update: { path: '/v1/vendors/{vendor}/inventory' },
      limits: { calls_per_second: 100 },
    });
    const { ask, proxy } = openProxy(t, { clock, portal: portal.account, fetch, profile });
    proxy.start();
    let taken = 0;
    const refused: string[] = [];

    for (const vendor of ['.', '..', ...new Set(fc.sample(anyText, { numRuns: 200, seed: SEED }))]) {
      const token = await signed({ ...goodClaims(Math.floor(clock.wall() / 1000)), vendor, jti: `token-${taken}` });
      const inventory = [
        { id: `kayak of ${String((taken += 1))}`, available: true, updated_at: '2026-11-21T08:30:00.000Z' },
      ];
      const answer = await ask('POST', '/v1/inventory', { token, body: { inventory } });
      assert.ok([202, 401].includes(answer.status), String(answer.status));
      if (answer.status === 401) refused.push(vendor);
    }
    await clock.pass(60_000);

    const updates = calls.filter(({ url }) => !url.endsWith('/v1/oauth/token'));
    assert.ok(updates.length >= taken - refused.length, `${updates.length} ${taken} ${refused.length}`);
    assert.ok(updates.length > 50);
    for (const { url } of updates) {
      assert.match(url, /^https:\/\/portal\.test\/v1\/vendors\/[^/?#]+\/inventory$/);
    }
    assert.deepEqual(refused.slice(0, 2), ['.', '..']);
  });
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { check, type CheckRequest } from '../../../../src/proxy/node/cli/check/check-command.js';
import { listen } from '../../../../src/proxy/node/server/http-server.js';
import { createSandboxPortal } from '../../../../src/sandbox/sandbox-portal.js';
import { minimalSettings, settingFile } from '../../../support/minimal-settings.js';
import { runCommand } from '../../../support/run-command.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

interface Portal {
  readonly url: string;
  items(): Promise<string>;
}

/** The sandbox portal at a socket, in this variant. */
async function portalWith(t: TestContext, habits: object): Promise<Portal> {
  const sandbox = createSandboxPortal({ clientId: 'guest-house', clientSecret: 'portal-secret' });
  const server = await listen((request) => sandbox.fetch(request), { host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  const url = `http://127.0.0.1:${String(server.port)}`;
  const answer = await fetch(`${url}/sandbox/habits`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(habits),
  });
  assert.ok(answer.ok, await answer.text());
  return { url, items: async () => (await fetch(`${url}/sandbox/items`)).text() };
}

/** Runs `check` in this process, because forty processes would take minutes. */
async function run(portal: Portal, words: Partial<CheckRequest>, profile?: string) {
  const settings = { ...minimalSettings(), PORTAL_BASE_URL: portal.url, ...(profile && { PORTAL_PROFILE: profile }) };
  const lines: string[] = [];
  const request = { ...SEND, available: true, canPut: false, isVerbose: false, ...words };
  const isWell = await check(settings, { ...request, writeLine: (line) => void lines.push(line) });
  return { isWell, said: lines.join('\n') };
}

/** Every variant of the sandbox, the profile that fits it, and the setting that the hint names. */
const HABITS: readonly (readonly [habits: object, learned: object, hint: RegExp | undefined])[] = [
  [{}, {}, undefined],
  [{ token_body: 'form' }, { token: { body: 'form' } }, /token\.body/],
  [
    { token_fields: { scope: 'inventory' } },
    { token: { extra_fields: { scope: 'inventory' } } },
    /token\.extra_fields/,
  ],
  [{ tells_lifetime: false }, {}, undefined],
  [{ token_lifetime: 5 }, {}, undefined],
  [
    { token_header: 'X-Access-Token', token_prefix: '' },
    { authorization: { header: 'X-Access-Token', prefix: '' } },
    /authorization\.header/,
  ],
  [
    { token_prefix: 'Token ' },
    { authorization: { header: 'Authorization', prefix: 'Token ' } },
    /authorization\.prefix/,
  ],
  [
    { token_header: 'X-Api-Key', token_prefix: '', bad_token_status: 403 },
    { authorization: { header: 'X-Api-Key', prefix: '' } },
    /authorization\.header/,
  ],
  [{ update_method: 'PATCH' }, { update: { method: 'PATCH' } }, /update\.method/],
  [
    { update_path: '/v1/vendors/{vendor}/inventory' },
    { update: { path: '/v1/vendors/{vendor}/inventory' } },
    /update\.path/,
  ],
  [{ update_headers: { 'X-Version': '1' } }, { update: { headers: { 'X-Version': '1' } } }, /update\.headers/],
  [{ idempotency_header: 'Idempotency-Key' }, { idempotency: { header: 'Idempotency-Key' } }, /idempotency\.header/],
  [{ stamps: 'milliseconds' }, {}, undefined],
  [{ stamps: 'seconds' }, { stamps: { precision: 'seconds' } }, /stamps\.precision/],
  [{ stamps: 'seconds', refused_status: 404 }, { stamps: { precision: 'seconds' } }, /stamps\.precision/],
  [{ most_items: 1, most_bytes: 1024 }, {}, undefined],
  [{ calls_per_second: 0.5, calls_in_flight: 1 }, {}, undefined],
  [{ taken_status: 201 }, {}, undefined],
  [{ taken_status: 204 }, {}, undefined],
  [{ results: 'each' }, {}, undefined],
  [{ errors: 'error_message', stamps: 'seconds' }, { stamps: { precision: 'seconds' } }, /stamps\.precision/],
  [{ errors: 'in_success' }, { success: { status: '/success' } }, undefined],
  [
    { errors: 'in_success', idempotency_header: 'Idempotency-Key' },
    { success: { status: '/success' }, idempotency: { header: 'Idempotency-Key' } },
    undefined,
  ],
];

const SEND = { send: 'kayak', vendor: 'boats' };

describe('vendor-inventory check --learn', { concurrency: 8 }, () => {
  for (const [habits, learned, hint] of HABITS) {
    it(`writes a profile that delivers to a portal with ${JSON.stringify(habits)}`, async (t) => {
      const portal = await portalWith(t, habits);
      const file = join(scratchFolder(), 'profile.json');
      const before = hint === undefined ? undefined : await run(portal, {});

      const found = await run(portal, { learn: file });

      assert.ok(found.isWell, found.said);
      assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), learned);
      const proven = await run(portal, {}, file);
      assert.ok(proven.isWell, proven.said);
      assert.match(proven.said, /^Verdict: ready\. The portal has taken an update\./);
      assert.match(await portal.items(), /"kayak"/);
      if (before === undefined || hint === undefined) return;
      assert.ok(!before.isWell, before.said);
      assert.match(before.said, hint);
    });
  }

  it('tries PUT only with --put', async (t) => {
    const portal = await portalWith(t, { update_method: 'PUT' });
    const file = join(scratchFolder(), 'profile.json');

    const without = await run(portal, { learn: file });
    const untouched = existsSync(file);
    const told = await run(portal, { learn: file, canPut: true });

    assert.ok(!without.isWell);
    assert.match(without.said, /takes PUT, which may replace a whole inventory.*add --put/);
    assert.equal(untouched, false);
    assert.ok(told.isWell, told.said);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { update: { method: 'PUT' } });
  });

  it('keeps the settings of the present profile, and overwrites no file', async (t) => {
    const portal = await portalWith(t, { stamps: 'seconds' });
    const given = settingFile('{"limits":{"items":7},"update":{"headers":{"X-Own":"1"}}}');

    const refused = await run(portal, { learn: given }, given);
    const file = join(scratchFolder(), 'profile.json');
    const found = await run(portal, { learn: file }, given);

    assert.ok(!refused.isWell);
    assert.match(refused.said, /not written: .*--learn takes a new file/);
    assert.ok(found.isWell, found.said);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
      limits: { items: 7 },
      update: { headers: { 'X-Own': '1' } },
      stamps: { precision: 'seconds' },
    });
  });

  it('prints how far it got and the message of the portal if no profile delivers', async (t) => {
    const portal = await portalWith(t, { update_headers: { 'X-Version': 'of our own' } });
    const file = join(scratchFolder(), 'profile.json');

    const { isWell, said } = await run(portal, { learn: file });

    assert.ok(!isWell);
    assert.match(
      said,
      /^Profile: none found that delivers, after \d+ attempts\. It came as far as the head of an update/m,
    );
    assert.match(said, /^ {2}The portal says: .*Send the header X-Version/m);
    assert.equal(existsSync(file), false);
  });

  it('requires --send with an item', async (t) => {
    const portal = await portalWith(t, { token_body: 'form' });
    const file = join(scratchFolder(), 'profile.json');
    const settings = { ...minimalSettings(), PORTAL_BASE_URL: portal.url };

    const unnamed = await runCommand(['check', '--learn', file], settings);
    const named = await runCommand(['check', '--learn', file, '--send', 'kayak'], settings);

    assert.equal(unnamed.code, 64);
    assert.match(unnamed.stderr, /check takes: \[--send ID .*\[--learn FILE/);
    assert.equal(named.code, 0, named.printed);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { token: { body: 'form' } });
  });
});

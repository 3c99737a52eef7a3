import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Environment } from '../../../src/proxy/node/settings.js';
import { minimalSettings } from '../../support/minimal-settings.js';
import { body, servePortal, status, type Answer, type PortalServer } from '../../support/portal-server.js';
import { Command } from '../../support/run-command.js';

const GRANT = body('{"access_token":"canary-token","token_type":"Bearer"}', 'application/json');

interface Checked {
  readonly portal: PortalServer;
  readonly code: number | null;
  readonly said: string;
}

async function check(t: TestContext, words: readonly string[], ...answers: readonly Answer[]): Promise<Checked> {
  return checkWith(t, {}, words, ...answers);
}

async function checkWith(
  t: TestContext,
  changes: Environment,
  words: readonly string[],
  ...answers: readonly Answer[]
): Promise<Checked> {
  const portal = await servePortal(t, ...answers);
  const settings = { ...minimalSettings(), PORTAL_BASE_URL: portal.url, ...changes };
  const environment = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  const command = new Command(t, ['check', ...words], { environment });
  const code = await command.exitCode();
  return { portal, code, said: command.stdout + command.stderr };
}

describe('vendor-inventory check', { concurrency: 4 }, () => {
  it('tells what is documented and what assumed, gets a token, and sends no update unasked', async (t) => {
    const { portal, code, said } = await check(t, [], GRANT);

    assert.equal(code, 0);
    assert.match(said, /documented +token request/);
    assert.match(said, /assumed +update\.method +"POST"/);
    assert.match(said, /Token with the first secret: granted\./);
    assert.match(said, /script-src http:\/\/localhost:8080; connect-src 'self' http:\/\/localhost:8080/);
    assert.equal(portal.seen.length, 1);
    assert.doesNotMatch(said, /canary|portal-secret/);
  });

  it('proves an update of the item that it is told', async (t) => {
    const { portal, code, said } = await check(t, ['--send', 'kayak', '--unavailable'], GRANT, GRANT, status(200));

    assert.equal(code, 0);
    assert.match(said, /Update of "kayak" to not available: delivered\./);
    const sent = JSON.parse(portal.seen.at(-1)?.body ?? '') as { inventory: { id: string; available: boolean }[] };
    assert.deepEqual(
      sent.inventory.map(({ id, available }) => [id, available]),
      [['kayak', false]],
    );
  });

  const troubles: readonly (readonly [what: string, answers: readonly Answer[], says: RegExp])[] = [
    ['the credentials are refused', [status(401)], /Token with the first secret: refused .* Check PORTAL_CLIENT_ID/],
    [
      'the portal is no portal',
      [body('<h1>', 'text/html')],
      /Token with the first secret: failed .* Check PORTAL_BASE_URL/,
    ],
    [
      'the token is not taken',
      [GRANT, GRANT, status(401), GRANT, status(401)],
      /not accepted\. Check authorization\.header/,
    ],
    ['the item is refused', [GRANT, GRANT, status(422)], /refused \(422\)\. Check the id, then update\.method/],
    ['the path is wrong', [GRANT, GRANT, status(302)], /Check update\.path/],
  ];
  for (const [what, answers, says] of troubles) {
    it(`says what to change where ${what}, and ends with 1`, async (t) => {
      const { code, said } = await check(t, ['--send', 'kayak'], ...answers);

      assert.equal(code, 1);
      assert.match(said, says);
    });
  }

  it('says how far the portal’s clock is from ours', async (t) => {
    const ahead: Answer = (response) => {
      response.sendDate = false;
      response.setHeader('Date', new Date(Date.now() + 3_600_000).toUTCString());
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"x"}');
    };

    const { said } = await check(t, [], ahead);

    assert.match(said, /Clock: the portal is 3(?:599|600)\.\d s ahead of this machine/);
  });

  it('reads the list of items and says how many are in it', async (t) => {
    const items = await servePortal(t, body('[{"id":"kayak"},{"id":"sauna"}]', 'application/json'));

    const { code, said } = await checkWith(t, { ITEMS_SOURCE: items.url }, [], GRANT);

    assert.equal(code, 0);
    assert.match(said, /Items: 2 in the list\./);
  });

  it('says what is wrong with the list of items, and ends with 1', async (t) => {
    const items = await servePortal(t, body('<h1>', 'text/html'));

    const { code, said } = await checkWith(t, { ITEMS_SOURCE: items.url }, [], GRANT);

    assert.equal(code, 1);
    assert.match(said, /Items: no list \(the list is not JSON\)\. Check ITEMS_SOURCE/);
  });

  it('ends with 64 where it is asked for what it does not know', async (t) => {
    const { code, said } = await check(t, ['--nonsense'], GRANT);

    assert.equal(code, 64);
    assert.match(said, /--nonsense/);
  });
});

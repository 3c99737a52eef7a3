import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import { systemClock } from '../../../src/proxy/runtime/clock.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { type Answer, body, servePortal } from '../../support/portal-server.js';

const SECRET = 'canary-of-the-secret';
const TOKEN = 'canary-of-the-token';
const WORDS = `canary ${SECRET} ${TOKEN} <img src=x onerror=pwned=1>`;
const JSON_TYPE = 'application/json';

const grant = body(JSON.stringify({ access_token: TOKEN, token_type: 'Bearer' }), JSON_TYPE);
const saying =
  (status: number, said: object | string, type = JSON_TYPE): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': type, Server: WORDS, 'X-Canary': WORDS, 'Set-Cookie': `canary=${TOKEN}` })
      .end(typeof said === 'string' ? said : JSON.stringify(said));

const ITEM = { id: 'kayak', status: WORDS, code: WORDS, message: WORDS };

/** What a page can read of hostile responses. Their effects on delivery are tested by the fault campaign. */
const ANSWERS: readonly (readonly [what: string, state: string, answers: readonly Answer[]])[] = [
  ['refuses in its own words', 'refused', [grant, saying(422, { error: WORDS, errorMessage: WORDS })]],
  ['refuses by a problem', 'refused', [grant, saying(400, { type: WORDS, title: WORDS, detail: WORDS, code: WORDS })]],
  ['refuses one item in its own words', 'refused', [grant, saying(200, { results: [ITEM] })]],
  ['fails with a page', 'received', [grant, saying(500, `<h1>${WORDS}</h1>`, 'text/html')]],
  ['gives a page for an answer', 'received', [grant, saying(200, WORDS, 'text/html')]],
  ['does not like the token, and repeats it', 'received', [grant, saying(401, { error: WORDS })]],
  ['does not like the secret, and repeats it', 'received', [saying(401, { error: WORDS, error_description: WORDS })]],
  ['redirects to an address that has it all', 'received', [grant, saying(302, WORDS)]],
];

describe('no text of the portal reaches a page if the portal', { concurrency: ANSWERS.length }, () => {
  for (const [what, state, answers] of ANSWERS) {
    it(what, async (t) => {
      // A 2xx first: before any success, a rejection is not taken to be about the item.
      const portal = await servePortal(
        t,
        ...(answers[0] === grant ? [grant, saying(200, {})] : []),
        ...answers.slice(answers[0] === grant ? 1 : 0),
      );
      const account = {
        baseUrl: portal.url,
        credentials: [{ clientId: 'guest-house', clientSecret: new Secret(SECRET) }],
      };
      const { ask, proxy } = openProxy(t, { portal: account, fetch, clock: systemClock });
      const token = await embedToken({ permissions: ['view', 'edit', 'history', 'resolve'], items: ['boat', 'kayak'] });
      const post = (id: string): Promise<Response> => {
        const edit = { id, available: true, updated_at: '2026-11-21T08:30:00.000Z', edit_id: `edit-${id}` };
        return ask('POST', '/v1/inventory', { token, body: { inventory: [edit] }, headers: { Prefer: 'wait=2' } });
      };
      proxy.start();
      await post('boat');

      const waited = await (await post('kayak')).text();
      const read = await Promise.all(
        ['/v1/receipts?ids=edit-kayak', '/v1/inventory', '/v1/history'].map(async (path) => {
          const answer = await ask('GET', path, { token });
          return JSON.stringify([...answer.headers]) + (await answer.text());
        }),
      );

      assert.ok(portal.seen.length >= answers.length);
      assert.equal(receipts.parse(JSON.parse(waited)).receipts[0]?.state, state);
      assert.doesNotMatch([waited, ...read].join('\n'), /canary|onerror/i);
    });
  }
});

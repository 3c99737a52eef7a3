import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { decodeJwt } from 'jose';
import { session } from '../../../src/contract/widget.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken, SESSION_SECRET } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { addressOf } from '../../support/serve.js';

const guide = readFileSync('src/proxy/docs/host-sessions.md', 'utf8');

const others = readFileSync('src/proxy/docs/host-sessions-in-other-languages.md', 'utf8');

/** How each language writes a claim. */
const CLAIMS: Readonly<Record<string, RegExp>> = {
  php: /^ +'(\w+)' =>/gm,
  python: /^ {8}"(\w+)": /gm,
  ruby: /^ {6}(\w+): /gm,
  java: /\.claim\("(\w+)"/g,
  csharp: /\["(\w+)"\] = /g,
  go: /^\t\t"(\w+)": /gm,
};

const SIGN_IN = `
  const people = { 'sid=ada': { id: 'ada', vendorId: 'boat-tours', name: 'Ada Lovelace' } };
  export const userOf = (cookie) => Promise.resolve(people[cookie]);
`;

interface Example {
  readonly app?: unknown;
  readonly POST?: (request: Request) => Promise<Response>;
}

/** How an example is put on the network: its own server, or what its framework would call. */
const SERVERS: Readonly<
  Record<string, (example: Example, t: TestContext) => Promise<(request: Request) => Promise<Response>>>
> = {
  Express: async ({ app }, t) => {
    const { listen } = app as { listen(port: number, host: string): Server };
    return overTheWire(await addressOf(t, listen.call(app, 0, '127.0.0.1')));
  },
  Fastify: async ({ app }, t) => {
    const server = app as { listen(options: object): Promise<string>; close(): Promise<void> };
    t.after(() => server.close());
    return overTheWire(await server.listen({ port: 0, host: '127.0.0.1' }));
  },
  'Next.js': ({ POST }) =>
    Promise.resolve((request) =>
      request.method === 'POST' && POST !== undefined
        ? POST(request)
        : Promise.resolve(new Response(null, { status: 405 })),
    ),
  'node:http': async ({ app }, t) => {
    const server = app as Server<typeof IncomingMessage, typeof ServerResponse>;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return overTheWire(await addressOf(t, server));
  },
};

for (const [name, serve] of Object.entries(SERVERS)) {
  describe(`the session route of a host, as shown for ${name},`, () => {
    it('returns a token that the proxy accepts for that person', async (t) => {
      const ask = await serve(await load(name), t);
      const { ask: askProxy } = openProxy(t);

      const answer = await ask(pageAsks());

      const { token } = (await answer.json()) as { token: string };
      const told = session.parse(await (await askProxy('GET', '/v1/session', { token })).json());
      assert.deepEqual(
        [told.vendor, told.subject, told.name, told.permissions],
        ['boat-tours', 'ada', 'Ada Lovelace', ['view', 'edit', 'resolve']],
      );
      assert.equal(answer.headers.get('Cache-Control'), 'no-store');
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), null);
    });

    const rejections: readonly (readonly [who: string, status: readonly number[], request: () => Request])[] = [
      ['somebody who is not signed in', [401], () => pageAsks({ Cookie: undefined })],
      ['a form of another site', [403], () => pageAsks({ 'X-Requested-With': undefined })],
      ['a script that names another library', [403], () => pageAsks({ 'X-Requested-With': 'XMLHttpRequest' })],
      ['a GET', [404, 405], () => pageAsks({}, 'GET')],
    ];

    for (const [who, statuses, request] of rejections) {
      it(`returns no token to ${who}`, async (t) => {
        const ask = await serve(await load(name), t);

        const answer = await ask(request());

        assert.ok(statuses.includes(answer.status), `it answered ${answer.status}`);
        assert.doesNotMatch(await answer.text(), /eyJ/);
      });
    }
  });
}

describe('the claims of a token', () => {
  const examples = [...others.matchAll(/^## (.*)\n[^]*?^```(\w+)\n([^]*?)^```/gm)].map(
    ([, title = '', language = '', code = '']) => ({
      title,
      language,
      code,
    }),
  );

  for (const title of ['PHP', 'Laravel', 'WordPress', 'Flask', 'Django', 'Rails', 'Spring', '.NET', 'Go'])
    it(`in the example for ${title} are those that the proxy expects`, async () => {
      const { code, language } = examples.find((example) => example.title.endsWith(title)) ?? {
        code: '',
        language: '',
      };
      const claim = CLAIMS[language];
      assert.ok(claim, `there is an example for ${title}, in a language whose claims can be found`);

      const shown = [...code.matchAll(claim)].map(([, found]) => found);

      const ours = Object.keys(decodeJwt(await embedToken({ name: 'Ada' })));
      assert.deepEqual(shown.sort(), ours.sort());
    });

  it('are signed in each example only for a request with X-Requested-With, and are not cached', () => {
    assert.equal(examples.length, 9);
    for (const { title, code } of examples) {
      const [check, sign] = [code.search(/inventory-widget['"]/), code.search(/\biss\b/)];
      assert.ok(check >= 0 && check < sign, `${title} checks X-Requested-With first`);
      assert.match(code, /no-store|noStore|nocache_headers/, title);
    }
  });

  it('are all described in the guide', async () => {
    const ours = Object.keys(decodeJwt(await embedToken({ name: 'Ada', items: ['kayak'] })));

    const unsaid = ours.filter((claim) => !new RegExp(`^\\| [^|]*\`${claim}\``, 'm').test(guide));

    assert.deepEqual(unsaid, []);
  });
});

/** The first block of this language after this heading. */
function fence(language: string, heading: string): string {
  const after = guide.slice(guide.indexOf(heading));
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(after)?.[1];
  assert.ok(found, `there is an example in ${language} after ${heading}`);
  return found;
}

/** The example as a host has it: in files of its own, with the packages that it installed. */
async function load(name: string): Promise<Example> {
  const folder = scratchFolder();
  const secret = join(folder, 'secret');
  writeFileSync(secret, `${SESSION_SECRET}\nan-older-secret-of-at-least-32-bytes\n`);
  process.env['SESSION_SECRET_FILE'] = secret;
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'sign-in.js'), SIGN_IN);
  writeFileSync(join(folder, 'inventory-token.js'), installed(fence('js', '## Node.js')));
  const route = join(folder, 'route.js');
  writeFileSync(route, installed(fence('js', `### ${name}`)));
  return (await import(pathToFileURL(route).href)) as Example;
}

function installed(source: string): string {
  return source.replace(/from '(vendor-inventory-widget\/session|express|fastify)'/g, (_, name: string) => {
    const own = name.startsWith('vendor-');
    return `from '${own ? new URL('../../../src/proxy/access/sign-embed-token.ts', import.meta.url).href : import.meta.resolve(name)}'`;
  });
}

function pageAsks(headers: Readonly<Record<string, string | undefined>> = {}, method = 'POST'): Request {
  const sent = { Cookie: 'sid=ada', 'X-Requested-With': 'inventory-widget', ...headers };
  return new Request('https://admin.example.com/inventory-session', {
    method,
    headers: Object.entries(sent).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
  });
}

function overTheWire(address: string): (request: Request) => Promise<Response> {
  return (request) =>
    fetch(new URL('/inventory-session', address), { method: request.method, headers: request.headers });
}

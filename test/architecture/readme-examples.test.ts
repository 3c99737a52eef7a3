import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type * as z from 'zod/mini';
import { editBatch } from '../../src/contract/widget.js';
import { ROUTES } from '../../src/proxy/app.js';
import { checkExamples } from '../support/check-examples.js';
import { treeFiles } from '../support/tree-files.js';

const mounting = readFileSync('src/proxy/docs/mounting.md', 'utf8');
const routes = readFileSync('src/proxy/docs/http-api.md', 'utf8');
const mounts = linesOf(readFileSync('test/support/mounts.ts', 'utf8'));

describe('an example of mounting.md', () => {
  for (const server of ['node:http', 'Express', 'Fastify', 'Hono', 'Next.js']) {
    it(`for ${server} is the code that the tests mount`, () => {
      const example = new RegExp(`^## ${server}\\n[^#]*?\`\`\`ts\\n([^]*?)\`\`\``, 'm').exec(mounting)?.[1];
      assert.ok(example, 'write an example, or take its name out of this test');

      // A framework requires the exports, which a list of mounts cannot have.
      const untested = linesOf(example).filter((line) => !line.startsWith('export {') && !mounts.includes(line));

      assert.deepEqual(untested, []);
    });
  }
});

describe('the route of Next.js in mounting.md', () => {
  it('exports a function for each method of the proxy', () => {
    const exported = [...mounting.matchAll(/\bhandle as ([A-Z]+)/g)].map(([, method]) => method);

    assert.deepEqual(exported.sort(), [...new Set([...ROUTES.map(({ method }) => method), 'HEAD', 'OPTIONS'])].sort());
  });
});

describe('the examples', () => {
  it('of every document compile in strict mode', () => {
    const pages = treeFiles().filter((path) => path.endsWith('.md'));
    const examples = pages.flatMap((page) =>
      readFileSync(page, 'utf8')
        .split(/^## /m)
        .flatMap((section) => {
          const title = section.slice(0, section.indexOf('\n'));
          return [...section.matchAll(/^```ts\n([^]*?)```/gm)].map(
            ([, code = ''], at) => [`${page} ${title} ${String(at + 1)}`, hosted(title, code)] as const,
          );
        }),
    );

    assert.ok(examples.length >= 8);
    assert.deepEqual(checkExamples(Object.fromEntries(examples)), []);
  });
});

describe('the request body in http-api.md', () => {
  it('has the fields of a batch, and marks the optional ones', () => {
    const [, fields = '', beside = ''] = /`\{"inventory": \[\{([^}]*)\}\], ([^}]*)\}`/.exec(routes) ?? [];

    const { inventory, ...rest } = editBatch.shape;
    assert.deepEqual(fields.split(', ').sort(), written(inventory.def.element.shape));
    assert.deepEqual(beside.split(', '), written(rest));
  });
});

function written(shape: Readonly<Record<string, z.ZodMiniType>>): string[] {
  return Object.entries(shape)
    .map(([name, { def }]) => `"${name}"${def.type === 'optional' ? '?' : ''}`)
    .sort();
}

/** An example, with declarations of the names that its host already has. */
function hosted(server: string, code: string): string {
  const names = Object.entries({ ...HOST, app: APPS[server] ?? APPS.Express }).filter(
    ([name]) => !new RegExp(`^(?:import .*|.*const )\\b${name}\\b`, 'm').test(code),
  );
  return [GLOBALS, code, ...names.map(([name, type]) => `declare const ${name}: ${type ?? 'never'};`)].join('\n');
}

const GLOBALS = `
  interface User { readonly id: string | number; readonly vendorId: string | number; readonly until: Date }
  declare global { namespace Express { interface Request { readonly user: User } } }
`;

const HOST: Readonly<Record<string, string>> = {
  createServer: "typeof import('node:http').createServer",
  defaults: "import('vendor-inventory-widget/proxy/node').NodeDefaults",
  nodeListener: "typeof import('vendor-inventory-widget/proxy/node').nodeListener",
  proxy: "import('vendor-inventory-widget/proxy').InventoryProxy",
  requireSignIn: "import('express').RequestHandler",
  userOf: '(cookie: string | null) => Promise<User | undefined>',
};

const APPS: Readonly<Record<string, string>> = {
  Express: "import('express').Express",
  Fastify: "import('fastify').FastifyInstance",
  Hono: "import('hono').Hono",
};

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

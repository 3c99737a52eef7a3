import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type * as z from 'zod/mini';
import { editBatch } from '../../src/contract/widget.js';
import { checkExamples } from '../support/check-examples.js';

const readme = readFileSync('README.md', 'utf8');
const mounts = linesOf(readFileSync('test/support/mounts.ts', 'utf8'));

describe('an example of README.md', () => {
  for (const server of ['node:http', 'Express', 'Fastify', 'Hono', 'Next.js']) {
    it(`for ${server} is what the tests mount`, () => {
      const example = new RegExp(`^${server}.*(?:\\n.+)*\\n\\n\`\`\`ts\\n([^]*?)\`\`\``, 'm').exec(readme)?.[1];
      assert.ok(example, 'write an example, or take its name out of this test');

      // What makes a module of it is the framework's, and has no place in a list of mounts.
      const strange = linesOf(example).filter((line) => !line.startsWith('export {') && !mounts.includes(line));

      assert.deepEqual(strange, []);
    });
  }
});

describe('the examples of README.md', () => {
  it('pass the compiler of a strict host', () => {
    const examples = [...readme.matchAll(/^(.*)\n\n```ts\n([^]*?)```/gm)].map(
      ([, before = '', code = ''], at) => [`readme-${String(at + 1)}`, hosted(before, code)] as const,
    );

    assert.ok(examples.length >= 7);
    assert.deepEqual(checkExamples(Object.fromEntries(examples)), []);
  });
});

describe('the body that README.md writes down', () => {
  it('has the fields of a batch, and says which may be left out', () => {
    const [, fields = '', beside = ''] = /`\{"inventory": \[\{([^}]*)\}\], ([^}]*)\}`/.exec(readme) ?? [];

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

/** An example among the names that its host has already. */
function hosted(before: string, code: string): string {
  const app = /^(Fastify|Hono)/.exec(before)?.[1] ?? 'Express';
  const names = Object.entries({ ...HOST, app: APPS[app] }).filter(
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

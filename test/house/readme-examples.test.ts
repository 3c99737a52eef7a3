import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

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

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

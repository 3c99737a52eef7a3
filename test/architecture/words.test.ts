import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { describe, it } from 'node:test';
import { treeFiles } from '../support/tree-files.js';

interface Rule {
  readonly name: string;
  readonly files: RegExp;
  readonly forbidden: RegExp;
}

const RULES: readonly Rule[] = [
  {
    name: 'no file names a package registry',
    files: /./,
    forbidden:
      /\bregistry\.[a-z0-9-]+\.[a-z]|^\s*(@[\w-]+:)?registry\s*=|https?:\/\/[^\s/"']*\b(npm|registry|nexus|artifactory)\b/im,
  },
  {
    name: 'no lock file names the origin of a package',
    files: /(?:^|\/)package-lock\.json$/,
    forbidden: /"resolved":\s*"http/,
  },
  {
    name: 'no file contains a path of a home folder',
    files: /./,
    forbidden: /(?<![\w.~-])\/(home|Users)\/[a-z0-9._-]+|\b[a-z]:\\Users\\/i,
  },
  { name: 'no source uses unsafeHTML', files: /^src\//, forbidden: /unsafe(HTML|SVG|MathML|Static)/ },
  { name: 'no source uses eval', files: /^src\//, forbidden: /\beval\(|\bnew Function\(/ },
  // The host page sets the root font size: 62.5% would shrink all lengths in rem.
  { name: 'no style of an element uses rem', files: /^src\/elements\//, forbidden: /\drem\b/ },
  // With :has(), browsers recalculate the style of every row at each scroll step.
  { name: 'no style of an element uses :has()', files: /^src\/elements\//, forbidden: /:has\(/ },
  { name: 'no template has a style attribute', files: /^src\//, forbidden: /<[a-z][^<>]*\sstyle\s*=/ },
];

const texts = new Map(treeFiles().map((file) => [file, readFileSync(file, 'utf8')]));

describe('the texts of the repository', () => {
  for (const { name, files, forbidden } of RULES) {
    it(name, () => {
      const found = [...texts]
        .filter(([file]) => files.test(file))
        .flatMap(
          ([file, text]) =>
            forbidden
              .exec(text)
              ?.slice(0, 1)
              .map((words) => `${file}: ${words}`) ?? [],
        );

      assert.deepEqual(found, []);
    });
  }

  it('no file contains the path of this checkout', () => {
    // The path of a checkout right below the root cannot be distinguished from a URL path.
    const here = [process.cwd(), homedir()].filter((folder) => folder.split('/').length > 2);

    const found = [...texts].filter(([, text]) => here.some((folder) => text.includes(folder))).map(([file]) => file);

    assert.deepEqual(found, []);
  });
});

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
    name: 'the lock file says what, not from where',
    files: /(?:^|\/)package-lock\.json$/,
    forbidden: /"resolved":\s*"http/,
  },
  {
    name: "no file knows a person's folder",
    files: /./,
    forbidden: /(?<![\w.~-])\/(home|Users)\/[a-z0-9._-]+|\b[a-z]:\\Users\\/i,
  },
  { name: 'no source takes markup from text', files: /^src\//, forbidden: /unsafe(HTML|SVG|MathML|Static)/ },
  { name: 'no source runs text as code', files: /^src\//, forbidden: /\beval\(|\bnew Function\(/ },
  // The host page owns the root font size: 62.5% there would shrink what is measured in rem.
  { name: 'no style of an element is measured in rem', files: /^src\/elements\//, forbidden: /\drem\b/ },
  // An engine styles every row anew with each step of a scroll where a rule asks what is inside.
  { name: 'no style of an element asks what is inside', files: /^src\/elements\//, forbidden: /:has\(/ },
  { name: 'no template has a style attribute', files: /^src\//, forbidden: /<[a-z][^<>]*\sstyle\s*=/ },
];

const texts = new Map(treeFiles().map((file) => [file, readFileSync(file, 'utf8')]));

describe('the words of the tree', () => {
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

  it('no file knows where this checkout lies', () => {
    // A checkout right below the root has too short a path to be told from an address.
    const here = [process.cwd(), homedir()].filter((folder) => folder.split('/').length > 2);

    const found = [...texts].filter(([, text]) => here.some((folder) => text.includes(folder))).map(([file]) => file);

    assert.deepEqual(found, []);
  });
});

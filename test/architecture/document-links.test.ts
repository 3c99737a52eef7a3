import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { posix } from 'node:path';
import { treeFiles } from '../support/tree-files.js';

const pages = treeFiles().filter((path) => path.endsWith('.md'));

for (const page of pages) {
  describe(page, () => {
    const text = proseOf(page);

    it('links only to files and headings that exist', () => {
      const dead = linksOf(text).filter((link) => !leads(page, link));

      assert.deepEqual(dead, [], 'correct these links');
    });

    it('names only files that exist', () => {
      const named = [...text.matchAll(/`((?:src|test|demo)\/[^`\s*<{…]*)`/g)].map(([, path = '']) => path);

      assert.deepEqual(
        named.filter((path) => !existsSync(path)),
        [],
        'correct these paths, or name the folder',
      );
    });
  });
}

describe('README.md', () => {
  it('has fewer than 200 lines', () => {
    const lines = readFileSync('README.md', 'utf8').split('\n').length;

    assert.ok(lines < 200, `${String(lines)} lines: move something to the README.md of its folder`);
  });

  it('links to every other document, directly or through others', () => {
    const linked = new Set(['README.md']);
    for (const page of linked) {
      for (const link of linksOf(proseOf(page))) linked.add(fileOf(page, link));
    }

    assert.deepEqual(
      pages.filter((page) => !linked.has(page)),
      [],
    );
  });
});

/** A document without its examples, in which brackets and # have other meanings. */
function proseOf(page: string): string {
  if (!page.endsWith('.md')) return '';
  return readFileSync(page, 'utf8').replace(/^```[^]*?^```/gm, '');
}

/** Relative links, with their anchors. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
}

function fileOf(page: string, link: string): string {
  const [path = ''] = link.split('#');
  return path === '' ? page : posix.join(posix.dirname(page), path);
}

function leads(page: string, link: string): boolean {
  const file = fileOf(page, link);
  const anchor = link.split('#')[1];
  if (!existsSync(file)) return false;
  return anchor === undefined || (file.endsWith('.md') && anchorsOf(proseOf(file)).has(anchor));
}

/**
 * The anchors that GitHub derives from headings: lower case, hyphens for spaces, and otherwise only letters and digits.
 */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of text.matchAll(/^#+ (.+)$/gm)) {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${String(count)}`;
    anchors.add(unique);
  }
  return anchors;
}

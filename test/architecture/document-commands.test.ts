import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import ts from 'typescript';
import { SETTINGS } from '../../src/proxy/node/config/settings.js';
import { portalProfile } from '../../src/proxy/portal/profile.js';
import { variantsSchema } from '../../src/sandbox/variants.js';
import { runCommand } from '../support/run-command.js';
import { STEPS } from '../support/steps.js';
import { treeFiles } from '../support/tree-files.js';

interface Example {
  readonly page: string;
  readonly language: string;
  readonly code: string;
}

const pages = treeFiles().filter((path) => path.endsWith('.md'));
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));
const examples: readonly Example[] = [...texts].flatMap(([page, text]) =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```/gm)].map(([, language = '', code = '']) => ({ page, language, code })),
);

/** Every line of the shell examples, without its comment, and every command in inline code. */
const commands: readonly string[] = [
  ...examplesIn('sh').flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n')),
  ...[...texts.values()].flatMap((text) =>
    [...text.matchAll(/`((?:npm|npx|vendor-inventory) [^`]+)`/g)].map(([, found = '']) => found),
  ),
].map((line) => line.replace(/ +# .*$/, ''));

describe('the commands of the documents', () => {
  let help = '';
  before(async () => {
    help = (await runCommand(['--help'])).stdout;
  });

  it('name scripts that exist in package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    };

    const unknown = commands.flatMap((command) =>
      [...command.matchAll(/\bnpm run (?:--silent )?([\w-]+)/g)].filter(([, name = '']) => !(name in scripts)),
    );

    assert.deepEqual(unknown, []);
  });

  it('name steps, folders and files of npm test that exist', () => {
    const given = commands.flatMap((command) =>
      [...command.matchAll(/\bnpm test -- (.*)$/g)].map(([, words = '']) => words),
    );

    const steps = given.flatMap((words) => [...words.matchAll(/--only (\w+)/g)].map(([, name]) => name));
    const paths = given.flatMap((words) => words.split(' ').filter((word) => word.startsWith('test/')));
    assert.ok(steps.length > 0 && paths.length > 0);
    assert.deepEqual(
      steps.filter((name) => !STEPS.some((step) => step.name === name)),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => !existsSync(path)),
      [],
    );
  });

  it('of vendor-inventory and their options are in its help', () => {
    const given = commands.flatMap((command) =>
      [...command.matchAll(/\bvendor-inventory ((?:[a-z]+)(?: [^|&;]*)?)/g)].map(([, words = '']) => words),
    );

    assert.ok(given.length > 10);
    for (const words of given) {
      const [name = ''] = words.split(' ');
      assert.match(help, new RegExp(`^ {2}${name}\\b`, 'm'), words);
      for (const [option] of words.matchAll(/--[a-z-]+/g)) assert.ok(help.includes(option), `${words}: ${option}`);
    }
  });

  it('of vendor-inventory are all listed in the README of the proxy', () => {
    const listed = /^## Commands\n([^]*?)^## /m.exec(texts.get('src/proxy/README.md') ?? '')?.[1] ?? '';

    for (const [, name = ''] of help.matchAll(/^ {2}(\w+) /gm))
      assert.match(listed, new RegExp(`^vendor-inventory ${name}\\b`, 'm'));
  });

  it('set only settings that exist', () => {
    const known = SETTINGS.flatMap(({ settings }) => settings.flatMap(({ names }) => names));

    const set = commands.flatMap((command) =>
      [...command.matchAll(/\b([A-Z][A-Z_]{3,})=/g)].map(([, name = '']) => name),
    );

    assert.ok(set.length > 5);
    assert.deepEqual(
      set.filter((name) => !known.includes(name)),
      [],
    );
  });
});

describe('the examples of the documents', () => {
  it('use tags and attributes that the elements have', () => {
    const manifest = JSON.parse(readFileSync('src/elements/custom-elements.json', 'utf8')) as {
      modules: { declarations: { tagName: string; attributes: { name: string }[] }[] }[];
    };
    const attributes = new Map(
      manifest.modules
        .flatMap(({ declarations }) => declarations)
        .map((element) => [element.tagName, element.attributes.map(({ name }) => name)]),
    );

    const tags = examplesIn('html').flatMap(({ code }) => [
      ...code.matchAll(/<((?:inventory|availability)-\w+)([^>]*)>/g),
    ]);

    assert.ok(tags.length >= 3);
    for (const [whole, tag = '', rest = ''] of tags) {
      const known = attributes.get(tag);
      assert.ok(known, whole);
      for (const [, name = ''] of rest.matchAll(/([\w-]+)(?==|\s|$)/g))
        assert.ok(known.includes(name), `${whole}: ${name}`);
    }
  });

  it('in JavaScript can be parsed, and import what the package exports', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      exports: Readonly<Record<string, unknown>>;
    };

    for (const { page, code } of [...examplesIn('js'), ...examplesIn('ts')]) {
      const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
      assert.deepEqual(
        diagnostics.map(({ messageText }) => messageText),
        [],
        page,
      );
      for (const [, path = ''] of code.matchAll(/'vendor-inventory-widget(\/[\w/-]+)?'/g))
        assert.ok(`.${path}` in exports, `${page}: ${path}`);
    }
  });

  it('of portal profiles and sandbox variants are valid', () => {
    for (const { page, code } of examplesIn('json'))
      assert.ok(portalProfile.safeParse(JSON.parse(code)).success, `${page}: ${code}`);

    const habits = commands.flatMap((command) =>
      [...command.matchAll(/^habits '(.*)'$/g)].map(([, json = '']) => json),
    );
    assert.ok(habits.length > 5);
    for (const json of habits) assert.ok(variantsSchema.safeParse(JSON.parse(json)).success, json);
  });
});

function examplesIn(wanted: string): readonly Example[] {
  return examples.filter(({ language }) => language === wanted);
}

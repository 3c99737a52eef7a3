// Assembles a package for publishing after a build: `node .ci/stage-package.js FOLDER [NAME]`. Without a name it is
// vendor-inventory-widget, which has all the code. `npm run stage` assembles all three in dist/packages. `private` in
// package.json keeps the repository itself from being published.
//
// - vendor-inventory-widget: the elements, and the modules that a server imports. Only what a page or a session route needs
//   is installed with it; the packages of the proxy are optional peer dependencies.
// - vendor-inventory-proxy: the command, and the packages of the proxy.
// - vendor-inventory-session: the session helper alone.
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const [folder, name = 'vendor-inventory-widget'] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder to lay the package out in');

const STAYS_HERE = ['private', 'bin', 'scripts', 'optionalDependencies', 'devDependencies', 'overrides', 'prettier'];
/** The packages that a page needs, and jose for the session helper. */
const OF_THE_PAGE = ['jose', 'ky', 'lit', 'papaparse', 'zod'];
/**
 * Files that a bundler keeps even if nothing is imported from them. In this repository they are sources, which the build
 * has to keep too.
 */
const SIDE_EFFECTS = [
  './dist/index.js',
  './dist/elements/*/define.js',
  './dist/proxy/node/cli/bin.js',
  './dist/widget/**',
];
/** Each document has the same path in the package as here, so that links between them work. */
const DOCUMENTS = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'src/troubleshooting.md',
  'src/elements/README.md',
  'src/elements/frameworks.md',
  'src/elements/support.md',
  'src/elements/custom-elements.json',
  'src/locales/README.md',
  'src/elements/vscode.html-custom-data.json',
  'src/elements/web-types.json',
  'types',
  'src/proxy/README.md',
  'src/proxy/docs',
  'src/proxy/node/operating',
  'src/proxy/node/testing/README.md',
];

const { bin, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
const [command] = Object.values(bin);
const published = Object.fromEntries(Object.entries(manifest).filter(([field]) => !STAYS_HERE.includes(field)));
const ofTheProxy = Object.keys(manifest.dependencies).filter((each) => !OF_THE_PAGE.includes(each));

const STAGES = {
  'vendor-inventory-widget': stageWidget,
  'vendor-inventory-proxy': stageProxy,
  'vendor-inventory-session': stageSession,
};
if (!Object.hasOwn(STAGES, name)) throw new Error(`there is no package ${name}: ${Object.keys(STAGES).join(', ')}`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
STAGES[name]();

function stageWidget() {
  const peers = Object.fromEntries(ofTheProxy.map((each) => [each, `^${manifest.dependencies[each]}`]));
  writeManifest({
    ...published,
    sideEffects: SIDE_EFFECTS,
    exports: { ...manifest.exports, './command': command, './package.json': './package.json' },
    dependencies: versionsOf(OF_THE_PAGE),
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(ofTheProxy.map((each) => [each, { optional: true }])),
  });
  for (const path of DOCUMENTS) cpSync(path, join(folder, path), { recursive: true });
  for (const part of ['client', 'contract', 'domain', 'elements', 'locales', 'proxy', 'sandbox', 'widget']) {
    cpSync(join('dist', part), join(folder, 'dist', part), {
      recursive: true,
      filter: (path) => !path.endsWith('.tsbuildinfo'),
    });
  }
  for (const file of ['index.js', 'index.d.ts']) cpSync(join('dist', file), join(folder, 'dist', file));
  for (const page of globSync(['*.md', 'src/**/*.md'], { cwd: folder })) removeDeadLinks(page);
}

function stageProxy() {
  writeManifest({
    name,
    version: manifest.version,
    description: 'The command vendor-inventory: the proxy of vendor-inventory-widget, with the packages that it needs.',
    license: manifest.license,
    keywords: manifest.keywords,
    type: 'module',
    engines: manifest.engines,
    bin: { 'vendor-inventory': './vendor-inventory.js' },
    dependencies: { [manifest.name]: manifest.version, ...versionsOf(ofTheProxy) },
  });
  const program = join(folder, 'vendor-inventory.js');
  writeFileSync(program, `#!/usr/bin/env node\nimport '${manifest.name}/command';\n`);
  chmodSync(program, 0o755);
  cpSync('LICENSE', join(folder, 'LICENSE'));
  writeFileSync(
    join(folder, 'README.md'),
    `# ${name}\n\nThe command \`vendor-inventory\`. Its documents are in the package \`${manifest.name}\`, in \`src/proxy/README.md\`.\n`,
  );
}

function stageSession() {
  const entry = manifest.exports['./session'];
  const { files, packages } = closureOf(Object.values(entry).map((path) => posix.normalize(path)));
  writeManifest({
    name,
    version: manifest.version,
    description: 'Signs embed tokens for the elements of vendor-inventory-widget.',
    license: manifest.license,
    keywords: manifest.keywords,
    type: 'module',
    sideEffects: false,
    engines: manifest.engines,
    exports: { '.': entry, './package.json': './package.json' },
    dependencies: versionsOf([...packages].sort()),
  });
  for (const path of files) cpSync(path, join(folder, path));
  cpSync('LICENSE', join(folder, 'LICENSE'));
  writeFileSync(
    join(folder, 'README.md'),
    `# ${name}\n\n\`import { signEmbedToken } from '${name}'\` is the same as from \`${manifest.name}/session\`, without the elements. See \`src/proxy/docs/host-sessions.md\` of the package \`${manifest.name}\`.\n`,
  );
}

/** @returns the files that the entries import, directly or indirectly, and the packages */
function closureOf(entries) {
  const [files, packages] = [new Set(entries), new Set()];
  // The loop also visits files that are added to the set while it runs.
  for (const path of files) {
    for (const [, to] of readFileSync(path, 'utf8').matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g)) {
      if (to === undefined) throw new Error(`${path} imports on demand: name what it needs here`);
      if (!to.startsWith('.')) packages.add(to.split('/')[0]);
      else files.add(posix.join(posix.dirname(path), path.endsWith('.d.ts') ? to.replace(/js$/, 'd.ts') : to));
    }
  }
  return { files, packages };
}

function versionsOf(names) {
  return Object.fromEntries(names.map((each) => [each, manifest.dependencies[each]]));
}

function writeManifest(fields) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`);
}

/** Replaces links to files that are not published by their text, and removes pictures that are not published. */
function removeDeadLinks(page) {
  const path = join(folder, page);
  const text = readFileSync(path, 'utf8').replace(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g,
    (link, picture, words, to) => {
      if (existsSync(join(dirname(path), to))) return link;
      return picture === '' ? words : '';
    },
  );
  writeFileSync(path, text);
}

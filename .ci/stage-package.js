// Lays out the package as it is published: `node .ci/stage-package.js FOLDER`, after a build. What only this repository
// needs stays here: the Node.js that it brings along for its own scripts, the demo, the tests. `private` in package.json
// keeps anybody from publishing the repository itself.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder to lay the package out in');

const STAYS_HERE = ['private', 'scripts', 'optionalDependencies', 'devDependencies', 'overrides', 'prettier'];
/** What README.md links to, and where that lies in the package. */
const DOCUMENTS = [
  ['src/proxy/node/operating', 'operating'],
  ['src/proxy/docs/host-sessions.md', 'host-sessions.md'],
  ['src/proxy/docs/mounting.md', 'mounting.md'],
  ['src/proxy/docs/http-api.md', 'routes.md'],
  ['src/elements/frameworks.md', 'frameworks.md'],
];

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const published = Object.entries(manifest).filter(([field]) => !STAYS_HERE.includes(field));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
cpSync('LICENSE', join(folder, 'LICENSE'));
// Its picture is half as heavy as all the rest, and shows what the page of the repository shows.
let readme = readFileSync('README.md', 'utf8').replace(/^!\[[^\]]*\]\([^)]*\)\n\n/m, '');
for (const [here, there] of DOCUMENTS) {
  cpSync(here, join(folder, there), { recursive: true });
  readme = readme.replaceAll(here, there);
}
writeFileSync(join(folder, 'README.md'), readme);
for (const part of ['client', 'contract', 'domain', 'elements', 'locales', 'proxy', 'sandbox', 'widget']) {
  cpSync(join('dist', part), join(folder, 'dist', part), {
    recursive: true,
    filter: (path) => !path.endsWith('.tsbuildinfo'),
  });
}
for (const file of ['index.js', 'index.d.ts']) cpSync(join('dist', file), join(folder, 'dist', file));

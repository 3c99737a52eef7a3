// Lays out the package as it is published: `node .ci/stage-package.js FOLDER`, after a build. The Node.js that the scripts of this
// repository run on, the demo and the tests are left out. `private` in package.json keeps the repository itself from being published.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder to lay the package out in');

const STAYS_HERE = ['private', 'scripts', 'optionalDependencies', 'devDependencies', 'overrides', 'prettier'];
/** Each has the same path in the package as here, so that links between them work. */
const DOCUMENTS = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'src/troubleshooting.md',
  'src/elements/README.md',
  'src/elements/frameworks.md',
  'src/proxy/README.md',
  'src/proxy/docs',
  'src/proxy/node/operating',
];

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const published = Object.entries(manifest).filter(([field]) => !STAYS_HERE.includes(field));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
for (const path of DOCUMENTS) cpSync(path, join(folder, path), { recursive: true });
for (const part of ['client', 'contract', 'domain', 'elements', 'locales', 'proxy', 'sandbox', 'widget']) {
  cpSync(join('dist', part), join(folder, 'dist', part), {
    recursive: true,
    filter: (path) => !path.endsWith('.tsbuildinfo'),
  });
}
for (const file of ['index.js', 'index.d.ts']) cpSync(join('dist', file), join(folder, 'dist', file));
for (const page of globSync(['*.md', 'src/**/*.md'], { cwd: folder })) removeDeadLinks(page);

/** A link to what is not published becomes its text, and a picture that is not published disappears. */
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

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { publint } from 'publint';
import { listen } from '../../../../src/proxy/node/server/http-server.js';
import { openProxy } from '../../../support/open-proxy.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const COMMAND = './dist/proxy/node/cli/bin.js';

let folder: string;
let manifest: Manifest;
/** The files that `npm pack` would include. */
let shipped: ReadonlySet<string>;

before(() => {
  const root = scratchFolder();
  folder = join(root, 'package');
  execFileSync(process.execPath, ['.ci/stage-package.js', folder]);
  // The dependencies are beside the package, as after an installation.
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--offline'], { cwd: folder, stdio: 'pipe' });
  const [pack] = JSON.parse(told.toString()) as { files: { path: string }[] }[];
  shipped = new Set(pack?.files.map(({ path }) => path));
});

describe('the published package', () => {
  it('ships every file that its manifest exports', () => {
    const targets = Object.values(manifest.exports).flatMap((to) =>
      typeof to === 'string' ? [to] : Object.values(to),
    );

    const missing = targets.filter((target) => !shipped.has(posix.normalize(target)));

    assert.ok(targets.length >= 9);
    assert.deepEqual(missing, []);
  });

  it('ships its script, its licence and the documents for operators', () => {
    for (const path of [
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'src/troubleshooting.md',
      'src/elements/README.md',
      'src/elements/custom-elements.json',
      'src/proxy/README.md',
      'src/proxy/docs/mounting.md',
      'dist/widget/widget.js',
      'src/proxy/node/operating/runbook.md',
      'src/proxy/node/operating/alerts.yml',
    ]) {
      assert.ok(shipped.has(path), path);
    }
  });

  it('ships every file that its documents link to', () => {
    const pages = [...shipped].filter((path) => path.endsWith('.md') && !path.startsWith('dist/'));

    const links = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) =>
        posix.normalize(posix.join(dirname(page), to)),
      ),
    );
    const dead = links.filter((to) => ![...shipped].some((path) => path === to || path.startsWith(`${to}/`)));

    assert.ok(pages.length >= 10 && links.length >= 20);
    assert.deepEqual(dead, []);
  });

  it('ships no test, no demo, no source', () => {
    const stray = [...shipped].filter((path) =>
      /(^|\/)(test|demo)\/|\.test\.|tsbuildinfo|(?<!\.d)\.ts$|node_modules/.test(path),
    );

    assert.deepEqual(stray, []);
  });

  it('has a manifest without scripts, optional dependencies and development dependencies', () => {
    const fields = Object.keys(manifest);

    for (const field of ['private', 'scripts', 'optionalDependencies', 'devDependencies', 'overrides']) {
      assert.ok(!fields.includes(field), field);
    }
    assert.ok(fields.includes('engines'));
  });

  it('imports only its own files and its dependencies', () => {
    // The files of types/ import the framework of a host: `npm run hosts` compiles them.
    const code = [...shipped].filter((path) => /\.(js|d\.ts)$/.test(path) && !/^(?:dist\/widget|types)\//.test(path));

    const strange = code.flatMap((path) =>
      importsOf(readFileSync(join(folder, path), 'utf8'))
        .filter((name) => !resolves(path, name))
        .map((name) => `${path}: ${name}`),
    );

    assert.deepEqual(strange, []);
  });

  it('can be imported by each name that a server uses', () => {
    const code = `for (const name of ['proxy', 'proxy/node', 'session']) {
      const { ...names } = await import('vendor-inventory-widget/' + name);
      console.log(Object.keys(names).join(' '));
    }`;

    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder }).toString();

    assert.match(said, /createInventoryProxy.*\n.*nodeListener.*openSqliteOutbox.*\n.*signEmbedToken/);
  });

  it('can be imported for its elements on a server, without registering elements or adding globals', () => {
    const code = `for (const name of ['lit', 'lit/decorators.js', 'zod/mini', 'ky']) await import(name);
    const before = new Set(Object.getOwnPropertyNames(globalThis));
    for (const name of ['', '/availability-toggle']) {
      const { AvailabilityToggle } = await import('vendor-inventory-widget' + name);
      console.log(AvailabilityToggle.formAssociated, globalThis.customElements?.get('availability-toggle'));
    }
    console.log(Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name)).join());`;

    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder }).toString();

    assert.equal(said, 'true undefined\ntrue undefined\n\n');
  });

  it('can be mounted with the example of mounting.md', () => {
    const page = readFileSync(join(folder, 'src/proxy/docs/mounting.md'), 'utf8');
    const shown = /^## Create the proxy[^]*?```ts\n([^]*?)```/m.exec(page)?.[1];
    assert.ok(shown, 'mounting.md shows how');
    const here = scratchFolder();
    writeFileSync(join(here, 'secret'), 'portal-secret\n');
    const mount = shown
      .replace('/run/secrets/portal', join(here, 'secret'))
      .replace('inventory.sqlite', join(here, 'inventory.sqlite'));
    const code = `const userOf = async () => ({ id: 'ada', vendorId: 'boat-tours', until: new Date(0) });
      ${mount}
      for (const path of ['widget.js', 'v1/session']) {
        const { status } = await proxy.fetch(new Request('https://admin.example.com/inventory/' + path));
        console.log(path, status);
      }
      await proxy.stop();
      process.exit();`;

    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder }).toString();

    assert.match(said, /^widget\.js 200$/m);
    assert.match(said, /^v1\/session 401$/m);
    assert.match(said, /"reason":"expiresAt is over; .*"msg":"session refused"/);
  });

  it('rejects with the required Node version on an older Node, on which the SQLite driver would crash', () => {
    const versions = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`;
    const code = `const { nodeDefaults } = await import('vendor-inventory-widget/proxy/node');
      await nodeDefaults(${JSON.stringify(join(scratchFolder(), 'inventory.sqlite'))}).catch((error) => console.log(error.message));
      process.exit();`;

    const said = execFileSync(
      process.execPath,
      ['--import', `data:text/javascript,${versions}`, '--input-type=module', '--eval', code],
      { cwd: folder },
    );

    assert.equal(said.toString(), 'vendor-inventory needs Node.js 22.13 or newer; this is 20.20.2\n');
  });

  it('has a command that runs', () => {
    const said = execFileSync(process.execPath, [join(folder, COMMAND), '--help']);

    assert.match(said.toString(), /^Usage: vendor-inventory COMMAND/);
  });
});

describe('the dependencies that are installed', () => {
  it('with the elements are those of the page, and jose for the session helper', () => {
    assert.deepEqual(Object.keys(manifest.dependencies), ['jose', 'ky', 'lit', 'papaparse', 'zod']);
    for (const name of Object.keys(manifest.peerDependencies)) {
      assert.equal(manifest.peerDependenciesMeta[name]?.optional, true, name);
    }
  });

  it('with the proxy are the optional ones of the elements, and the command runs', () => {
    const { path, fields } = stage('vendor-inventory-proxy');

    const said = execFileSync(process.execPath, [join(path, fields.bin?.['vendor-inventory'] ?? ''), '--version']);

    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.equal(said.toString(), `${version}\n`);
    const { 'vendor-inventory-widget': widget, ...others } = fields.dependencies;
    assert.equal(widget, version);
    assert.deepEqual(Object.keys(others), Object.keys(manifest.peerDependencies));
  });

  it('with the session helper are only jose and zod', async () => {
    const { path, fields } = stage('vendor-inventory-session');

    const entry = join(path, fields.exports?.['.']?.default ?? '');
    const { signEmbedToken } = (await import(entry)) as { readonly signEmbedToken: unknown };

    assert.equal(typeof signEmbedToken, 'function');
    assert.deepEqual(Object.keys(fields.dependencies), ['jose', 'zod']);
  });

  for (const name of ['vendor-inventory-widget', 'vendor-inventory-proxy', 'vendor-inventory-session']) {
    it(`are declared in a valid manifest: ${name}`, async () => {
      const path = name === 'vendor-inventory-widget' ? folder : stage(name).path;

      const { messages } = await publint({ pkgDir: path, strict: true, level: 'suggestion' });

      assert.deepEqual(messages, []);
    });
  }
});

describe('the container', () => {
  const file = readFileSync('src/proxy/node/operating/Dockerfile', 'utf8');
  const lines = file.split('\n').filter((line) => /^[A-Z]+ /.test(line));
  const last = lines.slice(lines.map((line) => line.split(' ')[0]).lastIndexOf('FROM'));
  const words = (instruction: string): string =>
    last.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1) ?? '';

  it('starts the command of the package, not as root', () => {
    const [program, flag, script = ''] = JSON.parse(words('ENTRYPOINT')) as string[];

    assert.deepEqual([program, flag], ['node', '--disable-sigusr1']);
    assert.equal(posix.relative('/app', script), posix.normalize(COMMAND));
    assert.deepEqual(JSON.parse(words('CMD')), ['proxy']);
    assert.equal(words('USER'), 'node');
  });

  it('keeps the database on a volume', () => {
    assert.equal(words('VOLUME'), '/data');
    assert.match(words('ENV'), /\bDATABASE_URL=file:\/data\//);
  });

  it('downloads only packages of the lock file, and contains no secret', () => {
    assert.doesNotMatch(file, /^ADD |\b(curl|wget)\b|https?:\/\/(?!localhost|127\.0\.0\.1)/m);
    for (const line of lines.filter((text) => text.includes('npm'))) assert.doesNotMatch(line, /npm (install|i|add) /);
    assert.doesNotMatch(lines.join('\n'), /^(ARG|ENV) .*(SECRET|TOKEN|PASSWORD)/m);
  });

  it('copies only listed files of the repository, which all exist', () => {
    const rules = readFileSync('src/proxy/node/operating/Dockerfile.dockerignore', 'utf8').split('\n');
    const kept = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));

    assert.ok(rules.includes('*'));
    for (const path of kept) assert.ok(existsSync(path), path);
  });

  describe('has a health check', () => {
    const [program = '', ...args] = JSON.parse(/^[^[]*(\[.*)$/.exec(words('HEALTHCHECK'))?.[1] ?? '[]') as string[];
    const health = async (environment: Record<string, string>): Promise<number> => {
      assert.equal(program, 'node');
      const child = spawn(process.execPath, args, { env: environment, stdio: 'ignore' });
      const [code] = (await once(child, 'exit')) as [number | null];
      return code ?? -1;
    };

    it('that succeeds if the proxy is alive, also below a path', async (t) => {
      const { PORT, PUBLIC_URL } = await serveBelow(t);

      assert.equal(await health({ PORT, PUBLIC_URL }), 0);
    });

    it('that fails if the proxy does not answer', async (t) => {
      const { PORT } = await serveBelow(t);

      assert.notEqual(await health({ PORT, PUBLIC_URL: 'https://inventory.example.com/elsewhere' }), 0);
      assert.notEqual(await health({ PORT: '1' }), 0);
    });
  });
});

interface Fields {
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const staged = new Map<string, StagedPackage>();

interface StagedPackage {
  readonly path: string;
  readonly fields: Fields;
}

/** Stages one of the packages beside its dependencies. */
function stage(name: string): StagedPackage {
  const known = staged.get(name) ?? layOut(name);
  staged.set(name, known);
  return known;
}

function layOut(name: string): StagedPackage {
  const root = scratchFolder();
  const path = join(root, name);
  execFileSync(process.execPath, ['.ci/stage-package.js', path, name]);
  mkdirSync(join(root, 'node_modules'));
  for (const each of readdirSync('node_modules'))
    symlinkSync(resolve('node_modules', each), join(root, 'node_modules', each));
  symlinkSync(folder, join(root, 'node_modules', 'vendor-inventory-widget'));
  return { path, fields: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Fields };
}

async function serveBelow(t: TestContext): Promise<{ readonly PORT: string; readonly PUBLIC_URL: string }> {
  const { proxy } = openProxy(t, { basePath: '/below' });
  const server = await listen((request) => proxy.fetch(request), { host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  return { PORT: String(server.port), PUBLIC_URL: 'https://inventory.example.com/below/' };
}

function importsOf(code: string): string[] {
  const found = code.matchAll(
    /^(?:import|export)\b[^'";]*?from ['"]([^'"]+)['"]|^import ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm,
  );
  return [...found].map(([, from, bare, late]) => from ?? bare ?? late ?? '');
}

function resolves(path: string, name: string): boolean {
  if (name.startsWith('.')) return shipped.has(posix.join(dirname(path), name));
  if (name.startsWith('node:')) return true;
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  return packageName in manifest.dependencies || packageName in manifest.peerDependencies;
}

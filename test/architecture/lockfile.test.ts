import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

type Versions = Readonly<Record<string, string>>;

interface Locked {
  readonly version?: string;
  /** It is only installed for tools and tests. */
  readonly dev?: true;
  readonly dependencies?: Versions;
}

const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<Record<string, Versions | undefined>>;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Locked>> };

describe('the dependencies', () => {
  for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies', 'overrides']) {
    it(`have exact versions in ${kind}`, () => {
      const loose = Object.entries(manifest[kind] ?? {}).filter(([, version]) => !EXACT.test(version));

      assert.deepEqual(loose, []);
    });
  }

  it('are locked at the versions of package.json', () => {
    const named = { ...manifest['dependencies'], ...manifest['optionalDependencies'], ...manifest['devDependencies'] };

    const others = Object.entries(named).filter(([name, version]) => locked(name)?.version !== version);

    assert.deepEqual(others, [], 'run npm install and commit package-lock.json');
  });

  // Templates and schemas of two copies of a library are not compatible.
  it('have one version each, except those of tools and tests', () => {
    const versions = [...runtimePackages()].map((name) => ({ name, versions: versionsOf(name) }));

    const doubled = versions.filter((found) => found.versions.size !== 1);

    assert.deepEqual(
      doubled,
      [],
      'take a version that all of them accept, or name it in the overrides of package.json',
    );
  });
});

/** The direct and transitive dependencies of the built package. */
function runtimePackages(): Set<string> {
  const names = new Set(Object.keys(manifest['dependencies'] ?? {}));
  // The iteration of a set includes entries that are added during it.
  for (const name of names) for (const next of Object.keys(locked(name)?.dependencies ?? {})) names.add(next);
  return names;
}

function locked(name: string): Locked | undefined {
  return lock.packages[`node_modules/${name}`];
}

function versionsOf(name: string): Set<string | undefined> {
  const copies = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.endsWith(`node_modules/${name}`) && dev !== true,
  );
  return new Set(copies.map(([, { version }]) => version));
}

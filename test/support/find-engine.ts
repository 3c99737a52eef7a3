import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, canInstall, onPath, tellsItsVersion } from './installed-programs.js';

/** The engines besides Chromium in which tests run. */
export type Engine = 'firefox' | 'webkit';

/** Paths of the programs that an engine needs. */
export interface EnginePrograms {
  readonly firefox: { readonly firefox: string };
  /** WebKitGTK has no headless mode, so it needs a virtual screen. */
  readonly webkit: { readonly screen: string; readonly webDriver: string; readonly miniBrowser: string };
}

/** The variable that names the engine for the browser's test runner; absent: Chromium. */
export const ENGINE_VARIABLE = 'TEST_ENGINE';

const PACKAGES: Readonly<Record<Engine, readonly string[]>> = {
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb'],
};

const FIND: { readonly [Name in Engine]: () => EnginePrograms[Name] | undefined } = {
  firefox() {
    const firefox = onPath(['firefox-esr', 'firefox']).find(tellsItsVersion);
    return firefox === undefined ? undefined : { firefox };
  },
  webkit() {
    const screen = onPath(['Xvfb']).find((path) => existsSync(path));
    const webDriver = onPath(['WebKitWebDriver']).find((path) => existsSync(path));
    const miniBrowser = librariesOf('/usr/lib').find((path) => existsSync(path));
    return screen === undefined || webDriver === undefined || miniBrowser === undefined
      ? undefined
      : { screen, webDriver, miniBrowser };
  },
};

/** @throws {Error} if the engine is not installed */
export function installedEngine<Name extends Engine>(name: Name): EnginePrograms[Name] {
  const found = FIND[name]();
  if (found === undefined) throw new Error(missing(name));
  return found;
}

/** Installs the engine if it is missing. @returns why it cannot be installed; `undefined` if it is installed */
export function provideEngine(name: Engine): string | undefined {
  if (FIND[name]() !== undefined) return undefined;
  if (canInstall() && aptInstall('--no-install-recommends', ...PACKAGES[name]) && FIND[name]() !== undefined)
    return undefined;
  return missing(name);
}

function missing(name: Engine): string {
  return `install Debian's ${PACKAGES[name].join(' and ')}, or let this run as root on Debian, where it installs them`;
}

/** Debian's path of the program contains the machine's architecture and the version of WebKitGTK. */
function librariesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((name) =>
      ['4.1', '4.0', '6.0'].map((version) => join(folder, name, `webkit2gtk-${version}`, 'MiniBrowser')),
    );
}

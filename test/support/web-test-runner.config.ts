import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import type { BrowserLauncher, TestRunnerConfig } from '@web/test-runner';
import { chromeLauncher, type ChromeLauncherArgs } from '@web/test-runner-chrome';
import { browserCountReporter } from './browser-count-reporter.js';
import { findBrowser } from './find-browser.js';
import { ENGINE_VARIABLE, installedEngine } from './find-engine.js';
import { COUNTS_FILE } from './test-counts.js';
import { RUNS_VARIABLE, SEED_VARIABLE, USUAL_SEED } from './try-property.js';
import { papaparsePlugin } from './papaparse-plugin.js';
import { touchPlugin } from './touch-plugin.js';
import { webkitLauncher } from './webkit-launcher.js';

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

// The fault campaign checks properties more often than `npm test` does, and gives up waiting sooner.
const { [RUNS_VARIABLE]: runs, [SEED_VARIABLE]: seed = USUAL_SEED, TEST_WAIT_MS } = process.env;
// StrykerJS passes the active mutant to the code that it has changed (`npm run mutants`).
const { __STRYKER_ACTIVE_MUTANT__: fault } = process.env;
const wanted = {
  ...(runs !== undefined && { [RUNS_VARIABLE]: Number(runs) }),
  [SEED_VARIABLE]: Number(seed),
  ...(TEST_WAIT_MS !== undefined && { TEST_WAIT_MS: Number(TEST_WAIT_MS) }),
  ...(fault !== undefined && { __stryker__: { activeMutant: fault } }),
};

const TEST_TIMEOUT_MS = 240_000;
/** With a mutant that disables a safeguard, each test of a file may wait in vain, one after the other. */
const FILE_TIMEOUT_MS = 900_000;

/**
 * Each page has a browser context of its own. All pages have the same origin, and two at once would share IndexedDB, locks
 * and channels. A page with an edit in memory only asks before it is closed, as it should; the launcher accepts.
 */
const createPage: NonNullable<ChromeLauncherArgs['createPage']> = async ({ browser }) => {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  return page;
};

function launcher(engine: string | undefined): BrowserLauncher {
  switch (engine) {
    case undefined: {
      // Chromium refuses to run its sandbox as root.
      const args = process.getuid?.() === 0 ? [...QUIET, '--no-sandbox'] : QUIET;
      return chromeLauncher({ createPage, launchOptions: { executablePath: findBrowser(), headless: true, args } });
    }
    case 'firefox': {
      // The launcher drives Chromium and Firefox alike, over WebDriver BiDi.
      const executablePath = installedEngine('firefox').firefox;
      const firefox = chromeLauncher({
        createPage,
        launchOptions: { browser: 'firefox', executablePath, headless: true, args: [] },
      });
      return Object.assign(firefox, { name: 'Firefox' });
    }
    case 'webkit':
      return webkitLauncher(installedEngine('webkit'));
    default:
      throw new Error(`there is no engine ${engine}`);
  }
}

const engine = process.env[ENGINE_VARIABLE];
const countsFile = process.env[COUNTS_FILE];

const config: TestRunnerConfig = {
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  files: ['test/client/**/*.test.ts', 'test/elements/**/*.test.ts'],
  nodeResolve: true,
  plugins: [
    touchPlugin(),
    papaparsePlugin(),
    // The decorators need the compiler options of that file: without them, a field silently shadows its accessor.
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('../../tsconfig.json', import.meta.url)),
    }),
  ],
  browsers: [launcher(engine)],
  // These limits are no claim about speed; they only end a wait for something that never happens.
  testFramework: { config: { timeout: String(TEST_TIMEOUT_MS) } },
  testsFinishTimeout: runs === undefined ? FILE_TIMEOUT_MS : 3_600_000,
  testRunnerHtml: (framework) =>
    `<script>Object.assign(globalThis, ${JSON.stringify(wanted)})</script>
     <script type="module" src="/test/support/fixed-seed-in-browser.ts"></script>
     <script type="module" src="${framework}"></script>`,
  concurrency: engine === undefined ? 2 : 1,
  filterBrowserLogs: ({ args }) => !args.some((arg) => String(arg).includes('Lit is in dev mode')),
  reporters: [
    defaultReporter({ reportTestProgress: process.stdout.isTTY === true }),
    ...(countsFile === undefined ? [] : [browserCountReporter(countsFile)]),
  ],
};

export default config;

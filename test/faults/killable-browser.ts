import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { findBrowser } from '../support/find-browser.js';

const FLAGS = ['--headless=new', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'];

/** A browser with a profile on disk, which is killed, as phones do, and started again. */
export class KillableBrowser {
  readonly #profile: string;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #browser: Browser | undefined;

  /** @param profile the folder of the browser profile */
  constructor(profile: string, flags: readonly string[] = []) {
    this.#profile = profile;
    this.#flags = process.getuid?.() === 0 ? [...FLAGS, ...flags, '--no-sandbox'] : [...FLAGS, ...flags];
  }

  async start(): Promise<BrowserContext> {
    const child = spawn(findBrowser(), [...this.#flags, `--user-data-dir=${this.#profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // All of its processes are one group, which is killed as a whole.
      detached: true,
    });
    this.#child = child;
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', () => {
        reject(new Error(`the browser ended: ${said.slice(-500)}`));
      });
    });
    this.#browser = await chromium.connectOverCDP(address);
    const [context] = this.#browser.contexts();
    if (context === undefined) throw new Error('the browser has no profile');
    return context;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, 'SIGKILL');
    await once(child, 'exit');
    await this.#browser?.close().catch(() => undefined);
  }
}

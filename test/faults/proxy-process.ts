import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { signEmbedToken } from '../../src/proxy/access/sign-embed-token.js';
import { freePort } from '../journeys/free-port.js';
import type { Evidence } from './evidence.js';

const BIN = resolve('dist/proxy/node/cli/bin.js');

export const HOST_ORIGIN = 'https://admin.example.com';
export const PUBLIC_URL = 'https://inventory.example.com';
export const CLIENT_ID = 'guest-house';
/** The vendor whose edits the load generator makes. */
export const VENDOR = 'boat-tours';

export interface ProxyProcessOptions {
  readonly portalUrl: string;
  readonly clientSecret: string;
  /** Settings that replace the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Settings that replace those of the profile, which has a high rate limit. */
  readonly profile?: object;
  /** Arguments for Node, such as `--import` of a module that injects faults. */
  readonly node?: readonly string[];
  /** A program that runs it, such as `strace` with its arguments. */
  readonly wrapper?: readonly string[];
  readonly name?: string;
}

/** An embed token is valid for 15 minutes, and is renewed before. */
const TOKEN_USE_MS = 10 * 60_000;
const FAST_PORTAL = { limits: { calls_per_second: 1000 }, timeouts: { call_ms: 2000 } };

/** The built `vendor-inventory proxy` at one address with one database, which is killed and started again. */
export class ProxyProcess {
  readonly url: string;
  readonly metricsUrl: string;
  readonly #evidence: Evidence;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #options: ProxyProcessOptions;
  readonly #sessionSecret: string;
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>();
  #child: ChildProcess | undefined;
  #up: Promise<void> = Promise.resolve();

  private constructor(
    options: ProxyProcessOptions,
    evidence: Evidence,
    [port, metricsPort]: readonly [number, number],
    sessionSecret: string,
  ) {
    const { portalUrl, clientSecret, profile = FAST_PORTAL, name = 'proxy' } = options;
    this.#options = options;
    this.#evidence = evidence;
    this.#sessionSecret = sessionSecret;
    this.url = `http://127.0.0.1:${String(port)}`;
    this.metricsUrl = `http://127.0.0.1:${String(metricsPort)}/metrics`;
    const file = (setting: string, content: string): string => {
      const path = evidence.secretPath(`${name}-${setting}`);
      writeFileSync(path, content);
      return path;
    };
    const widget = evidence.path('widget');
    mkdirSync(widget, { recursive: true });
    this.#environment = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PORTAL_BASE_URL: portalUrl,
      PORTAL_CLIENT_ID: CLIENT_ID,
      PORTAL_CLIENT_SECRET_FILE: file('client-secret', clientSecret),
      PORTAL_PROFILE: file('profile', JSON.stringify(profile)),
      DATABASE_URL: `file:${evidence.path('inventory.sqlite')}`,
      PUBLIC_URL,
      ALLOWED_ORIGINS: HOST_ORIGIN,
      SESSION_ISSUER: HOST_ORIGIN,
      SESSION_SECRET_FILE: file('session-secret', sessionSecret),
      WIDGET_DIR: widget,
      LOG_LEVEL: 'debug',
      ...options.environment,
    };
  }

  /** @param sessionSecret the secret of the host, which all proxies of that host share */
  static async at(options: ProxyProcessOptions, evidence: Evidence, sessionSecret?: string): Promise<ProxyProcess> {
    const secret = sessionSecret ?? randomBytes(32).toString('base64url');
    evidence.mustNotAppear('the session secret', secret);
    const ports = [await freePort(), await freePort()] as const;
    const proxy = new ProxyProcess(options, evidence, ports, secret);
    evidence.noteAtEnd(() => proxy.noteMetrics());
    return proxy;
  }

  /** Resolves when the proxy listens, and rejects if it exits before. */
  start(
    node: readonly string[] = this.#options.node ?? [],
    wrapper: readonly string[] = this.#options.wrapper ?? [],
  ): Promise<void> {
    this.#up = this.#spawn(node, wrapper);
    // A failed start rejects for callers that await it. Without one it must not crash the campaign.
    this.#up.catch(() => undefined);
    return this.#up;
  }

  async #spawn(node: readonly string[], wrapper: readonly string[]): Promise<void> {
    const [program = process.execPath, ...words] = [...wrapper, process.execPath];
    const child = spawn(program, [...words, ...node, BIN, 'proxy'], {
      env: { PATH: process.env['PATH'] ?? '', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The process and its wrapper are one group, which is killed as a whole.
      detached: true,
    });
    this.#child = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: Buffer): void => {
        this.#evidence.note(`${this.#options.name ?? 'proxy'}.log`, chunk);
        said = (said + chunk.toString()).slice(-4000);
        if (said.includes('proxy listens')) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        reject(new Error(`the proxy ended with ${String(code ?? signal)}: ${said.slice(-500)}`));
      });
    });
  }

  /** Resolves when the newest start has succeeded or failed. */
  async settled(): Promise<void> {
    await this.#up.catch(() => undefined);
  }

  get isAlive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.isAlive) return;
    try {
      process.kill(-this.pid, name);
    } catch (error) {
      // The process has ended in between.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Resolves to the exit code or signal of the process. */
  async gone(): Promise<number | NodeJS.Signals | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (this.isAlive) await once(child, 'exit');
    return child.exitCode ?? child.signalCode;
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.gone();
  }

  /** Records a response, for the search for secrets. */
  noteAnswer(headers: Headers, text: string): void {
    this.#evidence.note('answers.txt', `${JSON.stringify([...headers])}\n${text}\n`);
  }

  /** The process id of the running proxy. */
  async noteMetrics(): Promise<void> {
    if (!this.isAlive) return;
    await this.settled();
    const answer = await fetch(this.metricsUrl);
    this.#evidence.note('metrics.txt', await answer.text());
  }

  /** A person's embed token, which is reused while it is valid. */
  async tokenOf(subject: string, vendor = VENDOR): Promise<string> {
    const person = `${vendor} ${subject}`;
    const known = this.#tokens.get(person);
    if (known !== undefined && known.until > Date.now()) return known.token;
    const token = await signEmbedToken(this.#sessionSecret, {
      issuer: HOST_ORIGIN,
      audience: PUBLIC_URL,
      origin: HOST_ORIGIN,
      subject,
      vendor,
      permissions: ['view', 'edit', 'bulk', 'schedule', 'history', 'resolve'],
    });
    this.#evidence.mustNotAppear('an embed token', token);
    this.#tokens.set(person, { token, until: Date.now() + TOKEN_USE_MS });
    return token;
  }
}

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signEmbedToken } from '../../src/proxy/access/sign-embed-token.js';
import { startCommand, type Running } from './processes.js';

export const ORIGIN = 'https://admin.example.com';

export interface ProxyFixture {
  readonly proxy: Running;
  readonly database: string;
  /** Tokens of different persons of eight vendors. */
  tokens(persons: number): Promise<string[]>;
  end(): Promise<void>;
}

export interface ProxyFixtureOptions {
  readonly portalUrl: string;
  readonly profile?: object;
  readonly environment?: Readonly<Record<string, string>>;
  /** Fills the database before the proxy opens it. */
  readonly before?: (database: string) => Promise<void>;
}

/** Starts the built proxy on a new database, with limits for batches of a thousand edits. */
export async function openProxyFixture({
  portalUrl,
  profile = {},
  before,
  environment = {},
}: ProxyFixtureOptions): Promise<ProxyFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'inventory-bench-'));
  const database = join(folder, 'inventory.sqlite');
  const secret = randomBytes(32).toString('base64url');
  const publicUrl = 'https://inventory.example.com';
  writeFileSync(join(folder, 'session-secret'), secret);
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile));
  await before?.(database);
  const proxy = await startCommand('proxy', {
    PORTAL_BASE_URL: portalUrl,
    PORTAL_CLIENT_ID: 'bench',
    PORTAL_CLIENT_SECRET: 'bench',
    PORTAL_PROFILE: join(folder, 'profile.json'),
    DATABASE_URL: `file:${database}`,
    PUBLIC_URL: publicUrl,
    ALLOWED_ORIGINS: ORIGIN,
    SESSION_ISSUER: ORIGIN,
    SESSION_SECRET_FILE: join(folder, 'session-secret'),
    MAX_EDITS: '1000',
    MAX_BODY_BYTES: String(1024 * 1024),
    ...environment,
  });
  return {
    proxy,
    database,
    tokens: (persons) =>
      Promise.all(
        Array.from({ length: persons }, (_, at) =>
          signEmbedToken(secret, {
            issuer: ORIGIN,
            audience: publicUrl,
            origin: ORIGIN,
            subject: `person-${String(at)}`,
            vendor: `vendor-${String(at % 8)}`,
            permissions: ['view', 'edit', 'bulk'],
          }),
        ),
      ),
    async end() {
      await proxy.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { fileURLToPath } from 'node:url';
import type { JSONWebKeySet } from 'jose';
import * as z from 'zod/mini';
import { sharedSecret, type EmbedTokenKey } from '../embed-token.js';
import { DEFAULT_LIMITS } from '../handler.js';
import type { LogLevel } from '../log.js';
import type { PortalAccount } from '../portal-client.js';
import { portalProfile, type PortalProfile } from '../profile.js';
import { Secret } from '../secret.js';
import { SettingsReader, type Environment } from './settings.js';

export interface ProxySettings {
  readonly portal: PortalAccount;
  readonly profile: PortalProfile;
  readonly databasePath: string;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly session: { readonly key: EmbedTokenKey; readonly issuer: string; readonly audience: string };
  readonly limits: { readonly maxBodyBytes: number; readonly maxEdits: number };
  readonly widgetDirectory: string;
  readonly logLevel: LogLevel;
}

const DEFAULT_WIDGET_DIRECTORY = fileURLToPath(new URL('../../widget', import.meta.url));

/** @throws {import('./settings.js').SettingsRefused} with one line for each bad setting */
export function readProxySettings(environment: Environment): ProxySettings {
  const reader = new SettingsReader(environment);
  const host = reader.optional('HOST') ?? '127.0.0.1';
  const port = reader.integer('PORT', 8080, 0, 65535);
  const publicUrl = reader.optional('PUBLIC_URL') ?? `http://localhost:${String(port)}`;
  reader.url('PUBLIC_URL', publicUrl, true);
  const settings: ProxySettings = {
    portal: readAccount(reader),
    profile: readProfile(reader),
    databasePath: readDatabasePath(reader),
    host,
    port,
    publicUrl,
    allowedOrigins: readOrigins(reader),
    session: {
      key: readSessionKey(reader),
      issuer: reader.required('SESSION_ISSUER', 'the iss claim of the embed tokens that your host signs'),
      audience: reader.optional('SESSION_AUDIENCE') ?? publicUrl,
    },
    limits: {
      maxBodyBytes: reader.integer('MAX_BODY_BYTES', DEFAULT_LIMITS.maxBodyBytes, 1024, 16 * 1024 * 1024),
      maxEdits: reader.integer('MAX_EDITS', DEFAULT_LIMITS.maxEdits, 1, 10_000),
    },
    widgetDirectory: reader.folder('WIDGET_DIR', reader.optional('WIDGET_DIR') ?? DEFAULT_WIDGET_DIRECTORY),
    logLevel: reader.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error'], 'info'),
  };
  reader.finish();
  return settings;
}

function readAccount(reader: SettingsReader): PortalAccount {
  const base = reader.required('PORTAL_BASE_URL', "the portal's base address");
  const url = base === '' ? undefined : reader.url('PORTAL_BASE_URL', base, true);
  return {
    baseUrl: (url?.href ?? '').replace(/\/+$/, ''),
    clientId: reader.required('PORTAL_CLIENT_ID', 'the client identifier that the portal generated for you'),
    clientSecret: new Secret(readSecret(reader)),
  };
}

function readSecret(reader: SettingsReader): string {
  const value = reader.optional('PORTAL_CLIENT_SECRET');
  const path = reader.optional('PORTAL_CLIENT_SECRET_FILE');
  if ((value === undefined) === (path === undefined)) {
    reader.fault('set exactly one of PORTAL_CLIENT_SECRET and PORTAL_CLIENT_SECRET_FILE: the secret of the portal');
    return '';
  }
  const secret = path === undefined ? value : reader.file('PORTAL_CLIENT_SECRET_FILE', path);
  if (secret === '') reader.fault('PORTAL_CLIENT_SECRET_FILE is empty');
  return secret ?? '';
}

function readProfile(reader: SettingsReader): PortalProfile {
  const path = reader.optional('PORTAL_PROFILE');
  const text = path === undefined ? '{}' : (reader.file('PORTAL_PROFILE', path) ?? '{}');
  return reader.json('PORTAL_PROFILE', text, portalProfile) ?? portalProfile.parse({});
}

function readDatabasePath(reader: SettingsReader): string {
  const url = reader.optional('DATABASE_URL') ?? 'file:inventory.sqlite';
  const path = /^file:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path === undefined) reader.fault('DATABASE_URL must be file:PATH, as in file:inventory.sqlite');
  return path ?? '';
}

function readOrigins(reader: SettingsReader): string[] {
  const origins = (reader.optional('ALLOWED_ORIGINS') ?? '').split(/[\s,]+/).filter((origin) => origin !== '');
  for (const origin of origins) {
    if (!isExactOrigin(origin)) {
      reader.fault(`ALLOWED_ORIGINS: ${origin} is no exact origin such as https://admin.example.com (no path, no *)`);
    }
  }
  return origins;
}

function isExactOrigin(text: string): boolean {
  // A star is a letter like any other to the URL parser, and no browser ever sends one.
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.enum(['OKP', 'EC']) })).check(z.minLength(1)) });

function readSessionKey(reader: SettingsReader): EmbedTokenKey {
  const secretPath = reader.optional('SESSION_SECRET_FILE');
  const jwksLocation = reader.optional('SESSION_JWKS');
  const nothing: EmbedTokenKey = { kind: 'secret', secret: new Secret('') };
  if ((secretPath === undefined) === (jwksLocation === undefined)) {
    reader.fault(
      'set exactly one of SESSION_SECRET_FILE and SESSION_JWKS: how the embed tokens of your host are checked',
    );
    return nothing;
  }
  if (secretPath !== undefined) {
    const secret = reader.file('SESSION_SECRET_FILE', secretPath);
    if (secret === undefined) return nothing;
    try {
      sharedSecret(secret);
    } catch (error) {
      reader.fault(`SESSION_SECRET_FILE: ${error instanceof Error ? error.message : String(error)}`);
    }
    return { kind: 'secret', secret: new Secret(secret) };
  }
  const location = jwksLocation ?? '';
  if (/^https?:/.test(location)) {
    const url = reader.url('SESSION_JWKS', location, true);
    return url === undefined ? nothing : { kind: 'jwks-url', url };
  }
  const text = reader.file('SESSION_JWKS', location);
  const keys = text === undefined ? undefined : reader.json('SESSION_JWKS', text, jwks);
  return keys === undefined ? nothing : { kind: 'jwks', jwks: keys as JSONWebKeySet };
}

import * as z from 'zod/mini';
import { headerValue, ownHeaderName } from '../../../contract/header-names.js';
import { itemsPage } from '../../../contract/host-items.js';
import type { EmbedTokenKey } from '../../access/embed-token.js';
import { jwkSet } from '../../access/remote-jwks.js';
import { encodeSecret } from '../../access/verification-keys.js';
import { DEFAULT_LANES } from '../../delivery/delivery.js';
import { isExactOrigin } from '../../runtime/address-rules.js';
import { DEFAULT_HISTORY_DAYS, DEFAULT_LIMITS, MAX_HISTORY_DAYS } from '../../options.js';
import { KEY_DAYS } from '../../outbox/retention.js';
import type { LogLevel } from '../../runtime/log.js';
import { Secret } from '../../runtime/secret.js';
import { isNetwork } from '../server/client-address.js';
import { OWN_WIDGET_DIRECTORY } from '../server/widget-files.js';
import { type Environment, EnvReader } from './env-reader.js';
import { type PortalConfig, readPortalConfig } from './portal-config.js';

export interface ProxyConfig {
  readonly portal: PortalConfig;
  readonly items: CatalogLocation | undefined;
  readonly forwardProxy: ForwardProxy | undefined;
  readonly database: DatabaseConfig;
  readonly host: string;
  readonly port: number;
  /** Where metrics are served; absent where they are not. */
  readonly metricsPort: number | undefined;
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly session: { readonly key: EmbedTokenKey; readonly issuer: string; readonly audience: string };
  /** Whether answers say why a session is refused; `undefined`: on loopback only. */
  readonly debugSessions: boolean | undefined;
  readonly limits: { readonly maxBodyBytes: number; readonly maxEdits: number };
  readonly historyDays: number;
  readonly maxLanes: number;
  readonly widgetDirectory: string;
  readonly logLevel: LogLevel;
}

/** @throws {import('./env-reader.js').InvalidSettings} with one line for each bad setting */
export function readProxyConfig(environment: Environment): ProxyConfig {
  const reader = new EnvReader(environment);
  const host = reader.optional('HOST') ?? '127.0.0.1';
  const port = reader.integer('PORT', 8080, 0, 65535);
  // As a host names it in a token: with the slash that browsers copy along it would be another audience.
  const publicUrl = (reader.optional('PUBLIC_URL') ?? `http://localhost:${String(port)}`).replace(/\/+$/, '');
  reader.url('PUBLIC_URL', publicUrl);
  const portal = readPortalConfig(reader);
  const settings: ProxyConfig = {
    portal,
    items: readCatalogLocation(reader, portal),
    forwardProxy: readForwardProxy(reader),
    database: readDatabase(reader),
    host,
    port,
    metricsPort: readMetricsPort(reader),
    publicUrl,
    allowedOrigins: readOrigins(reader),
    trustedProxies: readTrustedProxies(reader),
    session: {
      key: readSessionKey(reader),
      issuer: reader.required('SESSION_ISSUER', 'the iss claim of the embed tokens that your host signs'),
      audience: reader.optional('SESSION_AUDIENCE') ?? publicUrl,
    },
    debugSessions: readDebugSessions(reader),
    limits: {
      maxBodyBytes: reader.integer('MAX_BODY_BYTES', DEFAULT_LIMITS.maxBodyBytes, 1024, 16 * 1024 * 1024),
      maxEdits: reader.integer('MAX_EDITS', DEFAULT_LIMITS.maxEdits, 1, 10_000),
    },
    historyDays: readHistoryDays(reader),
    maxLanes: reader.integer('DELIVERY_LANES', DEFAULT_LANES, 1, 256),
    widgetDirectory: reader.folder('WIDGET_DIR', reader.optional('WIDGET_DIR') ?? OWN_WIDGET_DIRECTORY),
    logLevel: reader.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error'], 'info'),
  };
  reader.finish();
  return settings;
}

function readDebugSessions(reader: EnvReader): boolean | undefined {
  if (reader.optional('DEBUG_SESSIONS') === undefined) return undefined;
  return reader.oneOf('DEBUG_SESSIONS', ['on', 'off'], 'off') === 'on';
}

/** Who comes again with a key, as long as it is known, is answered with the edits that came under it. */
function readHistoryDays(reader: EnvReader): number {
  const why = `idempotency keys live ${String(KEY_DAYS)} days, and their edits as long at least`;
  return reader.integer('HISTORY_DAYS', DEFAULT_HISTORY_DAYS, KEY_DAYS, MAX_HISTORY_DAYS, why);
}

/** One machine keeps a file; several share a PostgreSQL. */
export type DatabaseConfig =
  | { readonly kind: 'file'; readonly path: string }
  /** Its URL may hold a password. */
  | { readonly kind: 'postgres'; readonly url: Secret };

export function readDatabase(reader: EnvReader): DatabaseConfig {
  const url = reader.optional('DATABASE_URL') ?? 'file:inventory.sqlite';
  if (isPostgresAddress(url)) return { kind: 'postgres', url: new Secret(url) };
  const path = /^file:(?:\/\/)?\s*(.+)$/.exec(url)?.[1];
  if (path === undefined) {
    reader.fault(
      /^postgres/i.test(url)
        ? 'DATABASE_URL cannot be read: it must be an address such as postgres://user:password@db.example.com/inventory; in a user or password, percent-encode what is no letter or digit'
        : 'DATABASE_URL must be file:PATH, as in file:inventory.sqlite, or postgres://…',
    );
  }
  return { kind: 'file', path: path ?? '' };
}

/**
 * A bare /, ? or # in a password ends the host early: what comes before it would be taken, and printed, for host and port,
 * and the rest, with the @ that ends it, for the name of the database or of an option.
 */
function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^#]*$/.test(text) || !URL.canParse(text)) return false;
  const { pathname, searchParams } = new URL(text);
  return ![pathname, ...searchParams.keys()].some((name) => name.includes('@'));
}

/** The port that OpenTelemetry's exporter for Prometheus made usual. */
const DEFAULT_METRICS_PORT = 9464;

function readMetricsPort(reader: EnvReader): number | undefined {
  if (reader.optional('METRICS_PORT') === 'off') return undefined;
  return reader.integer('METRICS_PORT', DEFAULT_METRICS_PORT, 0, 65535, 'off means none');
}

function readOrigins(reader: EnvReader): string[] {
  const origins = (reader.optional('ALLOWED_ORIGINS') ?? '').split(/[\s,]+/).filter((origin) => origin !== '');
  for (const origin of origins) {
    if (!isExactOrigin(origin)) {
      reader.fault(`ALLOWED_ORIGINS: ${origin} is no exact origin such as ${nearestOrigin(origin)} (no path, no *)`);
    }
  }
  return origins;
}

/** What a browser would make of it, which writes small letters and no usual port. */
function nearestOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  return isExactOrigin(origin) ? origin : 'https://admin.example.com';
}

function readTrustedProxies(reader: EnvReader): string[] {
  const networks = (reader.optional('TRUSTED_PROXIES') ?? '').split(/[\s,]+/).filter((network) => network !== '');
  for (const network of networks) {
    if (!isNetwork(network)) {
      reader.fault(`TRUSTED_PROXIES: ${network} is no address or network such as 10.0.0.0/8`);
    }
  }
  return networks;
}

/** How embed tokens are checked. Read at the start, and again on SIGHUP. */
export function readSessionKey(reader: EnvReader): EmbedTokenKey {
  const secretPath = reader.optional('SESSION_SECRET_FILE');
  const jwksLocation = reader.optional('SESSION_JWKS');
  if ((secretPath === undefined) === (jwksLocation === undefined)) {
    reader.fault(
      'set exactly one of SESSION_SECRET_FILE and SESSION_JWKS: how the embed tokens of your host are checked',
    );
    return NOTHING;
  }
  return secretPath === undefined ? readJwks(reader, jwksLocation ?? '') : readSharedSecret(reader, secretPath);
}

/** The placeholder of a key that was refused never leaves this room: `finish` throws first. */
const NOTHING: EmbedTokenKey = { kind: 'secret', secret: new Secret('') };

/** A file may hold two lines while one secret replaces another: tokens of both are good. */
function readSharedSecret(reader: EnvReader, path: string): EmbedTokenKey {
  const text = reader.secretFile('SESSION_SECRET_FILE', path);
  if (text === undefined) return NOTHING;
  const [secret = '', older, ...more] = text.split(/\r?\n/).filter((line) => line !== '');
  if (more.length > 0) reader.fault('SESSION_SECRET_FILE holds more than two lines');
  try {
    for (const each of [secret, older]) if (each !== undefined) encodeSecret(each);
  } catch (error) {
    reader.fault(`SESSION_SECRET_FILE: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { kind: 'secret', secret: new Secret(secret), ...(older !== undefined && { older: new Secret(older) }) };
}

function readJwks(reader: EnvReader, location: string): EmbedTokenKey {
  if (/^https?:/.test(location)) {
    const url = reader.url('SESSION_JWKS', location);
    return url === undefined ? NOTHING : { kind: 'jwks-url', url };
  }
  // A key may stand here itself, and its private half with it.
  const text = reader.secretFile('SESSION_JWKS', location);
  const jwks = text === undefined ? undefined : reader.json('SESSION_JWKS', text, jwkSet);
  return jwks === undefined ? NOTHING : { kind: 'jwks', jwks };
}

/** Where the operator's list of items is: a JSON file or a URL. `{vendor}` in it: each vendor has a list of their own. */
export interface CatalogLocation {
  readonly kind: 'file' | 'url';
  readonly location: string;
  readonly byVendor: boolean;
  /** What each call to a URL has besides: it may prove that the proxy is the one that asks. */
  readonly header?: CatalogHeader | undefined;
}

export interface CatalogHeader {
  readonly name: string;
  readonly value: Secret;
}

export const VENDOR_PLACEHOLDER = '{vendor}';

export function readCatalogLocation(reader: EnvReader, portal: PortalConfig): CatalogLocation | undefined {
  const location = reader.optional('ITEMS_SOURCE');
  if (location === undefined) return undefined;
  const byVendor = location.includes(VENDOR_PLACEHOLDER);
  requireCatalog(reader, portal);
  const header = readCatalogHeader(reader);
  if (!/^https?:\/\//i.test(location)) {
    if (header !== undefined) reader.fault('ITEMS_SOURCE_HEADER_FILE is for an ITEMS_SOURCE that is a URL');
    if (!byVendor) readNow(reader, location);
    return { kind: 'file', location, byVendor };
  }
  if (!/^https?:\/\/[^/{]+(?:\/|$)/i.test(location)) reader.fault('ITEMS_SOURCE may name {vendor} in its path only');
  reader.url('ITEMS_SOURCE', location.replaceAll(VENDOR_PLACEHOLDER, 'vendor'));
  return { kind: 'url', location, byVendor, header };
}

/** One line as it is sent, such as `Authorization: Bearer …`. Read at the start, and again on SIGHUP. */
export function readCatalogHeader(reader: EnvReader): CatalogHeader | undefined {
  const path = reader.optional('ITEMS_SOURCE_HEADER_FILE');
  const line = path === undefined ? undefined : reader.secretFile('ITEMS_SOURCE_HEADER_FILE', path);
  if (line === undefined) return undefined;
  const [, name = '', value = ''] = /^([^:\s]+): *(\S.*?) *$/.exec(line) ?? [];
  const isName = z.safeParse(ownHeaderName, name).success && !/^if-none-match$/i.test(name);
  if (isName && z.safeParse(headerValue, value).success) return { name, value: new Secret(value) };
  reader.fault(
    'ITEMS_SOURCE_HEADER_FILE must hold one header in one line, such as Authorization: Bearer and the token',
  );
  return undefined;
}

/** Holds the list against what the portal's settings say of vendors: at the start, and when those are read again. */
export function requireCatalog(reader: EnvReader, { account, profile }: PortalConfig): void {
  const location = reader.optional('ITEMS_SOURCE');
  const isShared = account.byVendor === undefined && !profile.update.path.includes(VENDOR_PLACEHOLDER);
  if (location === undefined || location.includes(VENDOR_PLACEHOLDER) || isShared) return;
  reader.fault('ITEMS_SOURCE must name {vendor}: this proxy serves several vendors, and each has a list of their own');
}

/** A file that is wrong at the start is a bad setting. Later, the list before stays. */
function readNow(reader: EnvReader, path: string): void {
  const text = reader.file('ITEMS_SOURCE', path);
  if (text !== undefined) reader.json('ITEMS_SOURCE', text, itemsPage);
}

/** The HTTP proxy by which calls leave a network that lets none out directly. Not ours, which takes calls in. */
export interface ForwardProxy {
  /** Http or https, perhaps with user and password. */
  readonly url: Secret;
  /** Who is called directly, as NO_PROXY has it: hosts with all below them, perhaps with a port; `*` for everybody. */
  readonly noProxy?: string | undefined;
  /** What an operator knows the URL by. */
  readonly setting?: string | undefined;
}

/** An older convention has only the lower case. HTTP_PROXY is for what is not HTTPS, and all that is called from afar is. */
const SETTINGS = ['https_proxy', 'HTTPS_PROXY'];

export function readForwardProxy(reader: EnvReader): ForwardProxy | undefined {
  const setting = SETTINGS.find((name) => reader.optional(name) !== undefined);
  if (setting === undefined) return undefined;
  const url = new Secret(reader.optional(setting) ?? '');
  if (parseForwardProxy(url) === undefined) {
    reader.fault(
      `${setting} must be an http or https URL without path, such as http://proxy.example.com:3128; in a user or password, percent-encode what is no letter or digit`,
    );
  }
  return { url, noProxy: reader.optional('no_proxy') ?? reader.optional('NO_PROXY'), setting };
}

export interface ForwardProxyParts {
  readonly origin: string;
  /** For the eyes of an operator: it has the port where that is not the usual one. */
  readonly host: string;
  /** What Proxy-Authorization says (RFC 7617), where there is a user. */
  readonly authorization: Secret | undefined;
}

/** This must not throw: errors of Node quote the URL. @returns `undefined` for what is none */
export function parseForwardProxy(url: Secret): ForwardProxyParts | undefined {
  const text = url.reveal();
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, host, username, password, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  // A password with a bare /, ? or # ends the host early, and what comes before it would be taken, and printed, for that.
  if (pathname !== '/' || /[?#]/.test(text)) return undefined;
  if (username === '' && password === '') return { origin, host, authorization: undefined };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { origin, host, authorization: new Secret(`Basic ${Buffer.from(pair).toString('base64')}`) };
  } catch {
    return undefined;
  }
}

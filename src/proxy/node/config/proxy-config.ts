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
  /** The port for metrics; absent if they are not served. */
  readonly metricsPort: number | undefined;
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly session: { readonly key: EmbedTokenKey; readonly issuer: string; readonly audience: string };
  /** Whether responses give the reason why a session is rejected; `undefined`: on loopback only. */
  readonly debugSessions: boolean | undefined;
  readonly limits: { readonly maxBodyBytes: number; readonly maxEdits: number };
  readonly historyDays: number;
  readonly maxLanes: number;
  readonly widgetDirectory: string;
  readonly logLevel: LogLevel;
}

/** @throws {InvalidSettings} with one line for each invalid setting */
export function readProxyConfig(environment: Environment): ProxyConfig {
  const reader = new EnvReader(environment);
  const host = reader.optional('HOST') ?? '127.0.0.1';
  const port = reader.integer('PORT', 8080, 0, 65535);
  // Without a trailing slash: it is compared with the audience in tokens, and hosts write the URL without one.
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

/** A repeated idempotency key is answered with the receipts of its edits, so edits are kept at least as long as keys. */
function readHistoryDays(reader: EnvReader): number {
  const why = `idempotency keys live ${String(KEY_DAYS)} days, and their edits as long at least`;
  return reader.integer('HISTORY_DAYS', DEFAULT_HISTORY_DAYS, KEY_DAYS, MAX_HISTORY_DAYS, why);
}

/** A SQLite file for a single machine, or a PostgreSQL database for several. */
export type DatabaseConfig =
  | { readonly kind: 'file'; readonly path: string }
  /** The URL may hold a password. */
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
 * An unescaped /, ? or # in a password ends the host early. The text before it would then be used, and printed, as host and
 * port, and the rest, with the @ after the password, as the name of the database or of an option.
 */
function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\/[^#]*$/.test(text) || !URL.canParse(text)) return false;
  const { pathname, searchParams } = new URL(text);
  return ![pathname, ...searchParams.keys()].some((name) => name.includes('@'));
}

/** The usual port of OpenTelemetry's Prometheus exporter. */
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

/** Suggests the origin as a browser writes it: in lower case and without the default port. */
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

/** The key that verifies embed tokens. Read at start, and again on SIGHUP. */
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

/** The placeholder for an invalid key. It is never used, because `finish` throws first. */
const NOTHING: EmbedTokenKey = { kind: 'secret', secret: new Secret('') };

/** Reads the shared secret. A file may hold two lines during a rotation; tokens of both secrets are accepted. */
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
  // Read as a secret file, because the setting itself may hold a key, possibly with its private half.
  const text = reader.secretFile('SESSION_JWKS', location);
  const jwks = text === undefined ? undefined : reader.json('SESSION_JWKS', text, jwkSet);
  return jwks === undefined ? NOTHING : { kind: 'jwks', jwks };
}

/** Where the operator's list of items is: a JSON file or a URL. With `{vendor}` in it, each vendor has its own list. */
export interface CatalogLocation {
  readonly kind: 'file' | 'url';
  readonly location: string;
  readonly byVendor: boolean;
  /** A header of each request to a URL, which may authenticate the proxy. */
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

/** Reads one header line as it is sent, such as `Authorization: Bearer …`. Read at start, and again on SIGHUP. */
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

/** Checks that the list fits the vendors in the portal's settings, at start and when these settings are reloaded. */
export function requireCatalog(reader: EnvReader, { account, profile }: PortalConfig): void {
  const location = reader.optional('ITEMS_SOURCE');
  const isShared = account.byVendor === undefined && !profile.update.path.includes(VENDOR_PLACEHOLDER);
  if (location === undefined || location.includes(VENDOR_PLACEHOLDER) || isShared) return;
  reader.fault('ITEMS_SOURCE must name {vendor}: this proxy serves several vendors, and each has a list of their own');
}

/** A list file that is invalid at start is an invalid setting. Later, an invalid list leaves the previous one in force. */
function readNow(reader: EnvReader, path: string): void {
  const text = reader.file('ITEMS_SOURCE', path);
  if (text !== undefined) reader.json('ITEMS_SOURCE', text, itemsPage);
}

/**
 * The HTTP proxy through which calls leave a network that allows no direct ones. It is not this proxy, which receives
 * calls.
 */
export interface ForwardProxy {
  /** An http or https URL, possibly with user and password. */
  readonly url: Secret;
  /**
   * Hosts that are called directly, in the format of NO_PROXY: host names with their subdomains, optionally with a port;
   * `*` for all.
   */
  readonly noProxy?: string | undefined;
  /** The name of the setting that has the URL, for messages to the operator. */
  readonly setting?: string | undefined;
}

/** The lower-case name is an older convention. HTTP_PROXY is for plain http, and all remote hosts are called over https. */
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
  /** Shown to the operator, with the port unless it is the default. */
  readonly host: string;
  /** Value of Proxy-Authorization (RFC 7617), if the URL has a user or password. */
  readonly authorization: Secret | undefined;
}

/** Never throws, because errors of Node quote the URL. @returns `undefined` for an invalid URL */
export function parseForwardProxy(url: Secret): ForwardProxyParts | undefined {
  const text = url.reveal();
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, host, username, password, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  // An unescaped /, ? or # in a password ends the host early, and the text before it would be used, and printed, as the
  // host.
  if (pathname !== '/' || /[?#]/.test(text)) return undefined;
  if (username === '' && password === '') return { origin, host, authorization: undefined };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { origin, host, authorization: new Secret(`Basic ${Buffer.from(pair).toString('base64')}`) };
  } catch {
    return undefined;
  }
}

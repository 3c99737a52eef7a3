import type { RevocationList } from './access/ended-sessions.js';
import type { ItemCatalog } from './access/item-catalog.js';
import type { Authenticate } from './access/session.js';
import type { ProxyStatus } from './delivery/status.js';
import { isExactOrigin } from './runtime/address-rules.js';
import type { WriteLimits } from './http/rate-limit.js';
import type { CalendarSource } from './outbox/calendar-feeds.js';
import type { Outbox } from './outbox/outbox.js';
import type { PortalAccount } from './portal/credentials.js';
import type { PortalCredential } from './portal/portal-client.js';
import { type PortalProfile, findProfileFaults } from './portal/profile.js';
import type { TokenSubject } from './portal/token-seal.js';
import type { TokenStore } from './portal/token-store.js';
import type { PublicFiles } from './routes/public-routes.js';
import { findAddressFault } from './runtime/address-rules.js';
import type { Clock } from './runtime/clock.js';
import type { Digest } from './runtime/hash.js';
import type { Log } from './runtime/log.js';
import type { Metrics } from './runtime/metrics.js';

/** The parts and settings of a proxy. On Node.js, `nodeDefaults` provides most of them. */
export interface ProxyOptions {
  readonly portal: PortalAccount;
  /** The settings that the portal's document leaves open. Default: `portalProfile.parse({})`. */
  readonly profile?: PortalProfile;
  /** Stores accepted edits until the portal has them. Its owner closes it. */
  readonly outbox: Outbox;
  /** Stores one portal token for each credential, which several proxies share. Default: each proxy requests its own. */
  readonly shareToken?: (subject: TokenSubject) => TokenStore;
  /** A function of the host, or `authenticateByEmbedToken`. It is called before the body is read. */
  readonly authenticate: Authenticate;
  /**
   * Whether the response to a rejected session tells the reason, as the log does: the setting, and the value in the token.
   * Default: only if `publicUrl` is on loopback.
   */
  readonly debugSessions?: boolean;
  /** Origins of the host pages, as in `https://admin.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** The URL by which browsers reach this proxy, as in `https://inventory.example.com`. */
  readonly publicUrl: string;
  /** Path below which the proxy is mounted, default none. */
  readonly basePath?: string;
  /** How many edits may wait before the proxy rejects new ones. Default: a million. */
  readonly maxWaiting?: number;
  /** About how many bytes waiting edits may take before the proxy rejects new ones. Default: 1 GiB. */
  readonly maxWaitingBytes?: number;
  /** How many batches are stored at the same time; further ones get 503 with `Retry-After`. Default: 128. */
  readonly maxConcurrentBatches?: number;
  /** How many credentials deliver at the same time, each with its own calls. Default: 8. */
  readonly maxLanes?: number;
  /** Whether the disk has space for more edits. Default: always. */
  readonly hasDiskSpace?: () => Promise<boolean>;
  /** The operator's list of items. */
  readonly itemCatalog?: ItemCatalog;
  /** Reads the calendars of vendors. Default: items cannot have calendars. */
  readonly calendars?: CalendarSource;
  /** How many days settled edits are kept. Default: 400. */
  readonly historyDays?: number;
  /** The limits of one batch. Default: 262,144 bytes and 500 edits. */
  readonly limits?: { readonly maxBodyBytes?: number; readonly maxEdits?: number };
  /** Stores revoked sessions. Default: the memory of this process. */
  readonly endedSessions?: RevocationList;
  /** Edits a minute. Default: 600 for a person, 60,000 with the permission `bulk`, 600,000 for a vendor. */
  readonly writeLimits?: Partial<WriteLimits>;
  /** The files of the drop-in script. Default: the proxy serves no script. */
  readonly files?: PublicFiles;
  /** Calls the portal. Default: the global `fetch`, whose timeout for connecting cannot be set. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** Must be SHA-256, as `webDigest` is, because databases compute the same hashes. */
  readonly digest?: Digest;
  readonly random?: () => number;
  readonly log?: Log;
  readonly metrics?: Metrics;
}

export interface InventoryProxy {
  /** @param from the client's address, if the server knows it, for the rate limit of rejected requests */
  fetch(request: Request, from?: { readonly address?: string | undefined }): Promise<Response>;
  /** The operator's API over all vendors. It checks no session, so only the operator may be able to reach it. */
  operate(request: Request): Promise<Response>;
  /** The state of the proxy, for monitoring. */
  status(): Promise<ProxyStatus>;
  /** Starts delivery. */
  start(): void;
  /** Uses other credentials or another profile from the next call on. @throws {TypeError} as `createInventoryProxy` does */
  reload(portal: PortalAccount, profile: PortalProfile): void;
  /** Stops the delivery after the call in flight. It does not close the outbox. */
  stop(): Promise<void>;
}

export const DEFAULT_HISTORY_DAYS = 400;
export const DEFAULT_LIMITS = { maxBodyBytes: 256 * 1024, maxEdits: 500 } as const;

/** The part of `ProxyOptions` that is validated. */
export interface CheckedOptions {
  readonly portal: PortalAccount;
  readonly profile?: unknown;
  readonly outbox: unknown;
  readonly authenticate: unknown;
  readonly log?: unknown;
  readonly allowedOrigins: readonly string[];
  readonly publicUrl: string;
  readonly basePath?: string;
  readonly historyDays?: number;
  readonly limits?: Readonly<Record<string, number | undefined>>;
  readonly writeLimits?: Partial<WriteLimits>;
  readonly maxConcurrentBatches?: number;
  readonly maxLanes?: number;
  readonly maxWaiting?: number;
  readonly maxWaitingBytes?: number;
}

/** A longer time in milliseconds may exceed the integers of a database. */
export const MAX_HISTORY_DAYS = 36_500;

/**
 * Validates the options of a host's own code, for which no schema of settings runs. It rejects values that would silently mean
 * something else, such as a limit of 0, an endless history or an origin that no browser sends.
 *
 * @throws {TypeError} with one line for each invalid option
 */
export function validateOptions(options: CheckedOptions): void {
  const { portal, allowedOrigins, publicUrl, basePath = '', historyDays = 0, limits = {}, writeLimits = {} } = options;
  const { maxConcurrentBatches, maxLanes, maxWaiting, maxWaitingBytes } = options;
  const faults = [...findAccountFaults(portal), ...findPartFaults(options)];
  // A URL without a scheme would have the origin `null`, which every sandboxed frame sends. An intranet may lack https.
  const publicFault = findAddressFault(publicUrl, { mayBePlain: true });
  if (publicFault !== undefined) faults.push(`publicUrl ${publicFault}`);
  faults.push(...findOriginFaults(allowedOrigins));
  if (!/^(?:\/[^?#]*)?$/.test(basePath)) faults.push('basePath must begin with a slash');
  if (!(historyDays >= 0 && historyDays <= MAX_HISTORY_DAYS)) {
    faults.push(`historyDays must be a number from 0 to ${String(MAX_HISTORY_DAYS)}`);
  }
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      faults.push(`limits.${name} must be a whole number above 0`);
    }
  }
  const numbers = { maxConcurrentBatches, maxLanes, maxWaiting, maxWaitingBytes, ...named('writeLimits', writeLimits) };
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(value > 0)) faults.push(`${name} must be a number above 0`);
  }
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

/** @throws {TypeError} with one line for each invalid part */
export function validateAccount(account: PortalAccount): PortalAccount {
  const faults = findAccountFaults(account);
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
  return account;
}

/** In plain JavaScript an invalid account would otherwise fail at the first delivery and end the host's process. */
function findAccountFaults(account: PortalAccount | undefined): string[] {
  if (account === undefined) return ['portal must be { baseUrl, credentials }'];
  const { baseUrl, credentials, byVendor } = account;
  const faults: string[] = [];
  const fault = findAddressFault(baseUrl, { mayBePlain: false });
  if (fault !== undefined) faults.push(`portal.baseUrl ${fault}`);
  if (!areCredentials(credentials)) faults.push(`portal.credentials ${CREDENTIALS}`);
  const own: unknown = byVendor ?? new Map();
  if (!(own instanceof Map && [...own.values()].every(areCredentials))) {
    faults.push(`portal.byVendor must be a Map by vendor; each value ${CREDENTIALS}`);
  }
  return faults;
}

/** Finds parts of a wrong type, which would otherwise fail at the first request or delivery. */
function findPartFaults({ profile = {}, outbox, authenticate, log }: CheckedOptions): string[] {
  const faults = findProfileFaults(profile);
  if (typeof outbox !== 'object') faults.push('outbox must be what openSqliteOutbox or openPostgresOutbox gives');
  if (typeof authenticate !== 'function') faults.push('authenticate must be a function that says who is signed in');
  if (log !== undefined && typeof log !== 'function')
    faults.push('log must be a function (level, event, fields), as createJsonLog gives');
  return faults;
}

function findOriginFaults(origins: unknown): string[] {
  if (!Array.isArray(origins)) return ['allowedOrigins must be a list of origins, as in []'];
  return origins
    .map(String)
    .filter((origin) => !isExactOrigin(origin))
    .map((origin) => `allowedOrigins: ${origin} is no exact origin such as https://a.example.com`);
}

const CREDENTIALS = "must be a list of { clientId: '…', clientSecret: new Secret('…') }, none of them empty";

function areCredentials(given: unknown): boolean {
  return Array.isArray(given) && given.every(isCredential);
}

function isCredential(given: Partial<PortalCredential> | null | undefined): boolean {
  // Not by `instanceof`, because a bundler may load the class twice.
  const { clientId, clientSecret } = given ?? {};
  return isText(clientId) && typeof clientSecret?.reveal === 'function' && isText(clientSecret.reveal());
}

/** An empty file or an unset variable also makes a `Secret`. */
function isText(given: unknown): boolean {
  return typeof given === 'string' && given !== '';
}

function named(of: string, values: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${of}.${name}`, value]));
}

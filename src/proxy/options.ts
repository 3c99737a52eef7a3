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

/** What a proxy is made of. On Node.js `nodeDefaults` has most of it. */
export interface ProxyOptions {
  readonly portal: PortalAccount;
  /** What the portal's document leaves open. Default: `portalProfile.parse({})`. */
  readonly profile?: PortalProfile;
  /** Where accepted edits live until the portal has them. Its owner closes it. */
  readonly outbox: Outbox;
  /** Where several proxies share one portal token for each credential; without it this one has its own. */
  readonly shareToken?: (subject: TokenSubject) => TokenStore;
  /** The host's own hook, or `authenticateByEmbedToken`. Is asked before anything of the body is read. */
  readonly authenticate: Authenticate;
  /**
   * Whether the answer to a refused session says why, as the log does: which setting, and what the token says instead. Default:
   * only where `publicUrl` is on loopback.
   */
  readonly debugSessions?: boolean;
  /** Origins of the host pages, as in `https://admin.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Where browsers reach this proxy, as in `https://inventory.example.com`. */
  readonly publicUrl: string;
  /** Path below which the proxy is mounted, default none. */
  readonly basePath?: string;
  /** Edits that may wait before no more are taken in. Default: a million. */
  readonly maxWaiting?: number;
  /** Bytes of the storage that they may take, about, before no more are taken in. Default: 1 GiB. */
  readonly maxWaitingBytes?: number;
  /** Batches that may be on their way to the disk at once; above it they are asked to come again. Default: 128. */
  readonly maxConcurrentBatches?: number;
  /** Credentials whose edits are delivered at once, each by calls of its own. Default: 8. */
  readonly maxLanes?: number;
  /** Whether the disk has room for more. Default: always. */
  readonly hasDiskSpace?: () => Promise<boolean>;
  /** The operator's list of items. */
  readonly itemCatalog?: ItemCatalog;
  /** Reads the calendars that vendors give. Default: none can be given. */
  readonly calendars?: CalendarSource;
  /** How long settled edits are kept. Default: 400. */
  readonly historyDays?: number;
  /** Of one batch. Default: 262,144 bytes and 500 edits. */
  readonly limits?: { readonly maxBodyBytes?: number; readonly maxEdits?: number };
  /** Where sign-outs are remembered. Default: in this process. */
  readonly endedSessions?: RevocationList;
  /** How many edits a minute. Default: 600 of a person, 60,000 with `bulk`, 600,000 of a vendor. */
  readonly writeLimits?: Partial<WriteLimits>;
  /** The drop-in's files; without them the proxy serves no script. */
  readonly files?: PublicFiles;
  /** Calls the portal. Default: the global one, whose time-out for connecting is its own. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** SHA-256, as `webDigest` makes it: stores make it of the same bytes themselves. */
  readonly digest?: Digest;
  readonly random?: () => number;
  readonly log?: Log;
  readonly metrics?: Metrics;
}

export interface InventoryProxy {
  /** @param from the client's address, where the server knows it: only to count refused requests by */
  fetch(request: Request, from?: { readonly address?: string | undefined }): Promise<Response>;
  /** The operator's view over all vendors. Asks for no session: serve it where only the operator comes in. */
  operate(request: Request): Promise<Response>;
  /** Its health, for monitoring. */
  status(): Promise<ProxyStatus>;
  /** Starts delivery. */
  start(): void;
  /** Delivers with other credentials or another profile from the next call on. @throws {TypeError} as at the start */
  reload(portal: PortalAccount, profile: PortalProfile): void;
  /** Stops delivery once the call in flight is settled. The outbox is its owner's to close. */
  stop(): Promise<void>;
}

export const DEFAULT_HISTORY_DAYS = 400;
export const DEFAULT_LIMITS = { maxBodyBytes: 256 * 1024, maxEdits: 500 } as const;

/** Those of `ProxyOptions` that a schema of settings would look at. */
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

/** As long as a history can be told in whole milliseconds, by any storage. */
export const MAX_HISTORY_DAYS = 36_500;

/**
 * Options come from a host's own code, where no settings are read first. What would quietly mean something else is refused
 * as a whole: a budget of nothing, a history without an end that no storage can reckon with, an origin that no browser sends.
 *
 * @throws {TypeError} with one line for each option that cannot be meant
 */
export function validateOptions(options: CheckedOptions): void {
  const { portal, allowedOrigins, publicUrl, basePath = '', historyDays = 0, limits = {}, writeLimits = {} } = options;
  const { maxConcurrentBatches, maxLanes, maxWaiting, maxWaitingBytes } = options;
  const faults = [...findAccountFaults(portal), ...findPartFaults(options)];
  // Without a scheme its origin would be `null`, which any sandboxed frame sends. A host in an intranet may be without https.
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

/** @throws {TypeError} with one line for each part that cannot be meant */
export function validateAccount(account: PortalAccount): PortalAccount {
  const faults = findAccountFaults(account);
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
  return account;
}

/** Where nothing checks types, a slip here would come to light with the first delivery, and end the host's process. */
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

/** What would come to light with the first request, or with the first delivery. */
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
  // By what it is used for: a bundler may load the class twice.
  const { clientId, clientSecret } = given ?? {};
  return isText(clientId) && typeof clientSecret?.reveal === 'function' && isText(clientSecret.reveal());
}

/** Of a file that is empty, or an unset variable, a secret is made as of any other. */
function isText(given: unknown): boolean {
  return typeof given === 'string' && given !== '';
}

function named(of: string, values: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${of}.${name}`, value]));
}

import { isExactOrigin } from './http/guard.js';
import type { PortalCredential } from './portal/portal-client.js';
import type { PortalAccount } from './portal/credentials.js';
import { profileFaults } from './portal/profile.js';
import { addressFault } from './runtime/web-address.js';
import type { WriteLimits } from './http/write-budgets.js';

/** Those of `ProxyOptions` that a schema of settings would look at. */
export interface Expected {
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
  readonly mostAtOnce?: number;
  readonly mostWaiting?: number;
  readonly mostWaitingBytes?: number;
}

/** As long as a history can be told in whole milliseconds, by any storage. */
export const MOST_HISTORY_DAYS = 36_500;

/**
 * Options come from a host's own code, where nobody reads settings first. What would quietly mean something else is refused
 * as a whole: a budget of nothing, a history without an end that no storage can reckon with, an origin that no browser sends.
 *
 * @throws {TypeError} with one line for each option that cannot be meant
 */
export function expectOptions(options: Expected): void {
  const { portal, allowedOrigins, publicUrl, basePath = '', historyDays = 0, limits = {}, writeLimits = {} } = options;
  const { mostAtOnce, mostWaiting, mostWaitingBytes } = options;
  const faults = [...accountFaults(portal), ...partFaults(options)];
  // Without a scheme its origin would be `null`, which any sandboxed frame sends. A host in an intranet may be without https.
  const publicFault = addressFault(publicUrl, { mayBePlain: true });
  if (publicFault !== undefined) faults.push(`publicUrl ${publicFault}`);
  faults.push(...originFaults(allowedOrigins));
  if (!/^(?:\/[^?#]*)?$/.test(basePath)) faults.push('basePath must begin with a slash');
  if (!(historyDays >= 0 && historyDays <= MOST_HISTORY_DAYS)) {
    faults.push(`historyDays must be a number from 0 to ${String(MOST_HISTORY_DAYS)}`);
  }
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      faults.push(`limits.${name} must be a whole number above 0`);
    }
  }
  const numbers = { mostAtOnce, mostWaiting, mostWaitingBytes, ...named('writeLimits', writeLimits) };
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(value > 0)) faults.push(`${name} must be a number above 0`);
  }
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

/** @throws {TypeError} with one line for each part that cannot be meant */
export function expectAccount(account: PortalAccount): PortalAccount {
  const faults = accountFaults(account);
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
  return account;
}

/** Where nothing checks types, a slip here would come to light with the first delivery, and end the host's process. */
function accountFaults(account: PortalAccount | undefined): string[] {
  if (account === undefined) return ['portal must be { baseUrl, credentials }'];
  const { baseUrl, credentials, byVendor } = account;
  const faults: string[] = [];
  const fault = addressFault(baseUrl, { mayBePlain: false });
  if (fault !== undefined) faults.push(`portal.baseUrl ${fault}`);
  if (!areCredentials(credentials)) faults.push(`portal.credentials ${CREDENTIALS}`);
  const own: unknown = byVendor ?? new Map();
  if (!(own instanceof Map && [...own.values()].every(areCredentials))) {
    faults.push(`portal.byVendor must be a Map by vendor; each value ${CREDENTIALS}`);
  }
  return faults;
}

/** What would come to light with the first request, or with the first delivery. */
function partFaults({ profile = {}, outbox, authenticate, log }: Expected): string[] {
  const faults = profileFaults(profile);
  if (typeof outbox !== 'object') faults.push('outbox must be what openSqliteOutbox or openPostgresOutbox gives');
  if (typeof authenticate !== 'function') faults.push('authenticate must be a function that says who is signed in');
  if (log !== undefined && typeof log !== 'function')
    faults.push('log must be a function (level, event, fields), as createJsonLog gives');
  return faults;
}

function originFaults(origins: unknown): string[] {
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

/** Of a file that is empty, or a variable that nobody has set, a secret is made as of any other. */
function isText(given: unknown): boolean {
  return typeof given === 'string' && given !== '';
}

function named(of: string, values: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${of}.${name}`, value]));
}

import { isExactOrigin } from './guard.js';
import type { PortalCredential } from './portal-client.js';
import type { PortalAccount } from './portal-lanes.js';
import { addressFault } from './web-address.js';
import type { WriteLimits } from './write-budgets.js';

/** Those of `ProxyOptions` that a schema of settings would look at. */
export interface Expected {
  readonly portal: PortalAccount;
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
  const faults: string[] = [];
  faults.push(...accountFaults(portal));
  // Without a scheme its origin would be `null`, which any sandboxed frame sends. A host in an intranet may be without https.
  const publicFault = addressFault(publicUrl, { mayBePlain: true });
  if (publicFault !== undefined) faults.push(`publicUrl ${publicFault}`);
  for (const origin of allowedOrigins) {
    if (!isExactOrigin(origin))
      faults.push(`allowedOrigins: ${origin} is no exact origin such as https://a.example.com`);
  }
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
function accountFaults({ baseUrl, credentials, byVendor }: PortalAccount): string[] {
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

const CREDENTIALS = "must be a list of { clientId: '…', clientSecret: new Secret('…') }";

function areCredentials(given: unknown): boolean {
  return Array.isArray(given) && given.every(isCredential);
}

function isCredential(given: Partial<PortalCredential> | null | undefined): boolean {
  // By what it is used for: a bundler may load the class twice.
  const { clientId, clientSecret } = given ?? {};
  return typeof clientId === 'string' && typeof clientSecret?.reveal === 'function';
}

function named(of: string, values: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${of}.${name}`, value]));
}

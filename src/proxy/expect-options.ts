import { isExactOrigin } from './guard.js';
import type { PortalAccount } from './portal-lanes.js';
import { addressFault } from './web-address.js';
import type { WriteLimits } from './write-budgets.js';

/** Those of `ProxyOptions` that a schema of settings would look at. */
export interface Expected {
  readonly portal: Pick<PortalAccount, 'baseUrl'>;
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
const MOST_DAYS = 36_500;

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
  const portalFault = addressFault(portal.baseUrl, { mayBePlain: false });
  if (portalFault !== undefined) faults.push(`portal.baseUrl ${portalFault}`);
  // Without a scheme its origin would be `null`, which any sandboxed frame sends. A host in an intranet may be without https.
  const publicFault = addressFault(publicUrl, { mayBePlain: true });
  if (publicFault !== undefined) faults.push(`publicUrl ${publicFault}`);
  for (const origin of allowedOrigins) {
    if (!isExactOrigin(origin))
      faults.push(`allowedOrigins: ${origin} is no exact origin such as https://a.example.com`);
  }
  if (!/^(?:\/[^?#]*)?$/.test(basePath)) faults.push('basePath must begin with a slash');
  if (!(historyDays >= 0 && historyDays <= MOST_DAYS)) {
    faults.push(`historyDays must be a number from 0 to ${String(MOST_DAYS)}`);
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

function named(of: string, values: Readonly<Record<string, number | undefined>>): Record<string, number | undefined> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${of}.${name}`, value]));
}

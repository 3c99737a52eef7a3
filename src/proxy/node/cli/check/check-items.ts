import { setTimeout as pause } from 'node:timers/promises';
import { ListFetcher } from '../../../listing/fetch-list.js';
import { ForwardProxyFailed, innermostCause } from '../../../portal/call-errors.js';
import { type PortalAccount, PortalCredentials } from '../../../portal/credentials.js';
import type { PortalClientOptions } from '../../../portal/portal-client.js';
import type { ProxyConfig } from '../../config/proxy-config.js';
import { readCatalog } from '../../item-catalog-reader.js';
import type { WriteLine } from './check-report.js';

export async function tryItems(
  { items }: ProxyConfig,
  fetch: PortalClientOptions['fetch'] | undefined,
  writeLine: WriteLine,
): Promise<boolean> {
  if (items === undefined) {
    writeLine('Items: no list. Pages show what their hosts name, and what was changed here.');
    return true;
  }
  if (items.byVendor) {
    writeLine('Items: a list by vendor, read when a session of that vendor comes. Not tried.');
    return true;
  }
  writeLine('Items: one list for everybody. Where this proxy serves several vendors, put {vendor} into ITEMS_SOURCE.');
  try {
    const found = await readCatalog(items, '', undefined, fetch);
    writeLine(`Items: ${String(found?.items.length ?? 0)} in the list.`);
    return true;
  } catch (error) {
    writeLine(
      `Items: no list (${error instanceof Error ? error.message : String(error)}).${adviceFor(error, 'Check ITEMS_SOURCE.')}`,
    );
    return false;
  }
}

/** Reads the portal's own list once, as the proxy does: within its rate limit and with its token. */
export async function checkPortalList(
  calls: PortalClientOptions,
  account: PortalAccount,
  vendor: string | undefined,
  writeLine: WriteLine,
): Promise<boolean> {
  const portal = new PortalCredentials(account, calls, Math.random);
  const { listing, limits } = portal;
  if (listing === undefined) return true;
  const [first] = account.byVendor?.keys() ?? [];
  const whose = vendor ?? listing.vendor ?? first;
  if (whose === undefined && listing.path.includes('{vendor}')) {
    writeLine("The portal's own list: one by vendor. Not tried: name a vendor with --vendor.");
    return true;
  }
  const paced = async (): Promise<boolean> => {
    await pause(1000 / limits.callsPerSecond);
    return true;
  };
  const list = portal.listOf(whose ?? '');
  const answer = await new ListFetcher(portal.accessTo(list?.lane ?? '')).fetch(listing, whose ?? '', paced);
  if (answer.kind !== 'read') {
    writeLine(`The portal's own list: it cannot be read (${answer.kind === 'failed' ? answer.failure : answer.kind}).`);
    writeLine('  Check the settings under listing in PORTAL_PROFILE, and that the credentials may read.');
    return false;
  }
  const unknown = answer.values.filter(({ available }) => available === undefined).length;
  writeLine(
    `The portal's own list: ${String(answer.values.length)} items, ${String(unknown)} of them without a value.`,
  );
  if (answer.leftOut > 0) writeLine(`  ${String(answer.leftOut)} entries are left out: see the pointers of listing.`);
  if (list?.isWhole !== true) {
    writeLine(
      '  Several vendors may share it: sessions need an items claim, or set listing.vendor where it is that of one vendor.',
    );
  }
  return answer.values.length > 0 || answer.leftOut === 0;
}

/**
 * The advice which address to check. It is empty after a failure of the forward proxy, whose message says what to change
 * itself.
 */
export function adviceFor(error: unknown, advice: string): string {
  return innermostCause(error) instanceof ForwardProxyFailed ? '' : ` ${advice}`;
}

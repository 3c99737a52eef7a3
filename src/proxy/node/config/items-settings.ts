import { itemsPage } from '../../../contract/items-page.js';
import type { PortalSettings } from './portal-config.js';
import type { SettingsReader } from './env-reader.js';

/** Where the operator's list of items is: a JSON file or a URL. `{vendor}` in it: each vendor has a list of their own. */
export interface ItemsLocation {
  readonly kind: 'file' | 'url';
  readonly location: string;
  readonly byVendor: boolean;
}

export const VENDOR_PLACE = '{vendor}';

export function readItemsLocation(reader: SettingsReader, portal: PortalSettings): ItemsLocation | undefined {
  const location = reader.optional('ITEMS_SOURCE');
  if (location === undefined) return undefined;
  const byVendor = location.includes(VENDOR_PLACE);
  expectListFor(reader, portal);
  if (!/^https?:\/\//i.test(location)) {
    if (!byVendor) readNow(reader, location);
    return { kind: 'file', location, byVendor };
  }
  if (!/^https?:\/\/[^/{]+(?:\/|$)/i.test(location)) reader.fault('ITEMS_SOURCE may name {vendor} in its path only');
  reader.url('ITEMS_SOURCE', location.replaceAll(VENDOR_PLACE, 'vendor'));
  return { kind: 'url', location, byVendor };
}

/** Holds the list against what the portal's settings say of vendors: at the start, and when those are read again. */
export function expectListFor(reader: SettingsReader, { account, profile }: PortalSettings): void {
  const location = reader.optional('ITEMS_SOURCE');
  const isShared = account.byVendor === undefined && !profile.update.path.includes(VENDOR_PLACE);
  if (location === undefined || location.includes(VENDOR_PLACE) || isShared) return;
  reader.fault('ITEMS_SOURCE must name {vendor}: this proxy serves several vendors, and each has a list of their own');
}

/** A file that is wrong at the start is a bad setting. Later, the list before stays. */
function readNow(reader: SettingsReader, path: string): void {
  const text = reader.file('ITEMS_SOURCE', path);
  if (text !== undefined) reader.json('ITEMS_SOURCE', text, itemsPage);
}

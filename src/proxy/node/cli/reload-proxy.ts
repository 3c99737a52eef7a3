import type { EmbedTokenCheck } from '../../access/embed-token.js';
import type { ItemCatalog } from '../../access/item-catalog.js';
import type { InventoryProxy } from '../../options.js';
import type { Log } from '../../runtime/log.js';
import { EnvReader, InvalidSettings, type Environment } from '../config/env-reader.js';
import { readPortalConfig } from '../config/portal-config.js';
import { type CatalogHeader, readCatalogHeader, readSessionKey, requireCatalog } from '../config/proxy-config.js';
import type { PortalFetch } from '../portal-fetch.js';

/** The operator's lists of items, and the request header for reading them, which may change while the proxy runs. */
export interface ReloadableItems {
  readonly catalog: ItemCatalog;
  reload(header: CatalogHeader | undefined): void;
}

/** The parts of a running proxy whose settings can be reloaded. */
export interface ReloadableParts {
  readonly proxy: InventoryProxy;
  readonly authenticate: EmbedTokenCheck;
  readonly portalFetch: PortalFetch;
  readonly items: ReloadableItems | undefined;
  readonly log: Log;
}

/** Reloads secrets, keys and the portal profile. An invalid setting is logged, and the previous settings stay in force. */
export function reloadProxy(
  { proxy, authenticate, portalFetch, items, log }: ReloadableParts,
  environment: Environment,
): void {
  reload(PORTAL_MESSAGES, log, environment, (reader) => {
    const portal = readPortalConfig(reader);
    requireCatalog(reader, portal);
    reader.finish();
    const { account, profile } = portal;
    portalFetch.connectMs = profile.timeouts.connect_ms;
    proxy.reload(account, profile);
  });
  reload(KEY_MESSAGES, log, environment, (reader) => {
    const key = readSessionKey(reader);
    reader.finish();
    authenticate.reload(key);
  });
  reload(ITEM_MESSAGES, log, environment, (reader) => {
    const header = readCatalogHeader(reader);
    reader.finish();
    items?.reload(header);
  });
}

/** Complete messages, so that a search for a log line finds them here. */
interface ReloadMessages {
  readonly done: string;
  readonly refused: string;
}

const PORTAL_MESSAGES: ReloadMessages = {
  done: 'portal settings were read again',
  refused: 'portal settings are refused; the old ones stay',
};
const ITEM_MESSAGES: ReloadMessages = {
  done: 'the lists of items are read again',
  refused: 'the header for lists of items is refused; the old one stays',
};
const KEY_MESSAGES: ReloadMessages = {
  done: 'keys of embed tokens were read again',
  refused: 'keys of embed tokens are refused; the old ones stay',
};

function reload(
  messages: ReloadMessages,
  log: Log,
  environment: Environment,
  apply: (reader: EnvReader) => void,
): void {
  try {
    apply(new EnvReader(environment));
    log('info', messages.done);
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    for (const fault of error.faults) log('error', messages.refused, { error: fault });
  }
}

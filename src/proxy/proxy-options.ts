import type { Clock } from './runtime/clock.js';
import type { Digest } from './runtime/hash.js';
import type { EndedSessions } from './access/ended-sessions.js';
import type { ItemsSource } from './access/item-catalog.js';
import type { Log } from './runtime/log.js';
import type { Metrics } from './runtime/metrics.js';
import type { Outbox } from './outbox/outbox.js';
import type { PortalAccount } from './portal/credentials.js';
import type { PortalProfile } from './portal/profile.js';
import type { PublicFiles } from './routes/public-routes.js';
import type { Authenticate } from './access/session.js';
import type { ProxyStatus } from './delivery/status.js';
import type { TokenSubject } from './portal/token-seal.js';
import type { TokenStore } from './portal/token-store.js';
import type { WriteLimits } from './http/write-budgets.js';

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
  /** Origins of the host pages, as in `https://admin.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Where browsers reach this proxy, as in `https://inventory.example.com`. */
  readonly publicUrl: string;
  /** Path below which the proxy is mounted, default none. */
  readonly basePath?: string;
  /** Edits that may wait before no more are taken in. Default: a million. */
  readonly mostWaiting?: number;
  /** Bytes of the storage that they may take, about, before no more are taken in. Default: 1 GiB. */
  readonly mostWaitingBytes?: number;
  /** Batches that may be on their way to the disk at once; above it they are asked to come again. Default: 128. */
  readonly mostAtOnce?: number;
  /** Whether the disk has room for more. Default: always. */
  readonly hasRoom?: () => Promise<boolean>;
  /** The operator's list of items. */
  readonly itemsSource?: ItemsSource;
  /** How long settled edits are kept. Default: 400. */
  readonly historyDays?: number;
  /** Of one batch. Default: 262,144 bytes and 500 edits. */
  readonly limits?: { readonly maxBodyBytes?: number; readonly maxEdits?: number };
  /** Where sign-outs are remembered. Default: in this process. */
  readonly endedSessions?: EndedSessions;
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
  /** How it is, for whoever watches it. */
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

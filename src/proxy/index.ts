export { createInventoryProxy } from './proxy.js';
export type { InventoryProxy, ProxyOptions } from './options.js';
export {
  authenticateByEmbedToken,
  type EmbedTokenCheck,
  type EmbedTokenKey,
  type EmbedTokenOptions,
} from './access/embed-token.js';
export type { Metrics, TokenOutcome } from './runtime/metrics.js';
export type { Outbox } from './outbox/outbox.js';
export { portalProfile, type PortalProfile } from './portal/profile.js';
export { Secret } from './runtime/secret.js';
export {
  SessionUnverifiable,
  type Authenticate,
  type AuthenticationContext,
  type HostSession,
  type ProxySession,
} from './access/session.js';
export type { ProxyStatus, StorageStatus } from './delivery/status.js';

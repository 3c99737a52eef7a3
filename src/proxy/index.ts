export { createInventoryProxy } from './handler.js';
export type { InventoryProxy, ProxyOptions } from './proxy-options.js';
export {
  authenticateByEmbedToken,
  type EmbedTokenCheck,
  type EmbedTokenKey,
  type EmbedTokenOptions,
} from './embed-token.js';
export type { Metrics, TokenOutcome } from './metrics.js';
export type { Outbox } from './outbox.js';
export { portalProfile, type PortalProfile } from './profile.js';
export { Secret } from './secret.js';
export {
  SessionUnverifiable,
  type Authenticate,
  type AuthenticationContext,
  type HostSession,
  type ProxySession,
} from './session.js';
export type { ProxyStatus, StorageStatus } from './status.js';

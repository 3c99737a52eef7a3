/** `vendor-inventory-widget/session`: what a host's backend needs, and nothing of the proxy's inside. */
export { signEmbedToken, type EmbedTokenClaims } from './embed-token.js';

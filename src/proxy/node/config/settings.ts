/**
 * Every setting of `vendor-inventory proxy` and `check`. `--help` prints this table, and `npm run documents` writes it into
 * src/proxy/README.md.
 */
export interface Setting {
  /** One name, or several that are explained together. */
  readonly names: readonly string[];
  readonly fallback: string;
  readonly meaning: string;
  /** The heading in src/proxy/README.md with more about the setting. */
  readonly section?: string;
}

export interface SettingsGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

export const SETTINGS: readonly SettingsGroup[] = [
  {
    title: 'The portal',
    settings: [
      {
        names: ['PORTAL_BASE_URL'],
        fallback: 'required',
        meaning: 'base address of the portal; https, or http on loopback',
      },
      {
        names: ['PORTAL_CLIENT_ID'],
        fallback: 'required',
        meaning: 'client identifier that the portal generated; optional with PORTAL_CREDENTIALS_FILE, as is its secret',
      },
      {
        names: ['PORTAL_CLIENT_SECRET', 'PORTAL_CLIENT_SECRET_FILE'],
        fallback: 'one is required',
        meaning: 'client secret, or the file that contains it',
        section: 'Secrets and rotation',
      },
      {
        names: ['PORTAL_CREDENTIALS_FILE'],
        fallback: 'none',
        meaning: 'credentials by vendor',
        section: 'Secrets and rotation',
      },
      {
        names: ['PORTAL_PROFILE'],
        fallback: 'none',
        meaning: 'JSON file with the portal profile',
        section: 'The portal profile',
      },
      {
        names: ['ITEMS_SOURCE'],
        fallback: 'none',
        meaning: 'JSON file or URL with the list of items',
        section: 'The list of items',
      },
      {
        names: ['ITEMS_SOURCE_HEADER_FILE'],
        fallback: 'none',
        meaning: 'file with a header for calls to that URL, such as Authorization: Bearer …',
        section: 'The list of items',
      },
      {
        names: ['HTTPS_PROXY'],
        fallback: 'none',
        meaning: 'forward proxy for calls to the portal, the keys and the items',
        section: 'HTTPS_PROXY and NO_PROXY',
      },
      {
        names: ['NO_PROXY'],
        fallback: 'none',
        meaning: 'hosts that are called without the forward proxy',
        section: 'HTTPS_PROXY and NO_PROXY',
      },
    ],
  },
  {
    title: 'The pages and the host',
    settings: [
      {
        names: ['PUBLIC_URL'],
        fallback: 'http://localhost:PORT',
        meaning: 'address at which browsers reach the proxy',
        section: 'PUBLIC_URL',
      },
      {
        names: ['ALLOWED_ORIGINS'],
        fallback: 'none',
        meaning: 'exact origins of the host pages, separated by commas',
      },
      { names: ['SESSION_ISSUER'], fallback: 'required', meaning: 'the claim iss of your embed tokens' },
      { names: ['SESSION_AUDIENCE'], fallback: 'PUBLIC_URL', meaning: 'the claim aud of your embed tokens' },
      {
        names: ['SESSION_SECRET_FILE', 'SESSION_JWKS'],
        fallback: 'one is required',
        meaning: 'file with the shared secret of 32 bytes or more, or JWK set as a file or URL',
        section: 'Secrets and rotation',
      },
      {
        names: ['DEBUG_SESSIONS'],
        fallback: 'on where PUBLIC_URL is on loopback, else off',
        meaning: 'on or off: whether the answer to a refused session says why, as the log does',
      },
      { names: ['MAX_BODY_BYTES'], fallback: '262144', meaning: 'most bytes of one batch, from 1024 to 16777216' },
      { names: ['MAX_EDITS'], fallback: '500', meaning: 'most changes of one batch, from 1 to 10000' },
      {
        names: ['WIDGET_DIR'],
        fallback: "the package's own",
        meaning: 'folder of the drop-in script',
        section: 'WIDGET_DIR',
      },
    ],
  },
  {
    title: 'The process',
    settings: [
      {
        names: ['DATABASE_URL'],
        fallback: 'file:inventory.sqlite',
        meaning: 'storage of accepted changes: file:PATH, or postgres://…',
        section: 'DATABASE_URL',
      },
      { names: ['HOST'], fallback: '127.0.0.1', meaning: 'address on which the proxy listens' },
      { names: ['PORT'], fallback: '8080', meaning: 'port on which the proxy listens' },
      { names: ['METRICS_PORT'], fallback: '9464', meaning: 'port of /metrics on HOST; off for none' },
      {
        names: ['TRUSTED_PROXIES'],
        fallback: 'none',
        meaning: 'addresses and networks of your own gateways',
        section: 'TRUSTED_PROXIES',
      },
      {
        names: ['HISTORY_DAYS'],
        fallback: '400',
        meaning: 'how long settled changes are kept, from 7 days',
        section: 'HISTORY_DAYS',
      },
      {
        names: ['DELIVERY_LANES'],
        fallback: '8',
        meaning:
          'delivery queues that are served at once, from 1 to 256: one of each credential, or of each vendor if the path has {vendor}',
      },
      {
        names: ['LOG_LEVEL'],
        fallback: 'info',
        meaning: 'debug, info, warn or error; the log is JSON lines on standard output',
      },
    ],
  },
];

/** The settings as text for a terminal. */
export function settingsHelp(): string {
  return SETTINGS.flatMap(({ title, settings }) => [
    `${title}:`,
    ...settings.map(({ names, fallback, meaning }) => `  ${names.join(' or ')} (${fallback})\n      ${meaning}`),
    '',
  ]).join('\n');
}

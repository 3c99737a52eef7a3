import { readFileSync } from 'node:fs';
import type * as proxyEntry from '../../src/proxy/index.js';
import type * as nodeEntry from '../../src/proxy/node/index.js';

/**
 * A host process that mounts the proxy, as `mounting.md` describes it. Two of its options do not exist in the command:
 * calendars may be read from a server of this machine, and the clock of schedules may be ahead.
 */
const built = (path: string): Promise<unknown> => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { authenticateByEmbedToken, createInventoryProxy, Secret } = (await built('proxy/index.js')) as typeof proxyEntry;
const { createCalendarSource, listen, nodeDefaults } = (await built('proxy/node/index.js')) as typeof nodeEntry;

const settings = process.env as Readonly<Record<string, string>>;
const { PUBLIC_URL: publicUrl = '', SESSION_ISSUER: issuer = '', ALLOWED_ORIGINS: origin = '' } = settings;
const aheadMs = Number(settings['CLOCK_AHEAD_MS'] ?? 0);

const defaults = await nodeDefaults(settings['DATABASE_URL']?.replace('file:', '') ?? '', { logLevel: 'debug' });
const { clock, digest, log } = defaults;
const proxy = createInventoryProxy({
  ...defaults,
  portal: {
    baseUrl: settings['PORTAL_BASE_URL'] ?? '',
    credentials: [
      { clientId: settings['PORTAL_CLIENT_ID'] ?? '', clientSecret: secretIn(settings['PORTAL_CLIENT_SECRET_FILE']) },
    ],
  },
  authenticate: authenticateByEmbedToken({
    issuer,
    audience: publicUrl,
    key: { kind: 'secret', secret: secretIn(settings['SESSION_SECRET_FILE']) },
    publicOrigin: publicUrl,
    clock,
    digest,
    log,
  }),
  allowedOrigins: [origin],
  publicUrl,
  calendars: createCalendarSource({
    ca: readFileSync(settings['CALENDAR_CA_FILE'] ?? '', 'utf8'),
    isAllowed: (address) => address === '127.0.0.1' || address === '::1',
  }),
  clock: { ...clock, wall: () => clock.wall() + aheadMs },
});
await listen((request, from) => proxy.fetch(request, from), {
  host: '127.0.0.1',
  port: Number(settings['PORT']),
  ownsProcess: true,
});
proxy.start();
process.stdout.write('the mounted proxy listens\n');

process.once('SIGTERM', () => {
  void proxy
    .stop()
    .then(() => defaults.outbox.close())
    .then(() => process.exit());
});

function secretIn(path = ''): InstanceType<typeof Secret> {
  return new Secret(readFileSync(path, 'utf8'));
}

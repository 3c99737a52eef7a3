import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { VERSION } from '../../../contract/version.js';
import { fetchJwks } from '../../access/remote-jwks.js';
import { type Assumption, listAssumptions } from '../../portal/assumptions.js';
import { innermostCause, ForwardProxyFailed } from '../../portal/call-errors.js';
import { PortalClock } from '../../portal/clock-offset.js';
import { type PortalClientOptions, type PortalCredential, requestToken } from '../../portal/portal-client.js';
import { InvalidCredentials, TokenRequestFailed } from '../../portal/token-cache.js';
import { systemClock } from '../../runtime/clock.js';
import { type Environment, stripByteOrderMark } from '../config/env-reader.js';
import { type ProxyConfig, readProxyConfig } from '../config/proxy-config.js';
import { connect, DEFAULT_SCHEMA, endQuietly, RIGHTS_NEEDED } from '../database/postgres/postgres-connection.js';
import { askDurable } from '../database/postgres/postgres-database.js';
import { readCatalog } from '../item-catalog-reader.js';
import { createPortalFetch, type PortalFetch, describeUnreachable } from '../portal-fetch.js';
import { missingScripts, readWidgetFiles } from '../server/widget-files.js';
import { checkUpdate, recordResponses } from './check-update.js';

/** More than this between the portal's clock and ours is worth a look at the machine's clock. */
const NOTABLE_OFFSET_MS = 60_000;

export interface CheckRequest {
  /** Item to prove an update with. */
  readonly send?: string | undefined;
  /** Whose item that is. */
  readonly vendor?: string | undefined;
  readonly available: boolean;
  readonly say: (line: string) => void;
}

/**
 * `vendor-inventory check`: reads the configuration, says where every fact about the portal comes from, gets a token, and
 * says in plain words what to change.
 * @returns whether everything that was tried worked
 */
export async function check(
  environment: Environment,
  { send, vendor, available, say }: CheckRequest,
): Promise<boolean> {
  const settings = readProxyConfig(environment);
  const { account, profile } = settings.portal;
  say('Settings: complete.');
  printAssumptions(settings, environment, say);
  await sayHostPage(settings, say);

  const portalClock = new PortalClock();
  const portalFetch = createPortalFetch(profile.timeouts.connect_ms, settings.forwardProxy);
  const { forwardProxy } = portalFetch;
  const hostFetch = forwardProxy && portalFetch.fetch;
  const watched = recordResponses(portalFetch.fetch);
  const calls: PortalClientOptions = {
    baseUrl: account.baseUrl,
    profile,
    fetch: watched.fetch,
    clock: systemClock,
    portalClock,
  };
  const shared = account.credentials.map((credential, at): [string, PortalCredential] => [nameOf(at), credential]);
  const own = [...(account.byVendor ?? [])].flatMap(([owner, credentials]) =>
    credentials.map((credential, at): [string, PortalCredential] => [`of ${owner} ${nameOf(at)}`, credential]),
  );
  let well = await tryScripts(settings, say);
  well = (await checkDatabase(settings, say)) && well;
  well = (await tryItems(settings, hostFetch, say)) && well;
  well = (await tryHostKeys(settings, hostFetch, say)) && well;
  for (const [name, credential] of [...shared, ...own]) {
    const failure = await tryToken(calls, credential, watched.lastStatus);
    say(`Token ${name}: ${failure ?? 'granted.'}`);
    well &&= failure === undefined;
  }
  if (account.byVendor && shared.length === 0) sayWhoWaits(account.byVendor.size, say);
  if (forwardProxy) sayWay(forwardProxy, say);
  sayClock(portalClock, say);
  if (send === undefined) say('Update: not tried. Name an item with --send ID to prove one.');
  else well = (await checkUpdate(calls, account, { send, vendor, available, say })) && well;
  return well;
}

async function tryScripts({ widgetDirectory }: ProxyConfig, say: (line: string) => void): Promise<boolean> {
  const missing = await missingScripts(await readWidgetFiles(widgetDirectory));
  if (missing.length === 0) return true;
  say(`Scripts: no ${missing.join(', no ')} in ${widgetDirectory}, and no page can load the elements without.`);
  say('  Put the files of this version there, or leave WIDGET_DIR out.');
  return false;
}

async function tryItems(
  { items }: ProxyConfig,
  fetch: PortalClientOptions['fetch'] | undefined,
  say: (line: string) => void,
): Promise<boolean> {
  if (items === undefined) {
    say('Items: no list. Pages show what their hosts name, and what was changed here.');
    return true;
  }
  if (items.byVendor) {
    say('Items: a list by vendor, read when a session of that vendor comes. Not tried.');
    return true;
  }
  say('Items: one list for everybody. Where this proxy serves several vendors, put {vendor} into ITEMS_SOURCE.');
  try {
    const found = await readCatalog(items, '', undefined, fetch);
    say(`Items: ${String(found?.items.length ?? 0)} in the list.`);
    return true;
  } catch (error) {
    say(
      `Items: no list (${error instanceof Error ? error.message : String(error)}).${unlessSaid(error, 'Check ITEMS_SOURCE.')}`,
    );
    return false;
  }
}

/** Of a shared secret nobody but the host can tell whether it is the right one. */
async function tryHostKeys(
  { session: { key } }: ProxyConfig,
  fetch: PortalClientOptions['fetch'] | undefined,
  say: (line: string) => void,
): Promise<boolean> {
  if (key.kind !== 'jwks-url') return true;
  try {
    const { keys } = (await fetchJwks(key.url, { clock: systemClock, fetch })).keys;
    say(`Sign-in: ${String(keys.length)} ${keys.length === 1 ? 'key' : 'keys'} of the host behind SESSION_JWKS.`);
    return true;
  } catch (error) {
    say(
      `Sign-in: no keys of the host (${describeUnreachable(error)}).${unlessSaid(error, 'Check SESSION_JWKS.')} Nobody can be signed in without.`,
    );
    return false;
  }
}

function nameOf(at: number): string {
  return at === 0 ? 'with the first secret' : 'with the second secret';
}

async function sayHostPage(settings: ProxyConfig, say: (line: string) => void): Promise<void> {
  const { publicUrl, portal, widgetDirectory } = settings;
  const { origin } = new URL(publicUrl);
  const tag = await scriptTag(publicUrl, widgetDirectory);
  say('A host page loads the elements with /widget.js, or with this version and no other:');
  say(`  ${tag ?? `(WIDGET_DIR holds no script of this version: ${widgetDirectory})`}`);
  say('It needs this in its content security policy, the last two where it enforces Trusted Types:');
  say(
    `  script-src ${origin}; connect-src 'self' ${origin}; require-trusted-types-for 'script'; trusted-types lit-html`,
  );
  say("(where it uses Lit itself: trusted-types lit-html 'allow-duplicates', or whichever loads second breaks)");
  say('and in img-src the origin of the pictures of its items, where they have some.');
  const { credentials, byVendor } = portal.account;
  if (credentials.length > 0 && !portal.profile.update.path.includes('{vendor}')) {
    say(
      `One credential serves every vendor${byVendor === undefined ? '' : ' that PORTAL_CREDENTIALS_FILE does not name'}:`,
    );
    say('give each embed token of theirs an `items` claim, so that nobody can claim an id first.');
  }
  say('');
}

async function tryToken(
  calls: PortalClientOptions,
  credential: PortalCredential,
  lastStatus: () => number,
): Promise<string | undefined> {
  try {
    await requestToken(calls, credential);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidCredentials)
      return `refused (${error.message}). Check PORTAL_CLIENT_ID and the secret (without quotes or blanks around them), and whether token.body and token.extra_fields are right.`;
    // Nothing is wrong here, most likely, and whoever changed a setting would have another trouble.
    const isPassing = lastStatus() === 429 || lastStatus() >= 500;
    const advice = isPassing ? 'The portal is busy or in trouble. If that lasts: check' : 'Check';
    // Somebody has answered, perhaps one who takes forms alone.
    return error instanceof TokenRequestFailed
      ? `failed (${error.message}). ${advice} PORTAL_BASE_URL, and whether token.body is right.`
      : `failed (${describeUnreachable(error)}).${unlessSaid(error, 'Check PORTAL_BASE_URL and that this machine reaches it.')}`;
  }
}

/** Nothing is wrong with it, so that it is said here or comes to light with the first vendor who is not in the table. */
function sayWhoWaits(named: number, say: (line: string) => void): void {
  const vendors = named === 1 ? '1 vendor' : `${String(named)} vendors`;
  say(`PORTAL_CREDENTIALS_FILE names ${vendors} and there is no pair for the others: their edits wait.`);
}

/** Whose address to check: a forward proxy that fails says what to change itself, and it is another. */
function unlessSaid(error: unknown, advice: string): string {
  return innermostCause(error) instanceof ForwardProxyFailed ? '' : ` ${advice}`;
}

/** Told by the calls that were made: what NO_PROXY covers, only who goes by it knows. */
function sayWay({ host, called }: NonNullable<PortalFetch['forwardProxy']>, say: (line: string) => void): void {
  const through = called.size === 0 ? 'nobody' : [...called].join(', ');
  say(`Forward proxy: ${host}. Called through it: ${through}; called directly: this machine, and whom NO_PROXY names.`);
}

function sayClock({ lastObserved: offset }: PortalClock, say: (line: string) => void): void {
  if (offset === undefined) {
    say(
      "Clock: could not be measured, no success of the portal told a time that can be right. Stamps follow this machine's clock.",
    );
    return;
  }
  const seconds = (Math.abs(offset) / 1000).toFixed(1);
  if (offset === 0) say("Clock: as the portal's, as far as its answers tell.");
  else
    say(
      `Clock: the portal is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} this machine; stamps follow the portal.`,
    );
  if (Math.abs(offset) > NOTABLE_OFFSET_MS) say("  One of the two is off. Check this machine's time service.");
}

/** For each point that the portal's document leaves open: what this proxy goes by, and who says so. */
export function printAssumptions(settings: ProxyConfig, environment: Environment, say: (line: string) => void): void {
  const path = environment['PORTAL_PROFILE'];
  const given: unknown =
    path === undefined || path === '' ? {} : JSON.parse(stripByteOrderMark(readFileSync(path, 'utf8')));
  say('');
  say("The portal's document leaves much open. What this proxy goes by:");
  for (const { point, value, origin, setting } of [
    ...listAssumptions(settings.portal.profile, given),
    ...listOfEnvironment(settings),
  ]) {
    say(`  ${origin.padEnd(10)}  ${(setting ?? point).padEnd(34)}  ${value}`);
  }
  say('Ask the portal about what is assumed, and put the answer into the file that PORTAL_PROFILE names;');
  say('what has a name in capitals is a setting of the environment.');
  if (settings.portal.profile.update.method === 'PUT') {
    say(
      'With update.method PUT: a portal that replaces its whole inventory on PUT is not supported, because each update',
    );
    say('names only what has changed, and all other items would be lost. Ask the portal; else use POST or PATCH.');
  }
  say('');
}

/** What the document leaves open and the environment says: no profile says where a list is, or whose a secret. */
function listOfEnvironment({ items, portal: { account } }: ProxyConfig): Assumption[] {
  const { byVendor } = account;
  return [
    {
      point: 'listing',
      value: items === undefined ? 'off' : `a ${items.kind}${items.byVendor ? ' for each vendor' : ''}`,
      origin: items === undefined ? 'assumed' : 'set',
      setting: 'ITEMS_SOURCE',
    },
    {
      point: 'credentials',
      value: byVendor === undefined ? 'one pair for all' : `of ${String(byVendor.size)} vendors`,
      origin: byVendor === undefined ? 'assumed' : 'set',
      setting: 'PORTAL_CREDENTIALS_FILE',
    },
  ];
}

/**
 * Says whether a proxy could keep its edits there. A PostgreSQL is asked, and nothing in it is changed; a file is not opened,
 * since a proxy may have it.
 *
 * @returns whether it could, as far as that shows
 */
export async function checkDatabase(
  { database }: Pick<ProxyConfig, 'database'>,
  say: (line: string) => void,
): Promise<boolean> {
  const fault = database.kind === 'file' ? fileFault(database.path) : await postgresFault(database.url.reveal());
  if (fault !== undefined) say(`Database: ${fault}. Check DATABASE_URL.`);
  else if (database.kind === 'file') say(`Database: the file ${database.path}. Not opened, since a proxy may have it.`);
  else say('Database: PostgreSQL answers, and its settings keep what it takes.');
  return fault === undefined;
}

function fileFault(path: string): string | undefined {
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isGone ? `there is no folder ${folder}` : `this user may not write ${path}, or files beside it`;
  }
}

async function postgresFault(url: string): Promise<string | undefined> {
  try {
    const client = await connect({ url, schema: DEFAULT_SCHEMA });
    try {
      await askDurable(client);
      const found = await client.query<{ may: boolean }>(
        `SELECT has_database_privilege(current_database(), 'CREATE') OR EXISTS (
           SELECT FROM pg_namespace WHERE nspname = $1 AND has_schema_privilege(nspname, 'CREATE')) AS may`,
        [DEFAULT_SCHEMA],
      );
      return found.rows[0]?.may === true ? undefined : `no tables can be made in ${DEFAULT_SCHEMA}; ${RIGHTS_NEEDED}`;
    } finally {
      await endQuietly(client);
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * How a host page loads this version of the drop-in and no other: the browser refuses a script whose bytes are not those
 * (Subresource Integrity).
 * @param publicUrl where browsers reach the proxy
 * @returns `undefined` where the folder has no script of this version
 */
export async function scriptTag(publicUrl: string, widgetDirectory: string): Promise<string | undefined> {
  const name = `widget-${VERSION}.js`;
  const script = await readFile(join(widgetDirectory, name)).catch(() => undefined);
  if (script === undefined) return undefined;
  const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
  const src = `${publicUrl.replace(/\/+$/, '')}/${name}`;
  return `<script type="module" src="${src}" integrity="${integrity}" crossorigin></script>`;
}

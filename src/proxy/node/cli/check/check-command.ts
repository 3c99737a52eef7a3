import { readFileSync } from 'node:fs';
import { fetchJwks } from '../../../access/remote-jwks.js';
import { type Assumption, listAssumptions } from '../../../portal/assumptions.js';
import { PortalClock } from '../../../portal/clock-offset.js';
import type { PortalAccount } from '../../../portal/credentials.js';
import { type PortalClientOptions, type PortalCredential, requestToken } from '../../../portal/portal-client.js';
import { InvalidCredentials, TokenRequestFailed } from '../../../portal/token-cache.js';
import { systemClock } from '../../../runtime/clock.js';
import { type Environment, stripByteOrderMark } from '../../config/env-reader.js';
import { type ProxyConfig, readProxyConfig } from '../../config/proxy-config.js';
import { checkDatabase } from './check-database.js';
import { checkPortalList, tryItems, adviceFor } from './check-items.js';
import { writeHostPage } from './check-page.js';
import { createPortalFetch, type PortalFetch, describeUnreachable } from '../../portal-fetch.js';
import { missingScripts, readWidgetFiles } from '../../server/widget-files.js';
import { CheckReport, type WriteLine } from './check-report.js';
import { checkSessionUrl, checkTokenFile } from './check-session.js';
import { checkUpdate, type RecordedCalls, recordCalls, writeMessage } from './check-update.js';
import { learnProfile } from './learn-profile.js';
import type { ProfileSettings } from './profile-proposals.js';

/** A larger difference between the portal's clock and ours suggests that the machine's clock is wrong. */
const NOTABLE_OFFSET_MS = 60_000;

export interface CheckRequest {
  /** Id of the item to send a trial update of. */
  readonly send?: string | undefined;
  /** The vendor of that item. */
  readonly vendor?: string | undefined;
  readonly available: boolean;
  /** File with an embed token to verify. */
  readonly token?: string | undefined;
  /** The host's session URL, called as a page does. */
  readonly sessionUrl?: string | undefined;
  /** File for a profile that delivers, found by experiment. */
  readonly learn?: string | undefined;
  readonly canPut: boolean;
  /** Whether every assumption about the portal is listed. */
  readonly isVerbose: boolean;
  readonly writeLine: WriteLine;
}

/**
 * `vendor-inventory check`: reads the configuration, gets a token, runs the requested trials and explains in plain words
 * what to change. The verdict comes first, then the settings that are right.
 *
 * @returns whether all trials succeeded
 */
export async function check(environment: Environment, request: CheckRequest): Promise<boolean> {
  const { writeLine } = request;
  const settings = readProxyConfig(environment);
  const { account, profile } = settings.portal;
  const given = readGiven(environment);
  const report = new CheckReport();
  report.writeLine('Settings: complete.');

  const portalClock = new PortalClock();
  const portalFetch = createPortalFetch(profile.timeouts.connect_ms, settings.forwardProxy);
  const { forwardProxy } = portalFetch;
  const hostFetch = forwardProxy && portalFetch.fetch;
  const calls: PortalClientOptions = {
    baseUrl: account.baseUrl,
    profile,
    fetch: portalFetch.fetch,
    clock: systemClock,
    portalClock,
  };
  await report.step((line) => tryScripts(settings, line));
  await report.step((line) => checkDatabase(settings, line));
  await report.step((line) => tryItems(settings, hostFetch, line));
  await report.step((line) => tryHostKeys(settings, hostFetch, line));
  await trySession(settings, request, hostFetch, report);
  const isVerified = await tryPortal(calls, settings, given, request, report);
  if (account.byVendor && account.credentials.length === 0)
    writeWaitingVendors(account.byVendor.size, report.writeLine);
  if (forwardProxy) writeForwardProxy(forwardProxy, report.writeLine);
  writeClock(portalClock, report.writeLine);
  printAssumptions(settings, given, request.isVerbose, report);
  await writeHostPage(settings, report.writeLine);
  report.print(writeLine, isVerified);
  return report.isWell;
}

async function trySession(
  settings: ProxyConfig,
  { token, sessionUrl }: CheckRequest,
  fetch: PortalClientOptions['fetch'] | undefined,
  report: CheckReport,
): Promise<void> {
  if (settings.allowedOrigins.length === 0) {
    const { origin } = new URL(settings.publicUrl);
    report.warn(
      `ALLOWED_ORIGINS is empty: only pages of ${origin} itself may use the proxy. List the origins of host pages.`,
    );
  }
  if (token !== undefined) await report.step((line) => checkTokenFile(token, settings, fetch, line));
  if (sessionUrl !== undefined) await report.step((line) => checkSessionUrl(sessionUrl, settings, fetch, line));
}

/** @returns whether the portal has accepted an update */
async function tryPortal(
  calls: PortalClientOptions,
  { portal: { account } }: ProxyConfig,
  given: ProfileSettings,
  request: CheckRequest,
  report: CheckReport,
): Promise<boolean> {
  const { send, vendor, available, learn, canPut } = request;
  if (learn !== undefined && send !== undefined) {
    const learning = { send, vendor, available, given, file: learn, canPut };
    return report.step((line) => learnProfile(calls, account, { ...learning, writeLine: line }));
  }
  const shared = account.credentials.map((credential, at): [string, PortalCredential] => [nameOf(at), credential]);
  const own = [...(account.byVendor ?? [])].flatMap(([owner, credentials]) =>
    credentials.map((credential, at): [string, PortalCredential] => [`of ${owner} ${nameOf(at)}`, credential]),
  );
  for (const [name, credential] of [...shared, ...own]) {
    await report.step((line) => tryToken(calls, account, name, credential, line));
  }
  if (calls.profile.listing !== undefined) await report.step((line) => checkPortalList(calls, account, vendor, line));
  if (send === undefined) return false;
  return report.step((line) => checkUpdate(calls, account, { send, vendor, available, writeLine: line }));
}

/** The profile as the operator wrote it, before defaults. */
function readGiven(environment: Environment): ProfileSettings {
  const path = environment['PORTAL_PROFILE'];
  if (path === undefined || path === '') return {};
  return JSON.parse(stripByteOrderMark(readFileSync(path, 'utf8'))) as ProfileSettings;
}

async function tryScripts({ widgetDirectory }: ProxyConfig, writeLine: WriteLine): Promise<boolean> {
  const missing = await missingScripts(await readWidgetFiles(widgetDirectory));
  if (missing.length === 0) return true;
  writeLine(`Scripts: no ${missing.join(', no ')} in ${widgetDirectory}, and no page can load the elements without.`);
  writeLine('  Put the files of this version there, or leave WIDGET_DIR out.');
  return false;
}

/**
 * Fetches the host's keys, if they are behind a URL. A shared secret cannot be checked: only the host can tell whether it
 * is right.
 */
async function tryHostKeys(
  { session: { key } }: ProxyConfig,
  fetch: PortalClientOptions['fetch'] | undefined,
  writeLine: WriteLine,
): Promise<boolean> {
  if (key.kind !== 'jwks-url') return true;
  try {
    const { keys } = (await fetchJwks(key.url, { clock: systemClock, fetch })).keys;
    writeLine(`Sign-in: ${String(keys.length)} ${keys.length === 1 ? 'key' : 'keys'} of the host behind SESSION_JWKS.`);
    return true;
  } catch (error) {
    writeLine(
      `Sign-in: no keys of the host (${describeUnreachable(error)}).${adviceFor(error, 'Check SESSION_JWKS.')} Without them no person can be signed in.`,
    );
    return false;
  }
}

function nameOf(at: number): string {
  return at === 0 ? 'with the first secret' : 'with the second secret';
}

async function tryToken(
  calls: PortalClientOptions,
  account: PortalAccount,
  name: string,
  credential: PortalCredential,
  writeLine: WriteLine,
): Promise<boolean> {
  const recorder = recordCalls(calls, account);
  try {
    await requestToken({ ...calls, fetch: recorder.fetch }, credential);
    writeLine(`Token ${name}: granted.`);
    return true;
  } catch (error) {
    writeLine(`Token ${name}: ${describeTokenFailure(error, recorder)}`);
    writeMessage(recorder.last()?.message, writeLine);
    return false;
  }
}

function describeTokenFailure(error: unknown, recorder: RecordedCalls): string {
  if (error instanceof InvalidCredentials)
    return `refused (${error.message}). Check PORTAL_CLIENT_ID and the secret (without quotes or blanks around them), and whether token.body and token.extra_fields are right.`;
  // After 429 or 5xx the settings are probably right, and changing one would cause another fault.
  const status = recorder.last()?.status ?? 0;
  const isPassing = status === 429 || status >= 500;
  const advice = isPassing ? 'The portal is busy or in trouble. If that lasts: check' : 'Check';
  // There was a response, possibly of a portal that accepts only forms.
  return error instanceof TokenRequestFailed
    ? `failed (${error.message}). ${advice} PORTAL_BASE_URL, and whether token.body is right.`
    : `failed (${describeUnreachable(error)}).${adviceFor(error, 'Check PORTAL_BASE_URL and that this machine reaches it.')}`;
}

/** Not a fault, but without this line it would only be noticed at the first edit of a vendor who is not in the table. */
function writeWaitingVendors(named: number, writeLine: WriteLine): void {
  const vendors = named === 1 ? '1 vendor' : `${String(named)} vendors`;
  writeLine(`PORTAL_CREDENTIALS_FILE names ${vendors} and there is no pair for the others: their edits wait.`);
}

/** Lists the calls that were made, because only undici, which applies NO_PROXY, knows which hosts it covers. */
function writeForwardProxy({ host, called }: NonNullable<PortalFetch['forwardProxy']>, writeLine: WriteLine): void {
  const through = called.size === 0 ? 'none' : [...called].join(', ');
  writeLine(
    `Forward proxy: ${host}. Called through it: ${through}; called directly: this machine, and whom NO_PROXY names.`,
  );
}

function writeClock({ lastObserved: offset }: PortalClock, writeLine: WriteLine): void {
  if (offset === undefined) {
    writeLine(
      "Clock: could not be measured, no success of the portal told a time that can be right. Stamps follow this machine's clock.",
    );
    return;
  }
  const seconds = (Math.abs(offset) / 1000).toFixed(1);
  if (offset === 0) writeLine("Clock: as the portal's, as far as its answers tell.");
  else
    writeLine(
      `Clock: the portal is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} this machine; stamps follow the portal.`,
    );
  if (Math.abs(offset) > NOTABLE_OFFSET_MS) writeLine("  One of the two is off. Check this machine's time service.");
}

/** For each point that the portal's document leaves open: the value that this proxy uses, and where it comes from. */
function printAssumptions(settings: ProxyConfig, given: unknown, isVerbose: boolean, report: CheckReport): void {
  const points = [...listAssumptions(settings.portal.profile, given), ...listOfEnvironment(settings)];
  const counted = (wanted: Assumption['origin']): string =>
    String(points.filter(({ origin }) => origin === wanted).length);
  report.writeLine(
    `The portal's document leaves much open: ${counted('assumed')} points are assumed, ${counted('set')} are set.${isVerbose ? '' : ' --verbose lists them.'}`,
  );
  if (isVerbose) {
    for (const { point, value, origin, setting } of points) {
      report.writeLine(`  ${origin.padEnd(10)}  ${(setting ?? point).padEnd(34)}  ${value}`);
    }
    report.writeLine(
      'Ask the portal about what is assumed, and put the answer into the file that PORTAL_PROFILE names;',
    );
    report.writeLine('what has a name in capitals is a setting of the environment.');
  }
  if (settings.portal.profile.update.method === 'PUT') {
    report.warn(
      'with update.method PUT, a portal that replaces its whole inventory on PUT is not supported, because each update names only what has changed, and all other items would be lost. Ask the portal; else use POST or PATCH.',
    );
  }
}

/**
 * The open points that the environment decides and not the profile: where the list of items is, and which credentials there
 * are.
 */
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

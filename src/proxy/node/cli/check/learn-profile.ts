import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isItemId, type ItemId } from '../../../../domain/item.js';
import { type PortalAccount, PortalCredentials } from '../../../portal/credentials.js';
import type { PortalClientOptions } from '../../../portal/portal-client.js';
import { portalProfile } from '../../../portal/profile.js';
import type { WriteLine } from './check-report.js';
import { createEdit, type RecordedAnswer, recordCalls } from './check-update.js';
import { type Attempt, mergeSettings, proposals, type ProfileSettings, type Stage } from './profile-proposals.js';

/**
 * `check --learn FILE`: finds a profile that delivers one item by trying the settings in which portals differ, one after
 * the other. Each attempt is a token request and at most one update of that item, within the profile's rate limit. PUT may
 * replace a whole inventory, so it is tried only with --put.
 */
export interface LearnRequest {
  /** Id of the item to try with. */
  readonly send: string;
  readonly vendor?: string | undefined;
  readonly available: boolean;
  /** The profile as the operator wrote it, as the starting point. */
  readonly given: ProfileSettings;
  /** The path to which the profile is written. */
  readonly file: string;
  readonly canPut: boolean;
  readonly writeLine: WriteLine;
}

const STAGES: readonly Stage[] = [
  'unanswered',
  'token',
  'path',
  'method',
  'authorization',
  'request',
  'content',
  'delivered',
];

const MAX_ATTEMPTS = 60;
const MAX_WAITS = 5;
const MAX_WAIT_MS = 10_000;

export async function learnProfile(
  calls: PortalClientOptions,
  account: PortalAccount,
  request: LearnRequest,
): Promise<boolean> {
  const { given, file, writeLine, send: id } = request;
  if (!isItemId(id)) {
    writeLine('Profile: not learned. --send takes an id of 1 to 200 characters without control characters.');
    return false;
  }
  let settings = given;
  let attempts = 0;

  const attempt = (tried: ProfileSettings): Promise<Attempt> => {
    attempts += 1;
    return tryProfile(calls, account, tried, { ...request, send: id });
  };

  let reached = await attempt(settings);
  const seen = new Set([JSON.stringify(settings)]);
  while (!reached.isDelivered) {
    let next: readonly [ProfileSettings, Attempt] | undefined;
    for (const proposal of proposals(reached, settings, { ...request, baseUrl: account.baseUrl })) {
      const tried = mergeSettings(settings, proposal);
      const key = JSON.stringify(tried);
      if (seen.has(key) || attempts >= MAX_ATTEMPTS) continue;
      seen.add(key);
      const result = await attempt(tried);
      if (!isProgress(result, reached)) continue;
      next = [tried, result];
      break;
    }
    if (next === undefined) {
      writeStuck(reached, attempts, request.canPut, writeLine);
      return false;
    }
    [settings, reached] = next;
  }
  settings = await withoutNeedless(settings, given, async (tried) => (await attempt(tried)).isDelivered);
  if (reached.tellsSuccess) settings = mergeSettings(settings, { success: { status: '/success' } });
  return writeProfile(settings, file, attempts, writeLine);
}

/** Removes each setting that delivery does not need: a complaint may have changed for another reason. */
async function withoutNeedless(
  settings: ProfileSettings,
  given: ProfileSettings,
  delivers: (tried: ProfileSettings) => Promise<boolean>,
): Promise<ProfileSettings> {
  let needed = settings;
  for (const [section, values] of Object.entries(settings)) {
    for (const name of Object.keys(values as object)) {
      if (name in ((given[section] ?? {}) as object)) continue;
      const tried = without(needed, section, name);
      // The header of the authorization and its prefix belong together, so they are not removed.
      if (section !== 'authorization' && (await delivers(tried))) needed = tried;
    }
  }
  return needed;
}

function without(settings: ProfileSettings, section: string, name: string): ProfileSettings {
  const { [section]: values, ...others } = settings;
  const { [name]: _left, ...remaining } = values as Readonly<Record<string, unknown>>;
  return Object.keys(remaining).length === 0 ? others : { ...settings, [section]: remaining };
}

async function tryProfile(
  calls: PortalClientOptions,
  account: PortalAccount,
  settings: ProfileSettings,
  { send, vendor = '', available }: LearnRequest & { readonly send: ItemId },
): Promise<Attempt> {
  const profile = portalProfile.parse(settings);
  for (let waits = 0; ; waits += 1) {
    await sleep(1000 / profile.limits.calls_per_second);
    const recorded = recordCalls({ ...calls, profile }, account);
    const credentials = new PortalCredentials(account, { ...calls, profile, fetch: recorded.fetch }, Math.random);
    const edit = createEdit({ vendor, id: send, available }, calls);
    const outcome = await credentials.connectionFor(credentials.laneOf(vendor)).update([edit]);
    const isTaken = outcome.kind === 'delivered' && !outcome.refused?.size && !outcome.delayed?.size;
    const result = readAttempt(isTaken, recorded.last(), recorded.isSent());
    if (result.retryMs === undefined || waits >= MAX_WAITS) return result;
    await sleep(Math.min(result.retryMs, MAX_WAIT_MS));
  }
}

function readAttempt(isTaken: boolean, last: RecordedAnswer | undefined, isSent: boolean): Attempt {
  if (last === undefined) {
    return {
      isDelivered: false,
      stage: 'unanswered',
      status: 0,
      allow: '',
      message: '',
      tellsSuccess: false,
      retryMs: undefined,
    };
  }
  const { success, code } = fieldsOf(last.message);
  const status = success === false ? (typeof code === 'number' ? code : 422) : last.status;
  const isDelivered = isTaken && success !== false;
  const isBusy = status === 429 || status === 503 || /too many (?:requests|updates|calls)/i.test(last.message);
  const seconds = Number(last.headers.get('Retry-After') ?? '1');
  return {
    isDelivered,
    stage: isDelivered ? 'delivered' : stageOf(status, isSent, last),
    status,
    allow: last.headers.get('Allow') ?? '',
    message: last.message,
    tellsSuccess: typeof success === 'boolean',
    retryMs: isBusy && !isDelivered ? (Number.isFinite(seconds) ? seconds * 1000 : 1000) : undefined,
  };
}

function stageOf(status: number, isSent: boolean, { headers, message }: RecordedAnswer): Stage {
  if (status >= 500) return 'unanswered';
  if (!isSent) return 'token';
  // Whatever the status is, a response that names a part of the body shows that the portal has read it.
  if (/\/inventory\/\d|\bupdated_at\b/.test(message)) return 'content';
  if (status === 405) return 'method';
  const isPage = headers.get('Content-Type')?.includes('html') === true;
  if (status === 404 || (status >= 300 && status < 400) || isPage) return 'path';
  if (status === 401 || status === 403) return 'authorization';
  return status === 400 || status === 415 ? 'request' : 'content';
}

/** Whether the attempt reached a later stage, or the same stage with another complaint. */
function isProgress(result: Attempt, reached: Attempt): boolean {
  const [now, before] = [STAGES.indexOf(result.stage), STAGES.indexOf(reached.stage)];
  return now > before || (now === before && complaintOf(result) !== complaintOf(reached));
}

/** The complaint without the parts that differ in each response, such as a time or a request id. */
function complaintOf({ status, message }: Attempt): string {
  return `${String(status)} ${message.replace(/[\da-f-]{8,}|\d+/gi, '#')}`;
}

function fieldsOf(text: string): { readonly success?: unknown; readonly code?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // Not JSON, so it has no fields.
    return {};
  }
}

function writeStuck(
  { stage, status, message, allow }: Attempt,
  attempts: number,
  canPut: boolean,
  writeLine: WriteLine,
): void {
  writeLine(
    `Profile: none found that delivers, after ${String(attempts)} attempts. It came as far as ${STAGE_NAMES[stage]} (${String(status)}).`,
  );
  if (message !== '' && !message.includes('<')) writeLine(`  The portal says: ${message.slice(0, 200)}`);
  if (/\bPUT\b/.test(allow) && !canPut) {
    writeLine(
      '  The address takes PUT, which may replace a whole inventory. Where the document says that it does not: add --put.',
    );
  }
}

const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  unanswered: 'no answer: check PORTAL_BASE_URL, and whether the portal is up',
  token: 'the token request: token.body, token.extra_fields, the credentials',
  path: 'the address of updates: update.path',
  method: 'the method of updates: update.method',
  authorization: 'the token of an update: authorization.header, authorization.prefix',
  request: 'the head of an update: update.headers, idempotency.header',
  content: 'the content of an update: the id, stamps.precision, results, success',
  delivered: 'a delivery',
};

function writeProfile(settings: ProfileSettings, file: string, attempts: number, writeLine: WriteLine): boolean {
  try {
    writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    writeLine(
      `Profile: learned, and not written: ${file} (${String((error as NodeJS.ErrnoException).code)}). --learn takes a new file.`,
    );
    return false;
  }
  const isDefault = Object.keys(settings).length === 0;
  writeLine(
    `Profile: ${file} delivers, found after ${String(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}${isDefault ? '; the portal does as usual in everything' : ''}.`,
  );
  writeLine(`  Set PORTAL_PROFILE=${file}. What no answer tells is as usual in it: limits, timeouts, token lifetime.`);
  return true;
}

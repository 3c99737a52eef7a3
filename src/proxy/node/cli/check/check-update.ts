import { setTimeout as sleep } from 'node:timers/promises';
import { isItemId, toTimestamp } from '../../../../domain/item.js';
import type { OpenEdit } from '../../../outbox/outbox.js';
import { unexpectedContentType } from '../../../portal/answer.js';
import { type PortalAccount, PortalCredentials } from '../../../portal/credentials.js';
import type { UpdateOutcome } from '../../../portal/outcome.js';
import { MAX_RESPONSE_BYTES, type PortalClientOptions, TOKEN_PATH } from '../../../portal/portal-client.js';
import { limitCode, applyItemResults } from '../../../portal/read-answer.js';
import { readText } from '../../../runtime/read-body.js';
import { Secret, redactSecrets } from '../../../runtime/secret.js';

/** A longer wait that the portal asks for is not awaited. */
const MAX_WAIT_MS = 10_000;

export interface UpdateCheck {
  /** Id of the item to send a trial update of. */
  readonly send: string;
  /** The vendor of the item. Default if one is required: the only vendor that has its own credential. */
  readonly vendor?: string | undefined;
  readonly available: boolean;
  readonly writeLine: (line: string) => void;
}

/** Sends one update as the proxy would, with the vendor's path and credential. @returns whether the portal accepted it */
export async function checkUpdate(
  calls: PortalClientOptions,
  account: PortalAccount,
  request: UpdateCheck,
): Promise<boolean> {
  const { send, available, writeLine } = request;
  if (!isItemId(send)) {
    writeLine('Update: not sent. --send takes an id of 1 to 200 characters without control characters.');
    return false;
  }
  const recorder = recordCalls(calls, account);
  const lanes = new PortalCredentials(account, { ...calls, fetch: recorder.fetch }, Math.random);
  const vendor = vendorOf(lanes, account, request);
  if (vendor === undefined) {
    writeLine(`Update: not sent. ${whoseItem(account)}`);
    return false;
  }
  if (!account.byVendor?.has(vendor) && account.credentials.length === 0) {
    writeLine(`Update: not sent. PORTAL_CREDENTIALS_FILE has no vendor ${JSON.stringify(vendor)}.`);
    return false;
  }
  const edit = createEdit({ vendor, id: send, available }, calls);
  const connection = lanes.connectionFor(lanes.laneOf(vendor));
  let answered = await connection.update([edit]);
  const { afterMs = 0 } = answered;
  if (answered.kind === 'retry' && afterMs > 0 && afterMs <= MAX_WAIT_MS) {
    // Waits as the proxy would; the wait is no fault of the settings.
    await sleep(afterMs);
    answered = await connection.update([edit]);
  }
  const outcome = applyItemResults([edit], answered);
  if (!recorder.isSent()) {
    writeLine('Update: not sent. The portal gave no token for it.');
    return false;
  }
  writeLine(`Update of ${JSON.stringify(send)} to ${available ? 'available' : 'not available'}: ${explain(outcome)}`);
  const message = recorder.last()?.message ?? '';
  if (outcome.kind !== 'delivered') {
    writeMessage(message, writeLine);
    const setting = settingNamedIn(message);
    if (setting !== undefined) writeLine(`  By these words it is about ${setting}.`);
    else if (outcome.kind === 'refused') {
      writeLine(
        '  It may also be stamps.precision, idempotency.header or update.headers: --learn FILE tries what portals differ in.',
      );
    }
  } else if (calls.profile.success.status === undefined && message !== '') {
    writeLine(
      `  So says its status alone. Where the portal means no by ${limitCode(message)}, set success.status in the profile.`,
    );
  }
  writeLine(
    '  A running proxy does not learn of this update, and its pages show what they did. Use an item that is not for sale,',
  );
  writeLine('  or switch it on its page afterwards, there and back.');
  return outcome.kind === 'delivered';
}

/** @returns `undefined` if the vendor has to be named; an empty name if it makes no difference */
function vendorOf(lanes: PortalCredentials, account: PortalAccount, { vendor }: UpdateCheck): string | undefined {
  if (vendor !== undefined && vendor !== '') return vendor;
  if (!lanes.hasVendorPath && account.credentials.length > 0) return '';
  const [only, ...others] = account.byVendor?.keys() ?? [];
  return others.length === 0 ? only : undefined;
}

function whoseItem({ byVendor }: PortalAccount): string {
  const known = [...(byVendor?.keys() ?? [])].map((name) => JSON.stringify(name));
  const names = known.length === 0 ? '' : ` Those with a credential: ${known.join(', ')}.`;
  return `Path or credential depend on the vendor: say whose item it is with --vendor NAME.${names}`;
}

function explain(outcome: UpdateOutcome): string {
  switch (outcome.kind) {
    case 'delivered':
      return 'delivered.';
    case 'refused':
      if (outcome.codesByItem)
        return `answered, and the item refused (${outcome.code}). Check the id, and results.taken in the profile.`;
      if ((outcome.response?.status ?? 400) < 300)
        return `answered, and refused (${outcome.code}). Check the id, and success in the profile.`;
      return `refused (${outcome.code}${outcome.response ? unexpectedContentType(outcome.response) : ''}). Check ${outcome.response?.status === 415 ? 'Content-Type in update.headers' : 'the id'}, then update.method and update.path.`;
    case 'retry':
    case 'unknown':
      return `no answer to rely on (${describeAnswer(outcome, outcome.reason)}). The proxy would keep trying; check the portal, then timeouts.connect_ms and timeouts.call_ms.`;
    case 'held':
      return outcome.reason === 'portal_credentials'
        ? 'the token is not accepted. Check authorization.header and authorization.prefix in the profile.'
        : `the answer (${describeAnswer(outcome)}) is none that an inventory update gives. Check ${outcome.response?.status === 405 ? 'update.method, then ' : ''}update.path and PORTAL_BASE_URL${namesProfile(outcome)}.`;
  }
}

/** The setting of the profile that a message of the portal refers to, if it names what the portal requires. */
export function settingNamedIn(message: string): string | undefined {
  if (/idempotency/i.test(message)) return 'idempotency.header';
  if (/too many|rate/i.test(message)) return 'limits.calls_per_second and limits.in_flight';
  if (/\b(?:token|authorization|credentials?)\b/i.test(message)) return 'authorization.header and authorization.prefix';
  if (/updated_at|digits of a second|whole seconds/i.test(message)) return 'stamps.precision';
  if (/at most \d+|larger than|too large/i.test(message)) return 'limits.items and limits.bytes';
  if (/\bheader\b/i.test(message)) return 'update.headers';
  if (/\bscope\b/i.test(message)) return 'token.extra_fields';
  if (/\bmethod\b/i.test(message)) return 'update.method';
  return /no such address|not found/i.test(message) ? 'update.path' : undefined;
}

type Failed = Exclude<UpdateOutcome, { readonly kind: 'delivered' }>;

/** Describes a response by its status, its type and the expected fields that it lacks, never by its content. */
function describeAnswer({ response, ...outcome }: Failed, cause?: string): string {
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  const kind = response && `${String(response.status)}, ${response.type ?? 'without a type'}`;
  return [cause, kind, failure].filter((part) => part !== undefined).join('; ');
}

function namesProfile(outcome: Failed): string {
  const [, section] = /(results|success)\./.exec(('failure' in outcome ? outcome.failure : undefined) ?? '') ?? [];
  return section === undefined ? '' : `, and ${section} in the profile`;
}

/** The last response of the portal. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** In visible ASCII, with secrets redacted that a portal may echo; empty without a message or for a web page. */
  readonly message: string;
}

/** A fetch that records the portal's last response. */
export interface RecordedCalls {
  readonly fetch: typeof fetch;
  /** Whether an update was sent, and not only a token request. */
  readonly isSent: () => boolean;
  readonly last: () => RecordedAnswer | undefined;
}

/**
 * The edit of a trial, with the portal's time by its last response: there may be only one observation, not yet confirmed by
 * a second.
 */
export function createEdit(
  value: Pick<OpenEdit, 'vendor' | 'id' | 'available'>,
  { portalClock }: Pick<PortalClientOptions, 'portalClock'>,
): OpenEdit {
  const updated_at = toTimestamp(Date.now() + (portalClock.lastObserved ?? 0));
  return { ...value, seq: 0, updated_at, attempts: 1, isResend: false, followsUncertain: false };
}

export function recordCalls(calls: PortalClientOptions, { credentials, byVendor }: PortalAccount): RecordedCalls {
  const secrets = [...credentials, ...[...(byVendor?.values() ?? [])].flat()].map(({ clientSecret }) => clientSecret);
  let isSent = false;
  let last: RecordedAnswer | undefined;
  return {
    async fetch(...call) {
      // Every call except the token request is the update.
      const isUpdate = call[0] !== calls.baseUrl + TOKEN_PATH;
      isSent ||= isUpdate;
      last = undefined;
      const answer = await calls.fetch(...call);
      const { status, headers } = answer;
      const text = await readText(answer.clone().body, MAX_RESPONSE_BYTES, 'lenient');
      // A granted token is not a message.
      const isGrant = !isUpdate && /"access_token"/.test(text);
      const message =
        isGrant || /^\s*</.test(text) ? '' : inOneLine(redactSecrets(text, [...secrets, tokenOf(call, calls)]));
      last = { status, headers, message };
      return answer;
    },
    isSent: () => isSent,
    last: () => last,
  };
}

function tokenOf([, request]: Parameters<typeof fetch>, { profile }: PortalClientOptions): Secret {
  const { header, prefix } = profile.authorization;
  return new Secret((new Headers(request?.headers).get(header) ?? '').slice(prefix.length));
}

const MAX_MESSAGE_LENGTH = 400;

function inOneLine(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, MAX_MESSAGE_LENGTH);
}

/** Prints the portal's own message, which names the fault more often than the status does. */
export function writeMessage(message: string | undefined, writeLine: (line: string) => void): void {
  if (message) writeLine(`  The portal says: ${message.slice(0, MAX_SHOWN_LENGTH)}`);
}

const MAX_SHOWN_LENGTH = 200;

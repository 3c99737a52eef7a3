import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import * as z from 'zod/mini';
import { fieldErrors } from '../../contract/validation-errors.js';
import { parseUntrustedJson } from '../runtime/untrusted-json.js';
import { isLoopback } from '../runtime/address-rules.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import { readText } from '../runtime/read-body.js';
import { UnknownKey, SessionUnverifiable } from './session.js';

/**
 * The host's public keys behind a URL (RFC 7517). jose's `createRemoteJWKSet` requests a failing URL again for every token
 * and drops its keys when they expire. This one promises more:
 *
 * - One fetch at a time and none within the cool-down, however many tokens name unknown keys.
 * - The last good keys stay in use while the URL fails, for at most a day, and no request waits for the URL twice.
 * - A token that cannot be checked is not rejected, because a page that gets a 401 assumes that the person has signed out.
 */
export const MAX_AGE_MS = 10 * 60_000;
/** How long the last good keys are used while the URL fails (like `stale-if-error`, RFC 5861 section 4). */
export const STALE_IF_ERROR_MS = 24 * 3_600_000;
export const COOL_DOWN_MS = 30_000;
/** The cool-down if no earlier keys are usable: the same time as the `Retry-After` that the page gets. */
export const RETRY_MS = 5_000;
export const FETCH_TIMEOUT_MS = 5_000;
export const MAX_BYTES = 64 * 1024;
const CLOCK_SKEW_MS = 60_000;

export interface RemoteJwksOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch?: typeof fetch | undefined;
  /** Called when the keys have changed: sessions that the old keys verified are no longer valid. */
  readonly onReplaced: () => void;
}

export interface RemoteJwks {
  readonly find: JWTVerifyGetKey;
  readonly reload: () => void;
}

interface Keys {
  readonly text: string;
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
  /** The same on the wall clock, to compare with the issue time of tokens. */
  readonly requestedAt: number;
}

/** @throws {TypeError} for plain http to another machine */
export function createRemoteJwks(url: URL, options: RemoteJwksOptions): RemoteJwks {
  const { clock, log, onReplaced } = options;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new TypeError('the keys of the host must come by https: plain http is for loopback addresses only');
  }
  let known: Keys | undefined;
  let failed = false;
  let triedAt = -Infinity;
  let expiredAt = -Infinity;
  let fetching: Promise<void> | undefined;

  function ageOf({ fetchedAt }: Keys): number {
    return fetchedAt <= expiredAt ? Math.max(MAX_AGE_MS, clock.monotonic() - fetchedAt) : clock.monotonic() - fetchedAt;
  }

  function usable(): Keys | undefined {
    return known !== undefined && ageOf(known) < STALE_IF_ERROR_MS ? known : undefined;
  }

  async function fetchAnew(): Promise<void> {
    const fetchedAt = (triedAt = clock.monotonic());
    const requestedAt = clock.wall();
    try {
      const { text, keys } = await fetchJwks(url, options);
      const find = createLocalJWKSet(keys);
      const before = known?.text;
      known = { text, find, fetchedAt, requestedAt };
      failed = false;
      if (before !== undefined && before !== text) onReplaced();
    } catch (error) {
      failed = true;
      const event =
        usable() === undefined ? 'host keys cannot be fetched' : 'host keys cannot be fetched; the last stay';
      log('error', event, { error: reasonOf(error) });
    }
  }

  /** Joins the fetch in flight, or starts one if the cool-down is over. Never rejects. */
  function refresh(): Promise<void> {
    const rest = triedAt + (usable() === undefined ? RETRY_MS : COOL_DOWN_MS) - clock.monotonic();
    if (rest <= 0) fetching ??= fetchAnew().finally(() => (fetching = undefined));
    return fetching ?? Promise.resolve();
  }

  return {
    async find(header, token) {
      if (known === undefined || ageOf(known) >= MAX_AGE_MS) {
        const refreshed = refresh();
        if (usable() === undefined || !failed) await refreshed;
      }
      const keys = usable();
      if (keys === undefined) throw new SessionUnverifiable('the keys of the host cannot be fetched');
      try {
        return await keys.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      // The host may have started to sign with a new key.
      await refresh();
      const newer = usable() ?? keys;
      if (newer === keys && failed) throw new SessionUnverifiable('the keys of the host cannot be fetched again');
      if (newer === keys && mayBeNewerThan(keys, token)) {
        throw new UnknownKey('the token names a key that is not known yet');
      }
      return newer.find(header, token);
    },
    reload() {
      expiredAt = clock.monotonic();
      triedAt = -Infinity;
    },
  };
}

/**
 * @throws {Error} if there is no usable set: no connection, an unexpected response, or no key that the proxy can verify
 *   with
 */
export async function fetchJwks(
  url: URL,
  options: Pick<RemoteJwksOptions, 'clock' | 'fetch'>,
): Promise<{ readonly text: string; readonly keys: JSONWebKeySet }> {
  const text = await fetchText(url, options);
  return { text, keys: keysIn(text) };
}

async function fetchText(
  url: URL,
  { clock, fetch: call = fetch }: Pick<RemoteJwksOptions, 'clock' | 'fetch'>,
): Promise<string> {
  const patience = new AbortController();
  const stop = clock.after(FETCH_TIMEOUT_MS, () => {
    patience.abort(new Error(`no whole answer within ${String(FETCH_TIMEOUT_MS)} ms`));
  });
  try {
    const response = await call(url, {
      headers: { Accept: 'application/jwk-set+json, application/json' },
      redirect: 'manual',
      signal: patience.signal,
    });
    if (response.status === 200) return await readText(response.body, MAX_BYTES);
    await response.body?.cancel();
    throw new Error(`the host answered ${String(response.status)}`);
  } finally {
    stop();
  }
}

function keysIn(text: string): JSONWebKeySet {
  const parsed = jwkSet.safeParse(parseUntrustedJson(text));
  if (parsed.success) return parsed.data;
  const faults = fieldErrors(parsed.error).map(({ pointer, message }) => `${pointer} ${message}`.trim());
  throw new Error(`the answer is no JWK set that tokens can be checked by: ${faults.join(', ')}`);
}

/**
 * A host publishes a key before it signs with it. So if the set was fetched after the token was issued and lacks its key, a
 * new fetch cannot help.
 */
function mayBeNewerThan({ requestedAt }: Keys, { payload }: FlattenedJWSInput): boolean {
  try {
    const { iat } = decodeJwt(`.${typeof payload === 'string' ? payload : ''}.`);
    return iat !== undefined && iat * 1000 > requestedAt - CLOCK_SKEW_MS;
  } catch {
    return false;
  }
}

/** `fetch` throws "fetch failed"; the reason is in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** 32 bytes in base64url. */
const coordinate = z.string().check(z.regex(/^[\w-]{43}=?$/));
/** A key for another purpose declares it (RFC 7517 sections 4.2 and 4.3). */
const purpose = {
  use: z.optional(z.literal('sig')),
  key_ops: z.optional(z.array(z.string()).check(z.refine((operations) => operations.includes('verify')))),
};
const checkingKey = z.union([
  z.looseObject({
    ...purpose,
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    alg: z.optional(z.literal('EdDSA')),
    x: coordinate,
  }),
  z.looseObject({
    ...purpose,
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    alg: z.optional(z.literal('ES256')),
    x: coordinate,
    y: coordinate,
  }),
]);

const anyKey = z
  .looseObject({ kty: z.string() })
  .check(z.refine((key) => !isPrivate(key), 'a private key: give the public half alone'));

/**
 * A JWK set (RFC 7517) of the host, from a file or a URL, reduced to the keys that can verify embed tokens. The host may
 * publish keys for other purposes in the same set; they are ignored.
 */
export const jwkSet = z.pipe(
  z.object({
    keys: z.array(anyKey).check(
      z.minLength(1),
      z.refine(
        // An empty set or a private key already has its own message.
        (keys) => keys.length === 0 || keys.some((key) => isPrivate(key) || canCheck(key)),
        'none of them is a whole key of Ed25519 or P-256',
      ),
    ),
  }),
  z.transform(({ keys }): JSONWebKeySet => ({ keys: keys.filter(canCheck) })),
);

function isPrivate(key: { readonly kty: string }): boolean {
  return (key.kty === 'OKP' || key.kty === 'EC') && 'd' in key;
}

function canCheck(key: unknown): boolean {
  return checkingKey.safeParse(key).success;
}

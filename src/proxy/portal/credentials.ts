import { webDigest, type Digest } from '../runtime/hash.js';
import type { PresentPortal } from '../outbox/outbox.js';
import type { Secret } from '../runtime/secret.js';
import type { UpdateOutcome } from './outcome.js';
import type { PortalListing } from './profile.js';
import {
  createPortalConnection,
  type PortalConnection,
  requestToken,
  type PortalClientOptions,
  type PortalCredential,
} from './portal-client.js';
import { createTokenCache, type TokenCache } from './token-cache.js';
import type { TokenSubject } from './token-seal.js';
import type { TokenStore } from './token-store.js';

/** Which credential delivers whose edits. */
export interface PortalAccount {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** For every vendor that has no credential of its own. Two while one replaces the other: the first is tried first. */
  readonly credentials: readonly PortalCredential[];
  readonly byVendor?: ReadonlyMap<string, readonly PortalCredential[]> | undefined;
}

/** One lane's way to the portal, for calls other than updates. */
export interface PortalAccess {
  readonly calls: PortalClientOptions;
  readonly tokens: TokenCache;
  readonly secrets: readonly Secret[];
  /** Whose calls they are to the portal: they keep to the pace of its updates. */
  readonly clientId: string;
}

/** The list of the portal that has the items of a vendor. */
export interface VendorList {
  /** Name of the list: that of its vendor, or that of the shared lane. */
  readonly name: string;
  readonly lane: string;
  /** The vendor in its path and of its credential; absent: several vendors may share the list. */
  readonly vendor?: string | undefined;
  /** Whether all of its items are the vendor's. */
  readonly isWhole: boolean;
}

/** Of one call. */
export interface BatchLimits {
  readonly items: number;
  readonly bytes: number;
}

export interface DeliveryLimits extends BatchLimits {
  /** Calls at once in one lane. */
  readonly inFlight: number;
  /** Of one caller. */
  readonly callsPerSecond: number;
  /** Whether many lanes may be one caller's. */
  readonly isShared: boolean;
}

/**
 * Edits travel in lanes: all that one credential delivers to one address. Where every vendor shares both, there is one
 * lane; with a credential of its own, or its name in the path, each vendor has one.
 */
export class PortalCredentials {
  readonly #account: PortalAccount;
  readonly #calls: PortalClientOptions;
  readonly #random: () => number;
  readonly #shareToken: ((subject: TokenSubject) => TokenStore) | undefined;
  readonly #lanes = new Map<string, PortalConnection>();
  readonly #tokens = new Map<readonly PortalCredential[], TokenCache>();
  readonly #digest: Digest;

  constructor(
    account: PortalAccount,
    calls: PortalClientOptions,
    random: () => number,
    shareToken?: (subject: TokenSubject) => TokenStore,
    digest: Digest = webDigest,
  ) {
    this.#account = account;
    this.#calls = calls;
    this.#random = random;
    this.#shareToken = shareToken;
    this.#digest = digest;
  }

  laneOf(vendor: string): string {
    return this.#account.byVendor?.has(vendor) === true || this.hasVendorPath ? vendor : SHARED_LANE;
  }

  /** Whether ids of one vendor can never meet those of another at the portal. */
  isIsolated(vendor: string): boolean {
    return this.laneOf(vendor) !== SHARED_LANE;
  }

  get limits(): DeliveryLimits {
    const { items, bytes, in_flight, calls_per_second } = this.#calls.profile.limits;
    return { items, bytes, inFlight: in_flight, callsPerSecond: calls_per_second, isShared: this.hasVendorPath };
  }

  /** Milliseconds between two stamps that the portal can tell apart. */
  get timestampUnit(): number {
    return this.#calls.profile.stamps.precision === 'seconds' ? 1000 : 1;
  }

  /** How far a stamp may be ahead of the portal's clock, in milliseconds. */
  get timestampTolerance(): number {
    return this.#calls.profile.stamps.tolerance_ms;
  }

  /** Longest that one call may take. */
  get callTimeoutMs(): number {
    return this.#calls.profile.timeouts.call_ms;
  }

  get hasVendorPath(): boolean {
    return this.#calls.profile.update.path.includes('{vendor}');
  }

  get listing(): PortalListing | undefined {
    return this.#calls.profile.listing;
  }

  /** @returns `undefined` where the portal's own list is not read */
  listOf(vendor: string): VendorList | undefined {
    const { listing } = this;
    if (listing === undefined) return undefined;
    const lane = this.laneOf(vendor);
    if (lane !== SHARED_LANE || listing.path.includes('{vendor}')) return { name: vendor, lane, vendor, isWhole: true };
    return { name: SHARED_LANE, lane, isWhole: listing.vendor === vendor };
  }

  accessTo(lane: string): PortalAccess {
    const credentials = this.#credentialsOf(lane);
    return {
      calls: this.#calls,
      tokens: this.#tokensOf(credentials),
      secrets: credentials.map(({ clientSecret }) => clientSecret),
      clientId: clientIdOf(credentials),
    };
  }

  /** Whether another account or profile stands behind these: what held a lane may be mended. */
  differsFrom(other: PortalCredentials): boolean {
    return this.#settings() !== other.#settings();
  }

  connectionFor(lane: string): PortalConnection {
    const known = this.#lanes.get(lane);
    if (known !== undefined) return known;
    const made = this.#make(lane);
    this.#lanes.set(lane, made);
    return made;
  }

  async activeCredentials(): Promise<PresentPortal> {
    const lanes = [SHARED_LANE, ...(this.#account.byVendor?.keys() ?? [])];
    const prints = await Promise.all(lanes.map(async (lane) => await this.connectionFor(lane).credential));
    return {
      credentials: prints.flatMap((print) => [print, unverifiedCredential(print)]),
      baseUrl: this.#account.baseUrl,
    };
  }

  /** Never kept, never printed: there are secrets in it. */
  #settings(): string {
    const { baseUrl, credentials, byVendor } = this.#account;
    const own = [...(byVendor ?? [])].map(([vendor, pairs]) => [vendor, pairs.map(credentialParts)]);
    return JSON.stringify([baseUrl, credentials.map(credentialParts), own, this.#calls.profile]);
  }

  #credentialsOf(lane: string): readonly PortalCredential[] {
    return this.#account.byVendor?.get(lane) ?? this.#account.credentials;
  }

  #make(lane: string): PortalConnection {
    const credentials = this.#credentialsOf(lane);
    const portal = createPortalConnection(this.#calls, {
      credential: this.#fingerprint(credentials),
      vendor: lane,
      tokens: this.#tokensOf(credentials),
      secrets: credentials.map(({ clientSecret }) => clientSecret),
    });
    return {
      credential: portal.credential,
      clientId: clientIdOf(credentials),
      update: async (edits, mayLeave) =>
        edits.every((edit) => this.laneOf(edit.vendor) === lane) ? portal.update(edits, mayLeave) : WRONG_CREDENTIAL,
    };
  }

  /**
   * Lies in the outbox, so that it says nothing of the secrets but whether they are the same: half a digest over all that
   * the credential is tells no two guesses of a good secret apart from others.
   */
  async #fingerprint(credentials: readonly PortalCredential[]): Promise<string> {
    const names = credentials.map(({ clientId }) => clientId);
    // Another path or header is as much a reason to try anew as another secret; pace and patience are none.
    const profile = { ...this.#calls.profile, limits: undefined, timeouts: undefined, listing: undefined };
    const whole = JSON.stringify([this.#account.baseUrl, ...credentials.map(credentialParts), profile]);
    return [this.#account.baseUrl, ...names, (await this.#digest(whole)).slice(0, 16)].join(' ');
  }

  /** Lanes that share a credential share its token. */
  #tokensOf(credentials: readonly PortalCredential[]): TokenCache {
    const known = this.#tokens.get(credentials);
    if (known !== undefined) return known;
    const { clock, profile } = this.#calls;
    const [first] = credentials;
    const tokens = createTokenCache({
      requests: credentials.map((credential) => () => requestToken(this.#calls, credential)),
      fallbackLifetimeSeconds: profile.token.fallback_lifetime_seconds,
      renewalMarginSeconds: profile.token.renewal_margin_seconds,
      callMs: profile.timeouts.call_ms,
      store: first && this.#shareToken?.(this.#subjectOf(first)),
      clock,
      random: this.#random,
      ...(this.#calls.log && { log: this.#calls.log }),
    });
    this.#tokens.set(credentials, tokens);
    return tokens;
  }

  /** Every parameter of the token request: other parameters may bring another token. */
  #subjectOf({ clientId, clientSecret }: PortalCredential): TokenSubject {
    const extra = Object.entries(this.#calls.profile.token.extra_fields).sort();
    return { about: JSON.stringify([this.#account.baseUrl, clientId, extra]), clientSecret };
  }
}

/** What a lane in trouble notes of a credential without a 2xx, so that a start with another one knows that it is another. */
export function unverifiedCredential(credential: string): string {
  return `unproven ${credential}`;
}

/** The lane of every vendor without one of its own. No vendor is named so: names have at least one character. */
export const SHARED_LANE = '';

/**
 * A process with other settings has just put an edit here whose path or credential is not this lane's. Nothing is sent; the
 * next holder of the lane moves it.
 */
const WRONG_CREDENTIAL: UpdateOutcome = { kind: 'retry', reason: 'portal_unreachable' };

function clientIdOf([first]: readonly PortalCredential[]): string {
  return first?.clientId ?? SHARED_LANE;
}

function credentialParts({ clientId, clientSecret }: PortalCredential): readonly string[] {
  return [clientId, clientSecret.reveal()];
}

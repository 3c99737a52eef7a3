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

/** The portal's address, and the credential for each vendor. */
export interface PortalAccount {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /**
   * The credential of every vendor without its own. During a secret rotation there are two; the first is tried first.
   */
  readonly credentials: readonly PortalCredential[];
  readonly byVendor?: ReadonlyMap<string, readonly PortalCredential[]> | undefined;
}

/** What a reader of the portal's list needs for its calls, which are not updates. */
export interface PortalAccess {
  readonly calls: PortalClientOptions;
  readonly tokens: TokenCache;
  readonly secrets: readonly Secret[];
  /** The client at the portal. These calls count against its rate limit, as updates do. */
  readonly clientId: string;
}

/** The portal's list that contains the items of a vendor. */
export interface VendorList {
  /** The name of the vendor, or of the shared lane. */
  readonly name: string;
  readonly lane: string;
  /** The vendor, if the path or the credential names one. Absent: several vendors may share the list. */
  readonly vendor?: string | undefined;
  /** Whether every item of the list belongs to the vendor. */
  readonly isWhole: boolean;
}

/** Limits of one call. */
export interface BatchLimits {
  readonly items: number;
  readonly bytes: number;
}

export interface DeliveryLimits extends BatchLimits {
  /** Concurrent calls in one lane. */
  readonly inFlight: number;
  /** For one client at the portal. */
  readonly callsPerSecond: number;
  /** Whether several lanes may use the same client. */
  readonly isShared: boolean;
}

/**
 * A lane is the delivery queue of one credential at one address. If all vendors share both, there is one lane. A vendor
 * with its own credential, or with its name in the path, has its own lane.
 */
export class PortalCredentials {
  readonly #account: PortalAccount;
  readonly #calls: PortalClientOptions;
  readonly #random: () => number;
  readonly #shareToken: ((subject: TokenSubject) => TokenStore) | undefined;
  readonly #connections = new Map<string, PortalConnection>();
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

  /** Whether the portal can never confuse this vendor's item ids with those of another vendor. */
  isIsolated(vendor: string): boolean {
    return this.laneOf(vendor) !== SHARED_LANE;
  }

  get limits(): DeliveryLimits {
    const { items, bytes, in_flight, calls_per_second } = this.#calls.profile.limits;
    return { items, bytes, inFlight: in_flight, callsPerSecond: calls_per_second, isShared: this.hasVendorPath };
  }

  /** The smallest difference between two timestamps that the portal can tell apart, in milliseconds. */
  get timestampUnit(): number {
    return this.#calls.profile.stamps.precision === 'seconds' ? 1000 : 1;
  }

  /** How far a timestamp may be ahead of the portal's clock, in milliseconds. */
  get timestampTolerance(): number {
    return this.#calls.profile.stamps.tolerance_ms;
  }

  /** The timeout of one call, in milliseconds. */
  get callTimeoutMs(): number {
    return this.#calls.profile.timeouts.call_ms;
  }

  get hasVendorPath(): boolean {
    return this.#calls.profile.update.path.includes('{vendor}');
  }

  get listing(): PortalListing | undefined {
    return this.#calls.profile.listing;
  }

  /** @returns `undefined` if the portal's list is not read */
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

  /** Whether the account or the profile differs. If so, the fault that held a lane may be repaired. */
  differsFrom(other: PortalCredentials): boolean {
    return this.#settings() !== other.#settings();
  }

  connectionFor(lane: string): PortalConnection {
    const existing = this.#connections.get(lane);
    if (existing !== undefined) return existing;
    const created = this.#createConnection(lane);
    this.#connections.set(lane, created);
    return created;
  }

  async activeCredentials(): Promise<PresentPortal> {
    const lanes = [SHARED_LANE, ...(this.#account.byVendor?.keys() ?? [])];
    const fingerprints = await Promise.all(lanes.map(async (lane) => await this.connectionFor(lane).credential));
    return {
      credentials: fingerprints.flatMap((print) => [print, unverifiedCredential(print)]),
      baseUrl: this.#account.baseUrl,
    };
  }

  /** Contains secrets, so it is neither stored nor logged. */
  #settings(): string {
    const { baseUrl, credentials, byVendor } = this.#account;
    const own = [...(byVendor ?? [])].map(([vendor, pairs]) => [vendor, pairs.map(credentialParts)]);
    return JSON.stringify([baseUrl, credentials.map(credentialParts), own, this.#calls.profile]);
  }

  #credentialsOf(lane: string): readonly PortalCredential[] {
    return this.#account.byVendor?.get(lane) ?? this.#account.credentials;
  }

  #createConnection(lane: string): PortalConnection {
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
      update: async (edits, canSend) =>
        edits.every((edit) => this.laneOf(edit.vendor) === lane) ? portal.update(edits, canSend) : WRONG_CREDENTIAL,
    };
  }

  /**
   * The fingerprint is stored in the outbox, so it must not reveal the secrets. It contains only the first half of a
   * digest of the whole credential: too little to confirm a guessed secret.
   */
  async #fingerprint(credentials: readonly PortalCredential[]): Promise<string> {
    const names = credentials.map(({ clientId }) => clientId);
    // A changed path or header is a reason to try again, as a changed secret is. Changed limits and timeouts are not.
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

  /** The subject contains every parameter of the token request, because another parameter may give another token. */
  #subjectOf({ clientId, clientSecret }: PortalCredential): TokenSubject {
    const extra = Object.entries(this.#calls.profile.token.extra_fields).sort();
    return { about: JSON.stringify([this.#account.baseUrl, clientId, extra]), clientSecret };
  }
}

/**
 * The mark of a credential that never had a 2xx, stored by a lane that is held or fails. After a restart it shows
 * whether the credential has changed since.
 */
export function unverifiedCredential(credential: string): string {
  return `unproven ${credential}`;
}

/** The lane of every vendor without its own. No vendor has this name, because vendor names are not empty. */
export const SHARED_LANE = '';

/**
 * A process with other settings has put an edit into this lane whose path or credential is not the lane's. Nothing is
 * sent; the next worker of the lane moves the edit.
 */
const WRONG_CREDENTIAL: UpdateOutcome = { kind: 'retry', reason: 'portal_unreachable' };

function clientIdOf([first]: readonly PortalCredential[]): string {
  return first?.clientId ?? SHARED_LANE;
}

function credentialParts({ clientId, clientSecret }: PortalCredential): readonly string[] {
  return [clientId, clientSecret.reveal()];
}

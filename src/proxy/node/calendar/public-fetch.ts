import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type Response } from 'undici';
import { findFeedAddressFault } from '../../runtime/address-rules.js';

const CONNECT_MS = 3_000;
/** Time limit from the first byte of the request to the last byte of the response, redirects included. */
export const CALL_MS = 10_000;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The URL is not https, or its host is not on the public internet. */
export class AddressNotPublic extends Error {
  override readonly name = 'AddressNotPublic';
}

export interface PublicFetchOptions {
  /** Whether a host with this IP address may be called. Default: addresses on the public internet. */
  readonly isAllowed?: (address: string) => boolean;
  /** Certificates in PEM that are trusted in addition to those of Node. */
  readonly ca?: string;
  readonly resolve?: typeof resolveName;
}

export type PublicFetch = (url: string, headers: Readonly<Record<string, string>>) => Promise<Response>;

/**
 * A fetch for URLs from untrusted users that protects against server-side request forgery (SSRF, CWE-918).
 *
 * - Each connection checks the IP address that it connects to. A check of the host name beforehand would not suffice,
 *   because the next lookup may return another address (DNS rebinding).
 * - Redirects are followed here, at most `MAX_REDIRECTS`, and each one is checked like the first URL.
 * - Requests carry nothing of this proxy: no cookie, no token, no `Referer`.
 * - It does not use the network's forward proxy, which would resolve the host name itself.
 */
export function createPublicFetch(options: PublicFetchOptions = {}): PublicFetch {
  const { isAllowed = isPublicAddress, ca, resolve = resolveName } = options;
  const dispatcher = new Agent({
    keepAliveTimeout: 1,
    headersTimeout: CALL_MS,
    bodyTimeout: CALL_MS,
    connect: { timeout: CONNECT_MS, lookup: checkedLookup(resolve, isAllowed), ...(ca !== undefined && { ca }) },
  });

  function check(url: string): void {
    const fault = findFeedAddressFault(url);
    if (fault !== undefined) throw new AddressNotPublic(fault);
    // A host that is an IP address is not looked up, so it is checked here.
    const { hostname } = new URL(url);
    const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    if ((hostname.startsWith('[') || /^[\d.]+$/.test(literal)) && !isAllowed(literal))
      throw new AddressNotPublic('not on the public internet');
  }

  return async (address, headers) => {
    const signal = AbortSignal.timeout(CALL_MS);
    let url = address;
    for (let followed = 0; ; followed += 1) {
      check(url);
      const response = await fetch(url, { headers, redirect: 'manual', signal, dispatcher });
      const location = REDIRECTS.has(response.status) ? response.headers.get('Location') : null;
      if (location === null || followed === MAX_REDIRECTS || !URL.canParse(location, url)) return response;
      await response.body?.cancel();
      url = new URL(location, url).href;
    }
  };
}

/** Rejects a host name if any of its addresses is not allowed. */
function checkedLookup(resolve: typeof resolveName, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '', 0);
      else if (first === undefined || !addresses.every(({ address }) => isAllowed(address)))
        callback(new AddressNotPublic('not on the public internet'), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * Whether an IP address belongs to the public internet: not to this machine, a private network, the metadata service of a
 * cloud or another special-purpose range (RFC 6890). An IPv4-mapped IPv6 address is checked as the IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

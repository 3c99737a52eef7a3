import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, fetch, type Response } from 'undici';
import { findFeedAddressFault } from '../../runtime/address-rules.js';

const CONNECT_MS = 3_000;
/** From the first byte of the request to the last of the response, redirects included. */
export const CALL_MS = 10_000;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The address is not https, or leads to a machine that is not on the public internet. */
export class AddressNotPublic extends Error {
  override readonly name = 'AddressNotPublic';
}

export interface PublicFetchOptions {
  /** Whether a machine with this IP address may be called. Default: one on the public internet. */
  readonly isAllowed?: (address: string) => boolean;
  /** Certificates that are trusted beside those of Node, in PEM. */
  readonly ca?: string;
  readonly resolve?: typeof resolveName;
}

export type PublicFetch = (url: string, headers: Readonly<Record<string, string>>) => Promise<Response>;

/**
 * A fetch for addresses that strangers gave (SSRF, CWE-918).
 *
 * - Each connection checks the IP address that it goes to. Checking the name beforehand would not do: the next look-up may give
 *   another address (DNS rebinding).
 * - Redirects are followed here, a few, and each is checked as the first address was.
 * - Nothing of this proxy goes along: no cookie, no token, no `Referer`.
 * - It does not use the forward proxy of the network, which would resolve the name by itself.
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
    // No name is resolved for an address that is written in numbers.
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

/** Refuses a name where any of its addresses is not allowed. */
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
 * Whether an IP address belongs to the public internet: not to this machine, a private network, the metadata service of a cloud
 * or a range for other purposes (RFC 6890). An IPv4 address inside an IPv6 one counts as that IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

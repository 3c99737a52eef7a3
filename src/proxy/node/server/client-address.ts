import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import proxyaddr from 'proxy-addr';

/**
 * The client's address, for rate limits. `X-Forwarded-For` is trusted only as far as the operator's own proxies wrote it:
 * from the right, up to the first address that is not one of theirs. The sender may have made up everything before that.
 */
export class ClientAddress {
  readonly #isTrusted: (address: string, hop: number) => boolean;
  readonly trustsNobody: boolean;

  /** @param trusted addresses or networks (`10.0.0.0/8`, `fd00::/8`), each accepted by `isNetwork` */
  constructor(trusted: readonly string[]) {
    this.trustsNobody = trusted.length === 0;
    this.#isTrusted = proxyaddr.compile([...trusted]);
  }

  /**
   * @param forwarded value of `X-Forwarded-For`, several joined by commas
   * @returns `undefined` if the address is unknown: the request came through a gateway that the operator has not named, or
   *   that wrote no usable address. If all people behind it shared one address, one of them could lock out the others
   */
  of(peer: string | undefined, forwarded: string | undefined): string | undefined {
    if (this.trustsNobody && forwarded !== undefined) return undefined;
    const hops = (forwarded ?? '').split(',').map((hop) => withoutPort(hop.trim()));
    const request: Pick<IncomingMessage, 'headers'> & { readonly socket: Pick<Socket, 'remoteAddress'> } = {
      socket: { remoteAddress: peer },
      headers: { 'x-forwarded-for': hops.join(',') },
    };
    const addresses = proxyaddr.all(request as IncomingMessage, this.#isTrusted);
    const address = plain(addresses.at(-1));
    return address === undefined || this.#isTrusted(address, 0) ? undefined : countedBy(address);
  }
}

/** Reads the client's address of a request of node:http, for a host's own server. */
export function readClientAddress(
  incoming: Pick<IncomingMessage, 'socket' | 'headers'>,
  addresses: ClientAddress,
): string | undefined {
  const forwarded = incoming.headers['x-forwarded-for'];
  const { remoteAddress: peer } = incoming.socket;
  // A gateway on this machine without the header, as nginx by default: all people behind it would share one address.
  if (forwarded === undefined && addresses.trustsNobody && LOOPBACK.test(peer ?? '')) return undefined;
  return addresses.of(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded);
}

const LOOPBACK = /^(?:(?:::ffff:)?127\.|::1$)/i;

export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** Some gateways add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711` (the node of RFC 7239 section 6). */
function withoutPort(hop: string): string {
  return /^(?:(\d+(?:\.\d+){3})|\[(.+)\])(?::\d+)?$/.exec(hop)?.slice(1).find(Boolean) ?? hop;
}

/** A socket for both families shows IPv4 as `::ffff:192.0.2.1` (RFC 4291 section 2.5.5.2). */
function plain(address: string | undefined): string | undefined {
  const bare = address?.replace(/^::ffff:(?=\d+\.)/i, '');
  return bare !== undefined && isIP(bare) !== 0 ? bare : undefined;
}

/** The key for rate limits: IPv6 addresses are counted by /64, because a client usually has all of that network. */
function countedBy(address: string): string {
  if (isIP(address) === 4) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? Array<string>(Math.max(8 - left.length - right.length, 0)).fill('0') : [];
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}

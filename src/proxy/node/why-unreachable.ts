import { causeOf, codeOf } from '../portal/call-errors.js';

/** Why a call got no answer, in words that tell an operator where to look. */
export function whyUnreachable(error: unknown): string {
  const innermost = causeOf(error);
  const code = codeOf(innermost);
  const words = code === undefined ? undefined : (WORDS.get(code) ?? (/CERT|TLS|SIGNATURE/.test(code) && CERTIFICATE));
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  if (code === undefined) return message;
  return `${code}: ${words === undefined || words === false ? message : words}`;
}

const CERTIFICATE =
  'its certificate is not one that Node trusts; if it comes from an authority of your own, start with NODE_EXTRA_CA_CERTS';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at this address'],
  ['ENOTFOUND', 'there is no host of this name'],
  ['EAI_AGAIN', 'the name service does not answer'],
  ['EHOSTUNREACH', 'there is no way to this host'],
  ['ENETUNREACH', 'there is no way to this network'],
  ['ETIMEDOUT', 'no connection in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['ECONNRESET', 'the connection was cut'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['EPROTO', 'what answers does not speak TLS'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired, or the clock of this machine is ahead'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet, or the clock of this machine is behind'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'what answers does not speak TLS'],
]);

import { Secret } from '../../runtime/secret.js';
import type { SettingsReader } from './env-reader.js';

/** The HTTP proxy by which calls leave a network that lets none out directly. Not ours, which takes calls in. */
export interface ForwardProxy {
  /** Http or https, perhaps with user and password. */
  readonly url: Secret;
  /** Who is called directly, as NO_PROXY has it: hosts with all below them, perhaps with a port; `*` for everybody. */
  readonly noProxy?: string | undefined;
  /** What an operator knows the URL by. */
  readonly setting?: string | undefined;
}

/** An older convention has only the lower case. HTTP_PROXY is for what is not HTTPS, and all that is called from afar is. */
const SETTINGS = ['https_proxy', 'HTTPS_PROXY'];

export function readForwardProxy(reader: SettingsReader): ForwardProxy | undefined {
  const setting = SETTINGS.find((name) => reader.optional(name) !== undefined);
  if (setting === undefined) return undefined;
  const url = new Secret(reader.optional(setting) ?? '');
  if (parseForwardProxy(url) === undefined) {
    reader.fault(
      `${setting} must be an http or https URL without path, such as http://proxy.example.com:3128; in a user or password, percent-encode what is no letter or digit`,
    );
  }
  return { url, noProxy: reader.optional('no_proxy') ?? reader.optional('NO_PROXY'), setting };
}

export interface ForwardProxyParts {
  readonly origin: string;
  /** For the eyes of an operator: the port stands in it where it is not the usual one. */
  readonly host: string;
  /** What Proxy-Authorization says (RFC 7617), where there is a user. */
  readonly authorization: Secret | undefined;
}

/** Nobody may throw here: errors of Node quote the URL. @returns `undefined` for what is none */
export function parseForwardProxy(url: Secret): ForwardProxyParts | undefined {
  const text = url.reveal();
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, host, username, password, pathname } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  // A password with a bare /, ? or # ends the host early, and what stands before it would be taken, and printed, for that.
  if (pathname !== '/' || /[?#]/.test(text)) return undefined;
  if (username === '' && password === '') return { origin, host, authorization: undefined };
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { origin, host, authorization: new Secret(`Basic ${Buffer.from(pair).toString('base64')}`) };
  } catch {
    return undefined;
  }
}
